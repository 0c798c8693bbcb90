/** Scholium: cited answers from your own files, on a log that can be resumed and replayed. */

export type {
  CodeAnswer,
  CodeEvent,
  CodeRequest,
  CodeResult,
  CodeSession,
  CodeSettings,
  CodeStopReason,
  FallbackVerbosity,
  FileChange,
  ListedTool,
  PastTurn,
  PermissionAnswer,
  PermissionRequest,
  Preview,
  RefusedCall,
  SessionHistory,
  SessionListeners,
  SessionOptions,
  SessionReader,
  SessionState,
  SessionSummary,
  SettingsChange,
  SlashReport,
  StoredMessage,
  Todo,
  TurnAnswer,
  TurnMessages,
  TurnOutcome,
} from './app/code/public.ts'
export {
  type EvalOptions,
  type EvalProgress,
  type EvalReport,
  type EvalRequest,
  evaluate,
} from './app/eval/eval.ts'
export type { Home } from './app/home.ts'
export type { AddedFile } from './app/library/read-sources.ts'
export type { CheckOptions, ReadPlaces, SourceReader } from './app/library/source-reader.ts'
export type { McpSettings } from './app/mcp/mcp.ts'
export type { PythonSettings } from './app/python.ts'
export type { RunLabels } from './app/runs/trace-labels.ts'
export type { WebServers } from './app/web-sources.ts'
export type { AgentDeclaration, AppAgent } from './app/workflows/create-agent.ts'
export {
  type DefinedWorkflow,
  defineWorkflow,
  type InputOf,
  type OutputOf,
  type RunnableAgent,
  type StepSettings,
  type WorkflowContext,
  type WorkflowDeclaration,
} from './app/workflows/define-workflow.ts'
export type { StandardSchema } from './app/workflows/own-schema.ts'
export type { RunStream, StreamEvent } from './app/workflows/run-stream.ts'
export type { WorkflowRun } from './app/workflows/run-workflow.ts'
export {
  type ActionSummary,
  type AgentAnswer,
  type AgentCheck,
  type AgentFeatures,
  type AgentInspection,
  type AgentRunOptions,
  type AgentSource,
  type AgentText,
  App,
  type AppOptions,
  type AskEstimate,
  type AskRequest,
  type BundleReport,
  type Cleanup,
  type CleanupRequest,
  type Configuration,
  type ConfigurationRequest,
  createApp,
  type ExecutionOptions,
  type ExportedBundle,
  type ExportOptions,
  type ForkOptions,
  type ForkPoint,
  type ForkReport,
  type ForkRequest,
  loadConfiguration,
  type ModelUse,
  type NodeVisit,
  type PapersAnswer,
  type PapersForm,
  type PapersRequest,
  type Question,
  type Range,
  type ReadAgentOptions,
  type ReadEvent,
  type ReferenceFormat,
  type ReferenceOptions,
  type References,
  type ReplayReport,
  type ReportCheck,
  type ReusedPapers,
  type Right,
  type RightKind,
  type RunFilter,
  type RunGraph,
  type RunResult,
  readAskDefaults,
  renderPapersAs,
  toAppOptions,
  type VerifyOptions,
  type VerifyReportOptions,
  verifyBundle,
  verifyReport,
  type WorkflowQuestion,
  waitingQuestion,
} from './app.ts'
export type {
  Answer,
  AnswerFormat,
  AskResult,
  AskStatus,
  ClaimPolicy,
  Depth,
  Figure,
  StopReason,
} from './ask/result.ts'
export type { CitedSource, Claim, Coverage, Evidence, Verdict } from './citations/claim.ts'
export type { Passage, Source } from './citations/source.ts'
export type { StateChange } from './graph/change-state.ts'
export {
  createHooks,
  type HookHandler,
  type HookPoint,
  type Hooks,
  type HookValues,
} from './kernel/agent/hooks.ts'
export { defineTool, type Tool, type ToolDeclaration, type ToolRun } from './kernel/agent/tool.ts'
export { type ErrorCode, type Failure, ScholiumError } from './kernel/errors.ts'
export type { Json, JsonObject } from './kernel/json.ts'
export type { Limits } from './kernel/limits/limits.ts'
export type { ModelRole, Price } from './kernel/model/model.ts'
export {
  type Delta,
  type EventData,
  type EventOf,
  type EventType,
  isKnownEvent,
  type LiveEvent,
  type Notice,
  type Progress,
  type RunEvent,
  type RunStatus,
  type StepFacts,
  type StoredEvent,
  type TransientEvent,
} from './kernel/run/event.ts'
export type { RunPage, RunRecord, RunStore } from './kernel/run/run-store.ts'
export type { ModelChoice, ModelChoices, RoleModel } from './models/model-settings.ts'
export { createModelSource } from './models/model-source.ts'
export type { SentSpans } from './observe/otel/telemetry.ts'
export type { PapersGraphChange } from './papers/change-graph.ts'
export type { Paper, SearchedPlace } from './papers/paper.ts'
export type {
  Analysis,
  PaperEntry,
  PaperStance,
  PapersResult,
  Synthesis,
} from './papers/result.ts'
export type { PapersClaimPolicy, PapersState } from './papers/state.ts'
export type { Hit, ListRequest, SearchRequest } from './retrieval/library.ts'
export { currentOwner } from './stores/process-owner.ts'
export { openRunStore } from './stores/sqlite/run-store.ts'
export type { AskError, Gap } from './team/gap.ts'
