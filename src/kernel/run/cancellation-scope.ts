import type { RunContext } from './run-context.ts'

/**
 * As `context.child`, for a part that a person may stop while the run goes on. The decision is recorded, by {@link cancelScope},
 * before the signal is aborted: what was finished by then stays, and in each later execution what was not ends as it did, with
 * `cancelled`.
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

/** Records the decision to stop a part, once; `text` says whose it was. Abort the part's signal then. */
export function cancelScope(context: RunContext, segment: string, text: string): Promise<void> {
  return context.notice(stopName(segment), 'info', text)
}

function stopName(segment: string): string {
  return `${segment}.stopped`
}
