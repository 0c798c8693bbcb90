import type { Failure } from '../errors.ts'
import type { Hash, Json, JsonObject } from '../json.ts'

/** What a step does to the world: nothing, reads it, or changes it. Decides whether it is repeated after a crash. */
export type Effect = 'pure' | 'read' | 'write'

/** What a step has used up. `costUsd` null: the price is not known. */
export type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly costUsd: number | null
}

/** How a run stands. `running` with a dead owner is shown as `interrupted`. */
export type RunStatus =
  | 'running'
  | 'interrupted'
  | 'waiting'
  | 'answered'
  | 'partial'
  | 'unanswered'
  | 'failed'

/** Where a payload over {@link maxInlineBytes} went: to the run's blobs, under the hash of its JSON text. */
export interface BlobReference {
  readonly hash: Hash
  readonly sizeBytes: number
  readonly mediaType: 'application/json'
  /** The first characters of the JSON text. */
  readonly preview: string
}

/** Payloads up to this many UTF-16 code units of JSON stay in the event; larger ones become blobs. */
export const maxInlineBytes = 16_384

/**
 * The facts of a run, by type. `output` beside `data` holds what may be large: a step's result, a node's patch.
 *
 * | type | data | output |
 * |---|---|---|
 * | `run.started` | workflow, versions, prompts' hashes, configuration, limits, seed | the input |
 * | `run.resumed` | `rewindToSeq`: after which event earlier ones no longer count, or null; versions, prompts' hashes, limits | – |
 * | `run.forked` | the parent and after which of its events, the key of the boundary there; versions, prompts' hashes, configuration, limits | the state's changed fields |
 * | `run.waiting` | key of the question to a person | the prompt |
 * | `run.suspended` | why the run stopped without an end; it can be resumed | – |
 * | `run.finished` | status; whether it is tried again when it is resumed | the result |
 * | `step.started` | name, effect, input hash, attempt, reservation | the input |
 * | `step.done` | name, effect, input hash, times, usage; the input when it is small | the result |
 * | `step.failed`, `step.cancelled`, `step.outcome_unknown` | as `step.done`, with the failure | – |
 * | `node.done` | node; of a fan-out the number of branches | the patch, or the branches' results |
 * | `turn.done` | turn, number of tool calls | – |
 * | `limit.reached` | the failure, and what the stopped step had used | – |
 * | `notice` | level, component, text | – |
 */
export type EventType =
  | 'run.started'
  | 'run.resumed'
  | 'run.forked'
  | 'run.waiting'
  | 'run.suspended'
  | 'run.finished'
  | 'step.started'
  | 'step.done'
  | 'step.failed'
  | 'step.cancelled'
  | 'step.outcome_unknown'
  | 'node.done'
  | 'turn.done'
  | 'limit.reached'
  | 'notice'

/** One fact of a run, appended once, never changed. `seq` counts from 1 without gaps; `ts` is milliseconds since 1970. */
export interface RunEvent {
  readonly v: 1
  readonly runId: string
  readonly seq: number
  readonly ts: number
  readonly epoch: number
  readonly key: string
  readonly type: EventType
  readonly data: JsonObject
  readonly output?: Json
  readonly blob?: BlobReference
}

/** A fact before the log has given it its place. */
export type NewEvent = Pick<RunEvent, 'key' | 'type' | 'data' | 'output' | 'ts'>

/** What `step.*` events carry in `data`. */
export type StepFacts = {
  /** Small inputs of cheap steps. */
  readonly input?: Json
  readonly name: string
  readonly effect: Effect
  readonly inputHash: Hash
  readonly attempt: number
  readonly startedAt?: number
  readonly usage?: Usage
  /** Model and tool calls that counted against the limits; absent for none. */
  readonly steps?: number
  /** Of a start: what the attempt can use up at most. */
  readonly reservation?: {
    readonly steps: number
    readonly tokens: number
    readonly costUsd: number | null
  }
  readonly failure?: Failure
  /** Of a step in which a person is waited for: its time is none of work. */
  readonly isPause?: true
  /** Whether its tokens are of texts that vectors were made of. */
  readonly isEmbedding?: true
}

/** Something shown while it happens and never stored: a token, a download's progress, a step that began. */
export interface TransientEvent {
  readonly transient: true
  readonly key: string
  readonly type: 'step.running' | 'delta' | 'progress'
  readonly data: JsonObject
}

/** What a listener of a run hears. */
export type LiveEvent = RunEvent | TransientEvent

/** The event types after which a step is over. */
export const stepEnds: readonly EventType[] = [
  'step.done',
  'step.failed',
  'step.cancelled',
  'step.outcome_unknown',
]

/** Whether an event tells of a step. */
export function isOfStep({ type }: Pick<RunEvent, 'type'>): boolean {
  return type === 'step.started' || stepEnds.includes(type)
}

/** The event types that say where a run has come to, or what was decided there. */
export const boundaryTypes: readonly EventType[] = [
  'node.done',
  'turn.done',
  'limit.reached',
  'run.waiting',
  'notice',
]
