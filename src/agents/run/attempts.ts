import { endsAt, type Failure, ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { ErrorRule } from '../document/agent-document.ts'
import type { NodeView, WorkOutcome } from './agent-run.ts'
import { toStateFailure } from './branch-record.ts'
import { hiddenKey } from './state.ts'

/** Failures that repeat, and work that must not be done twice. */
const nonRetryableCodes: ReadonlySet<string> = new Set([
  'invalid_agent_file',
  'invalid_configuration',
  'invalid_input',
  'outcome_unknown',
  'template_failed',
])

/**
 * Runs work under its error rule: retries it with delays; if none succeeds, goes to a fallback or continues with the
 * failure as `error` in the state. What ends the run, or the enclosing part of it, is never caught.
 */
export async function withErrorRule(
  { retries, delayMs, backoff, isGraceful, fallback }: ErrorRule,
  name: string,
  view: NodeView,
  work: (view: NodeView) => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  const isCaught = isGraceful || fallback !== undefined
  if (retries === 0 && !isCaught) return work(view)
  const { context } = view
  for (let attempt = 1; ; attempt++) {
    const segment = `attempt[${attempt}]`
    try {
      return await work({ ...view, context: context.child(segment) })
    } catch (thrown) {
      if (!(thrown instanceof ScholiumError) || endsAt(thrown, context.path)) throw thrown
      const failure = toFailure(thrown)
      const isLast = attempt > retries || nonRetryableCodes.has(failure.code)
      if (isLast && !isCaught) throw thrown
      await recordFailedAttempt(context, segment, `${name}: ${failure.message}`)
      if (isLast) return endGracefully(failure, name, fallback)
      await pause(context, attempt, delayMs * backoff ** (attempt - 1))
    }
  }
}

/** Records that the run continued after a failure below this segment, so that a resumed run does not go back to it. */
export async function recordFailedAttempt(
  context: RunContext,
  segment: string,
  text: string,
): Promise<void> {
  await context.notice(segment, 'warning', text)
  await context.reachBoundary('turn.done', segment, {})
}

function endGracefully(failure: Failure, node: string, fallback: string | undefined): WorkOutcome {
  const error = { ...toStateFailure(failure), node }
  const next = fallback === undefined ? {} : { [hiddenKey.fallback]: fallback }
  // A failure's message may quote a web page.
  const patch = { error, [hiddenKey.tainted]: true, ...next }
  return { patch, result: { error: failure.message, success: false } }
}

async function pause(context: RunContext, attempt: number, delayMs: number): Promise<void> {
  if (delayMs <= 0) return
  await context.step(`wait[${attempt}]`, 'pure', { delayMs } as Json, async (attempted) => {
    await attempted.sleep(delayMs)
    return null
  })
}
