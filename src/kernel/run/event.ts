import type { Failure } from '../errors.ts'
import type { Hash, Json, JsonObject } from '../json.ts'
import type { LimitName } from '../limits/limit-reached.ts'

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

/** Under what one execution of a run works. */
export type Conditions = {
  readonly versions: { readonly package: string; readonly workflow: string }
  /** Hashes of what steers the models, by file. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** The resolved configuration, without secrets. */
  readonly configuration: JsonObject
  /** An absent limit does not bind. */
  readonly limits: Readonly<Partial<Record<LimitName, number>>>
  /** What each role's model costs, null where that is not known. */
  readonly prices?: JsonObject
  /** What the run is filed under: `session` and `user` ids, for example. */
  readonly labels?: Readonly<Record<string, string>>
}

/** What the log says of a step. */
export type StepFacts = {
  /** Small inputs of cheap steps. */
  readonly input?: Json
  readonly name: string
  readonly effect: Effect
  readonly inputHash: Hash
  readonly attempt: number
  /** Milliseconds since 1970. */
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
  /** Set for a step that waits for a person: its time does not count as work. */
  readonly isPause?: true
  /** Whether its tokens are of texts that vectors were made of. */
  readonly isEmbedding?: true
}

/** What a limit stopped, and what the stopped step had used. */
export type LimitReached = Pick<StepFacts, 'usage' | 'steps' | 'isEmbedding'> & {
  readonly failure: Failure
}

/** A remark about how the run works. */
export type Notice = {
  readonly level: 'info' | 'warning' | 'error'
  /** The path of the part of the run that remarks. */
  readonly component: string
  readonly text: string
  /** What calls that gave nothing may have cost, where the remark is about them. */
  readonly usage?: Usage
  readonly steps?: number
}

/** The `data` of each type of event in the log. An event's `output` holds what may be large. */
export type EventData = {
  /** The run began; `output` is its input. */
  readonly 'run.started': Conditions & { readonly workflow: string; readonly seed: string }
  /** It was resumed; events after `rewindToSeq` no longer count. */
  readonly 'run.resumed': Conditions & { readonly rewindToSeq: number | null }
  /** It left its parent after the event `parent.seq`, at the boundary of that key; `output` is the changed fields of the state. */
  readonly 'run.forked': Conditions & {
    readonly parent: { readonly runId: string; readonly seq: number }
    readonly boundary: string
  }
  /** It waits for a person; `output` is the {@link Question}, `key` that of the step that asks. */
  readonly 'run.waiting': { readonly key: string }
  /** It stopped without an end and can be resumed. */
  readonly 'run.suspended': { readonly failure: Failure }
  /** It ended; `output` is its result. `mayRetry`: resuming it tries again what failed. */
  readonly 'run.finished': { readonly status: RunStatus; readonly mayRetry?: true }
  /** A step that costs or writes began; `output` is its input. */
  readonly 'step.started': StepFacts
  /** `output` is its result. */
  readonly 'step.done': StepFacts
  readonly 'step.failed': StepFacts
  readonly 'step.cancelled': StepFacts
  /** A write was cut off, and whether it happened is not known. */
  readonly 'step.outcome_unknown': StepFacts
  /** A node of a graph ended; `output` is its patch, or the results of the number of `branches` of a fan-out. */
  readonly 'node.done': {
    readonly node: string
    readonly branches?: number
    /** Of a session's turn: what it was, and how it ended. */
    readonly kind?: string
    readonly outcome?: string
  }
  /** A turn of an agent, or an attempt, ended. */
  readonly 'turn.done': { readonly turn?: number; readonly toolCalls?: number }
  readonly 'limit.reached': LimitReached
  readonly notice: Notice
}

/** A type of event in the log. */
export type EventType = keyof EventData

/** What all events of the log have. */
interface EventPlace {
  readonly v: 1
  readonly runId: string
  /** Counts from 1 without gaps. */
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly ts: number
  /** Goes up with each process that drives the run. */
  readonly epoch: number
  /** The path of the step or part of the run that the event is about; empty for the run. */
  readonly key: string
  readonly output?: Json
  readonly blob?: BlobReference
}

/** The events of one type or some. */
export type EventOf<Type extends EventType> = {
  [T in Type]: EventPlace & { readonly type: T; readonly data: EventData[T] }
}[Type]

/**
 * One fact of a run, appended once, never changed. `type` tells what `data` is. A log that a newer version wrote can hold types
 * that are not listed here: they are passed on as they are, so a `switch` over the type needs a `default`; see {@link isKnownEvent}.
 */
export type RunEvent = EventOf<EventType>

/** An event as it is stored, of a type that this version need not know. */
export type StoredEvent = EventPlace & { readonly type: string; readonly data: JsonObject }

/** A fact before the log has given it its place. */
export type NewEvent = PickEach<RunEvent, 'key' | 'type' | 'data' | 'output' | 'ts'>

/** The named members of each type of a union, which stays one. */
export type PickEach<Union, Name extends keyof Union> = Union extends unknown
  ? Pick<Union, Name>
  : never

/** What a part of a run tells while it works. Tools add members of their own. */
export type Progress = {
  /** With `state`: the node of a graph that began. */
  readonly node?: string
  readonly state?: 'started'
  /** A sentence for the person. */
  readonly text?: string
  /** What a program has printed so far. */
  readonly output?: string
  readonly [more: string]: Json | undefined
}

/** A piece of what a model writes. */
export type Delta = {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  /** Counts from 1; pieces of earlier attempts no longer count once a later one speaks. */
  readonly attempt: number
}

/** The `data` of each type of event that is shown while it happens and never stored. */
export type TransientData = {
  readonly 'step.running': { readonly name: string; readonly effect: Effect }
  readonly delta: Delta
  readonly progress: Progress
}

/** Something shown while it happens and never stored: a token, a download's progress, a step that began. */
export type TransientEvent = {
  [T in keyof TransientData]: {
    readonly transient: true
    readonly key: string
    readonly type: T
    readonly data: TransientData[T]
  }
}[keyof TransientData]

/** What a listener of a run hears; `type` tells what `data` is. */
export type LiveEvent = RunEvent | TransientEvent

const stepEndTypes = ['step.done', 'step.failed', 'step.cancelled', 'step.outcome_unknown'] as const

/** The types of event after which a step is over. */
export type StepEndType = (typeof stepEndTypes)[number]

/** An event of a step. */
export type StepEvent = EventOf<StepEndType | 'step.started'>

/** The types of event after which a step is over. */
export const stepEnds: readonly EventType[] = stepEndTypes

/** Whether a step is over with an event. */
export function isStepEnd<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: StepEndType } {
  return (stepEndTypes as readonly string[]).includes(event.type)
}

/** Whether an event tells of a step. */
export function isOfStep<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: StepEvent['type'] } {
  return event.type === 'step.started' || isStepEnd(event)
}

const boundaryTypes = ['node.done', 'turn.done', 'limit.reached', 'run.waiting', 'notice'] as const

/** The types of event that say where a run has come to, or what was decided there. */
export type BoundaryType = (typeof boundaryTypes)[number]

/** Whether an event says where a run has come to, or what was decided there. */
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

/** Whether this version knows an event's type, so that its `data` is what {@link EventData} says. */
export function isKnownEvent(event: StoredEvent | RunEvent): event is RunEvent {
  return Object.hasOwn(knownTypes, event.type)
}
