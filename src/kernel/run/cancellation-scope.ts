import type { RunContext } from './run-context.ts'

/**
 * Like `context.child`, for a part that a person may stop while the run continues. {@link cancelScope} records the decision
 * before the signal is aborted: finished steps keep their results, and in every later execution the others end with
 * `cancelled` again.
 */
export function createCancellationScope(
  context: RunContext,
  segment: string,
  signal: AbortSignal,
): RunContext {
  return context.child(segment, {
    signal: AbortSignal.any([context.signal, signal]),
    stopKey: context.key(stopName(segment)),
  })
}

/** Records the decision to stop a part, once; `text` says who decided. Abort the part's signal afterwards. */
export function cancelScope(context: RunContext, segment: string, text: string): Promise<void> {
  return context.notice(stopName(segment), 'info', text)
}

function stopName(segment: string): string {
  return `${segment}.stopped`
}
