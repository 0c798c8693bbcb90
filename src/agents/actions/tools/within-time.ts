import { createContext, Script } from 'node:vm'

const run = new Script('work()')

/** What synchronous work came to within a time, or that it took longer. */
export type Timely<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false }

/**
 * Does synchronous work that somebody else's pattern or expression may make endless, and ends it after a time. What the work throws
 * is thrown.
 */
export function withinTime<Value>(timeoutMs: number, work: () => Value): Timely<Value> {
  try {
    return { ok: true, value: run.runInContext(createContext({ work }), { timeout: timeoutMs }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      return { ok: false }
    throw error
  }
}
