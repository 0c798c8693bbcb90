import { toFailure } from '../errors.ts'

/** The places where a hook may change what passes. */
export type HookPoint =
  `${'message:create' | 'message:render' | 'message:append' | 'model:call' | 'tool:call' | 'run'}:${'before' | 'after'}`

/** Gets what passes and gives back what shall pass instead; `undefined` leaves it. */
export type HookHandler = (value: unknown, point: HookPoint) => unknown

/** Registered hooks. */
export interface Hooks {
  /** Adds a handler; larger priorities go first, equal ones in the order of their adding. Returns how to take it off. */
  on(point: HookPoint, handler: HookHandler, priority?: number): () => void
  /** Passes a value through the handlers of a point. A handler that throws is reported and leaves the value as it was. */
  run<T>(point: HookPoint, value: T, onFailure: (message: string) => void): Promise<T>
}

/** An empty set of hooks. */
export function createHooks(): Hooks {
  const registered = new Map<HookPoint, { handler: HookHandler; priority: number }[]>()
  return {
    on(point, handler, priority = 100) {
      const entry = { handler, priority }
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
