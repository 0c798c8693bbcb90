import type { Failure } from '../errors.ts'
import type { Hash, Json, JsonObject } from '../json.ts'
import type { LimitName } from '../limits/limit-reached.ts'

/**
 * The effect of a step. What is recorded is never done again; it decides about the rest:
 *
 * | effect | interrupted | in a replay, with another input |
 * |---|---|---|
 * | `pure`: none, so it may be computed again | repeated | computed again |
 * | `read`: reads from outside, may cost money | repeated | `step_changed` |
 * | `write`: changes something outside | `decide`, else `outcome_unknown` | `step_changed` |
 */
export type Effect = 'pure' | 'read' | 'write'

/** The usage of a step. `costUsd` null: the price is unknown. */
export type Usage = {
  readonly inputTokens: number
  /** Those of the input tokens that the provider read from its cache; absent for none. */
  readonly cachedInputTokens?: number
  readonly outputTokens: number
  readonly costUsd: number | null
}

/** The statuses of a run. `running` with a dead owner is shown as `interrupted`. */
export const runStatuses = [
  'running',
  'interrupted',
  'waiting',
  'answered',
  'partial',
  'unanswered',
  'failed',
] as const

/** Status of a run. */
export type RunStatus = (typeof runStatuses)[number]

/** Reference to a payload over {@link maxInlineBytes}, stored as a blob of the run under the hash of its JSON text. */
export interface BlobReference {
  readonly hash: Hash
  readonly sizeBytes: number
  readonly mediaType: 'application/json'
  /** The first characters of the JSON text. */
  readonly preview: string
}

/** Payloads up to this many UTF-16 code units of JSON stay in the event; larger ones become blobs. */
export const maxInlineBytes = 16_384

/** The settings of one execution of a run. */
export type Conditions = {
  readonly versions: { readonly package: string; readonly workflow: string }
  /** Hashes of the prompts and other files that steer the models, by file. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** The resolved configuration, without secrets. */
  readonly configuration: JsonObject
  /** Absent limits do not apply. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>
  /** The price of each role's model; null if unknown. */
  readonly prices?: JsonObject
  /** Labels for finding the run, such as `session` and `user` ids. */
  readonly labels?: Readonly<Record<string, string>>
}

/** Facts that the log records about a step. */
export type StepFacts = {
  /** Only small inputs of cheap steps. */
  readonly input?: Json
  readonly name: string
  readonly effect: Effect
  readonly inputHash: Hash
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly startedAt?: number
  readonly usage?: Usage
  /** Model and tool calls that counted against the limits; absent if none. */
  readonly steps?: number
  /** For a start: the most that the attempt can use. */
  readonly reservation?: {
    readonly steps: number
    readonly tokens: number
    readonly costUsd: number | null
  }
  readonly failure?: Failure
  /** Set for a step that waits for a person: its time does not count as work. */
  readonly isPause?: true
  /** Whether its tokens belong to embedded texts. */
  readonly isEmbedding?: true
}

/** What a limit stopped, and the usage of the stopped step. */
export type LimitReached = Pick<StepFacts, 'usage' | 'steps' | 'isEmbedding'> & {
  readonly failure: Failure
}

/** A note about how the run works. */
export type Notice = {
  readonly level: 'info' | 'warning' | 'error'
  /** The path of the part of the run that it comes from. */
  readonly component: string
  readonly text: string
  /** Possible usage of calls without a result, if the note is about them. */
  readonly usage?: Usage
  readonly steps?: number
}

/** The `data` of each type of event in the log. Anything that may be large is in the event's `output`. */
export type EventData = {
  /** The run started; `output` is its input. */
  readonly 'run.started': Conditions & { readonly workflow: string; readonly seed: string }
  /** The run was resumed; events after `rewindToSeq` no longer count. */
  readonly 'run.resumed': Conditions & { readonly rewindToSeq: number | null }
  /**
   * The fork branched off from its parent after the event `parent.seq`, at the boundary with this key; `output` contains the
   * changed state fields.
   */
  readonly 'run.forked': Conditions & {
    readonly parent: { readonly runId: string; readonly seq: number }
    readonly boundary: string
  }
  /** The run waits for a person; `output` is the {@link Question}, `key` the key of the step that asks. */
  readonly 'run.waiting': { readonly key: string }
  /** The run stopped before its end and can be resumed. */
  readonly 'run.suspended': { readonly failure: Failure }
  /** The run ended; `output` is its result. `mayRetry`: resuming it retries what failed. */
  readonly 'run.finished': { readonly status: RunStatus; readonly mayRetry?: true }
  /** A step that costs money or writes started; `output` is its input. */
  readonly 'step.started': StepFacts
  /** The step succeeded; `output` is its result. */
  readonly 'step.done': StepFacts
  readonly 'step.failed': StepFacts
  readonly 'step.cancelled': StepFacts
  /** A write was interrupted, and it is unknown whether it happened. */
  readonly 'step.outcome_unknown': StepFacts
  /** A node of a graph ended; `output` is its patch, or the results of a fan-out with this number of `branches`. */
  readonly 'node.done': {
    readonly node: string
    readonly branches?: number
    /** For a session's turn: its kind, and how it ended. */
    readonly kind?: string
    readonly outcome?: string
  }
  /** An agent's turn or an attempt ended. */
  readonly 'turn.done': { readonly turn?: number; readonly toolCalls?: number }
  readonly 'limit.reached': LimitReached
  readonly notice: Notice
}

/** The event types of the log. */
export type EventType = keyof EventData

/** What all events of the log have in common. */
interface EventPlace {
  readonly v: 1
  readonly runId: string
  /** From 1, without gaps. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly ts: number
  /** Increases with each process that executes the run. */
  readonly epoch: number
  /** The path of the step or part of the run that the event concerns; empty for the run. */
  readonly key: string
  readonly output?: Json
  readonly blob?: BlobReference
}

/** The events of one or several types. */
export type EventOf<Type extends EventType> = {
  [T in Type]: EventPlace & { readonly type: T; readonly data: EventData[T] }
}[Type]

/**
 * A fact of a run, appended once and never changed. `type` determines the shape of `data`. A log written by a newer version can
 * contain types that are not listed here; they are passed on unchanged, so a `switch` over the type needs a `default`. See {@link
 * isKnownEvent}.
 */
export type RunEvent = EventOf<EventType>

/** A stored event, whose type this version may not know. */
export type StoredEvent = EventPlace & { readonly type: string; readonly data: JsonObject }

/** An event before the log assigns its sequence number. */
export type NewEvent = PickEach<RunEvent, 'key' | 'type' | 'data' | 'output' | 'ts'>

/** Picks properties from each member of a union and keeps the union. */
export type PickEach<Union, Name extends keyof Union> = Union extends unknown
  ? Pick<Union, Name>
  : never

/** Progress of a part of a run. Tools add their own properties. */
export type Progress = {
  /** With `state`: the node of a graph that started. */
  readonly node?: string
  readonly state?: 'started'
  /** A sentence for the user. */
  readonly text?: string
  /** What a program has printed so far. */
  readonly output?: string
  readonly [more: string]: Json | undefined
}

/** A piece of streamed model output. */
export type Delta = {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  /** From 1. Pieces of earlier attempts no longer count once a later attempt has output. */
  readonly attempt: number
}

/** The `data` of each type of event that is only live and never stored. */
export type TransientData = {
  readonly 'step.running': { readonly name: string; readonly effect: Effect }
  readonly delta: Delta
  readonly progress: Progress
}

/** A live event that is never stored: a token, a download's progress, a step that started. */
export type TransientEvent = {
  [T in keyof TransientData]: {
    readonly transient: true
    readonly key: string
    readonly type: T
    readonly data: TransientData[T]
  }
}[keyof TransientData]

/** An event as a run's listeners receive it; `type` determines the shape of `data`. */
export type LiveEvent = RunEvent | TransientEvent

const stepEndTypes = ['step.done', 'step.failed', 'step.cancelled', 'step.outcome_unknown'] as const

/** Event types that end a step. */
export type StepEndType = (typeof stepEndTypes)[number]

/** An event of a step. */
export type StepEvent = EventOf<StepEndType | 'step.started'>

/** Event types that end a step. */
export const stepEnds: readonly EventType[] = stepEndTypes

/** Whether an event ends a step. */
export function isStepEnd<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: StepEndType } {
  return (stepEndTypes as readonly string[]).includes(event.type)
}

/** Whether an event belongs to a step. */
export function isOfStep<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: StepEvent['type'] } {
  return event.type === 'step.started' || isStepEnd(event)
}

const boundaryTypes = ['node.done', 'turn.done', 'limit.reached', 'run.waiting', 'notice'] as const

/** Event types that record how far a run has come, or a decision. */
export type BoundaryType = (typeof boundaryTypes)[number]

/** Whether an event records how far a run has come, or a decision. */
export function isBoundary(event: RunEvent): event is EventOf<BoundaryType> {
  return (boundaryTypes as readonly string[]).includes(event.type)
}

const knownTypes: Readonly<Record<EventType, true>> = {
  'run.started': true,
  'run.resumed': true,
  'run.forked': true,
  'run.waiting': true,
  'run.suspended': true,
  'run.finished': true,
  'step.started': true,
  'step.done': true,
  'step.failed': true,
  'step.cancelled': true,
  'step.outcome_unknown': true,
  'node.done': true,
  'turn.done': true,
  'limit.reached': true,
  notice: true,
}

/** Whether this version knows an event's type, so that its `data` matches {@link EventData}. */
export function isKnownEvent(event: StoredEvent | RunEvent): event is RunEvent {
  return Object.hasOwn(knownTypes, event.type)
}
