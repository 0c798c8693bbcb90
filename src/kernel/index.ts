/** The kernel: messages, steps on a log, models, tools, the agent loop. Loads no workflow, no reasoning, no telemetry. */
export { type Accounts, accountsOf } from './accounts.ts'
export { type Agent, type AgentOutcome, runAgent } from './agent-loop.ts'
export { chooseEmbedding, chooseModel } from './choose-model.ts'
export { type Clock, systemClock } from './clock.ts'
export { callEmbedding, type EmbeddingOptions, type EmbeddingReply } from './embed-call.ts'
export { type ErrorCode, type Failure, fromFailure, ScholiumError, toFailure } from './errors.ts'
export type {
  Effect,
  LiveEvent,
  NewEvent,
  RunEvent,
  RunStatus,
  StepFacts,
  TransientEvent,
  Usage,
} from './event.ts'
export { type Fork, findPlace, forkRun, type Place } from './fork.ts'
export { createHooks, type HookHandler, type HookPoint, type Hooks } from './hooks.ts'
export { canonicalJson, type Hash, hashJson, type Json, type JsonObject, sha256 } from './json.ts'
export { findJson, parseJsonObject } from './json-from-text.ts'
export { Budget, type Limits } from './limits.ts'
export { type ImagePart, type Message, messageText, type Part, toolCallsOf } from './message.ts'
export type { EmbeddingBinding, ModelBinding, ModelRole, ModelSource, Price } from './model.ts'
export type { ModelRequest } from './model-attempts.ts'
export { callModel, type ModelReply } from './model-call.ts'
export { callModelForObject, type ObjectReply } from './model-object.ts'
export {
  fromOpenAiMessages,
  type OpenAiMessage,
  toOpenAiMessages,
} from './open-ai-messages.ts'
export { repairHistory } from './repair-history.ts'
export { type Replay, replayRun, resumeRun, startRun } from './run.ts'
export { RunContext } from './run-context.ts'
export type { EventFilter, Lease, NewRun, Owner, RunRecord, RunStore } from './run-store.ts'
export { stateAt } from './state-at.ts'
export type { StepAttempt } from './step-attempt.ts'
export type { StepOptions } from './step-options.ts'
export {
  createToolRegistry,
  defineTool,
  type Reached,
  type Tool,
  type ToolDeclaration,
  type ToolRegistry,
  type ToolRun,
} from './tool.ts'
export type { TextTool } from './tool-call-block.ts'
export { toolCallsFromText } from './tool-calls-from-text.ts'
export { noticeOvershoot, withLimits } from './with-limits.ts'
export type { Execution, RunOutcome, Workflow } from './workflow.ts'
