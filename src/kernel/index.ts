/** The kernel: messages, steps on a log, models, tools, the agent loop. Loads no workflow, no reasoning, no telemetry. */

export { type Agent, type AgentOutcome, runAgent } from './agent/agent-loop.ts'
export {
  createHooks,
  type HookedRequest,
  type HookHandler,
  type HookPoint,
  type Hooks,
  type HookValues,
} from './agent/hooks.ts'
export {
  type ImagePart,
  type Message,
  messageText,
  type Part,
  toolCallsOf,
} from './agent/message.ts'
export { repairHistory } from './agent/repair-history.ts'
export {
  createToolRegistry,
  defineTool,
  type Reached,
  type Tool,
  type ToolDeclaration,
  type ToolRegistry,
  type ToolRun,
} from './agent/tool.ts'
export { type ErrorCode, type Failure, fromFailure, ScholiumError, toFailure } from './errors.ts'
export { canonicalJson, type Hash, hashJson, type Json, type JsonObject, sha256 } from './json.ts'
export { Budget, type Limits } from './limits/limits.ts'
export { noticeOvershoot, withLimits } from './limits/with-limits.ts'
export { chooseEmbedding, chooseModel } from './model/choose-model.ts'
export { callEmbedding, type EmbeddingOptions, type EmbeddingReply } from './model/embed-call.ts'
export type {
  EmbeddingBinding,
  ModelBinding,
  ModelRole,
  ModelSource,
  Price,
} from './model/model.ts'
export type { ModelRequest } from './model/model-attempts.ts'
export { callModel, type ModelReply } from './model/model-call.ts'
export { callModelForObject, type ObjectReply } from './model/model-object.ts'
export {
  fromOpenAiMessages,
  type OpenAiMessage,
  toOpenAiMessages,
} from './model/open-ai-messages.ts'
export { type Accounts, sumAccounts } from './run/accounts.ts'
export { type Clock, systemClock } from './run/clock.ts'
export type {
  Delta,
  Effect,
  EventData,
  EventOf,
  EventType,
  LiveEvent,
  NewEvent,
  Notice,
  Progress,
  RunEvent,
  RunStatus,
  StepFacts,
  StoredEvent,
  TransientEvent,
  Usage,
} from './run/event.ts'
export { isKnownEvent, isStepEnd } from './run/event.ts'
export { type Fork, findPlace, forkRun, type Place } from './run/fork.ts'
export { type Replay, replayRun, resumeRun, startRun } from './run/run.ts'
export { RunContext } from './run/run-context.ts'
export type { EventFilter, Lease, NewRun, Owner, RunRecord, RunStore } from './run/run-store.ts'
export { stateAt } from './run/state-at.ts'
export type { Execution, RunOutcome, Workflow } from './run/workflow.ts'
export type { StepAttempt, StepOptions } from './step/step-attempt.ts'
export { findJson, parseJsonObject } from './text/json-from-text.ts'
export type { TextTool } from './text/tool-call-block.ts'
export { toolCallsFromText } from './text/tool-calls-from-text.ts'
