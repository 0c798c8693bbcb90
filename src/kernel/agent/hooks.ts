import { toFailure } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Effect } from '../run/event.ts'
import type { Message, ToolCallPart } from './message.ts'

/** A request to a model as hooks see it. */
export interface HookedRequest {
  readonly messages: readonly Message[]
  /** The tools on offer. A hook can leave some out, and gives the others back as they are. */
  readonly tools?: readonly {
    readonly name: string
    readonly description: string
    readonly effect: Effect
  }[]
  /** JSON Schema of the answer, when it shall be one JSON object. */
  readonly responseSchema?: JsonObject
  /** The typed input of the role, for engines that read no prompts. */
  readonly roleRequest?: Json
  /** How many leading messages the previous call of the same conversation had. */
  readonly knownCount?: number
}

/** What passes at each point where a hook may change it. */
export interface HookValues {
  /** A model's answer as it becomes a message. */
  readonly 'message:create:before': Message
  readonly 'message:create:after': Message
  /** The conversation on its way to a model, before and after its history is repaired. */
  readonly 'message:render:before': readonly Message[]
  readonly 'message:render:after': readonly Message[]
  /** A message that joins a conversation. */
  readonly 'message:append:before': Message
  readonly 'message:append:after': Message
  readonly 'model:call:before': HookedRequest
  readonly 'model:call:after': { readonly message: Message; readonly finishReason: string }
  readonly 'tool:call:before': ToolCallPart
  /** What the tool gave. */
  readonly 'tool:call:after': Json
  /** A run's input. */
  readonly 'run:before': JsonObject
  /** A run's result. */
  readonly 'run:after': JsonObject
}

/** A place where a hook may change what passes. */
export type HookPoint = keyof HookValues

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that gives nothing back is a function without a return
type Changed<Value> = Value | undefined | void

/** Gets what passes and gives back what shall pass instead; nothing leaves it as it is. */
export type HookHandler<Point extends HookPoint = HookPoint> = (
  value: HookValues[Point],
  point: Point,
) => Changed<HookValues[Point]> | Promise<Changed<HookValues[Point]>>

/** A handler among those of its point, whose values it takes. */
interface Registered {
  readonly handler: (value: unknown, point: HookPoint) => unknown
  readonly priority: number
}

/** Registered hooks. */
export interface Hooks {
  /** Adds a handler; larger priorities go first, equal ones in the order of their adding. Returns how to take it off. */
  on<Point extends HookPoint>(
    point: Point,
    handler: HookHandler<Point>,
    priority?: number,
  ): () => void
  /** Passes a value through the handlers of a point. A handler that throws is reported and leaves the value as it was. */
  run<T>(point: HookPoint, value: T, onFailure: (message: string) => void): Promise<T>
}

/** An empty set of hooks. */
export function createHooks(): Hooks {
  const registered = new Map<HookPoint, Registered[]>()
  return {
    on(point, handler, priority = 100) {
      const entry: Registered = { handler: handler as Registered['handler'], priority }
      const entries = [...(registered.get(point) ?? []), entry]
      registered.set(
        point,
        entries.sort((left, right) => right.priority - left.priority),
      )
      return () =>
        registered.set(
          point,
          (registered.get(point) ?? []).filter((other) => other !== entry),
        )
    },
    async run(point, value, onFailure) {
      let current = value
      for (const { handler } of registered.get(point) ?? []) {
        try {
          const changed = await handler(current, point)
          if (changed !== undefined) current = changed as typeof value
        } catch (error) {
          onFailure(`A hook at ${point} failed: ${toFailure(error).message}`)
        }
      }
      return current
    },
  }
}
