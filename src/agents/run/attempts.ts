import { endsAt, type Failure, ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { ErrorRule } from '../document/agent-document.ts'
import type { Done, Site } from './agent-run.ts'
import { shownFailure } from './branch-record.ts'
import { hidden } from './state.ts'

/** What fails the same way each time, and what must not be done twice. */
const neverRetried: ReadonlySet<string> = new Set([
  'invalid_agent_file',
  'invalid_configuration',
  'invalid_input',
  'outcome_unknown',
  'template_failed',
])

/**
 * Work under its error rule: tried again after a wait, and when no try succeeds left to a fallback or gone on without, with the
 * failure as `error` in the state. What ends the run, or the part of it around the work, is never caught.
 */
export async function withErrorRule(
  { retries, delayMs, backoff, isGraceful, fallback }: ErrorRule,
  name: string,
  site: Site,
  work: (site: Site) => Promise<Done>,
): Promise<Done> {
  const isCaught = isGraceful || fallback !== undefined
  if (retries === 0 && !isCaught) return work(site)
  const { context } = site
  for (let attempt = 1; ; attempt++) {
    const segment = `attempt[${attempt}]`
    try {
      return await work({ ...site, context: context.child(segment) })
    } catch (thrown) {
      if (!(thrown instanceof ScholiumError) || endsAt(thrown, context.path)) throw thrown
      const failure = toFailure(thrown)
      const isLast = attempt > retries || neverRetried.has(failure.code)
      if (isLast && !isCaught) throw thrown
      await setAside(context, segment, `${name}: ${failure.message}`)
      if (isLast) return gracefully(failure, name, fallback)
      await pause(context, attempt, delayMs * backoff ** (attempt - 1))
    }
  }
}

/** Says in the log that the run went on from a failure below this segment: a resumed run is not to go back to it. */
export async function setAside(context: RunContext, segment: string, text: string): Promise<void> {
  await context.notice(segment, 'warning', text)
  await context.reachBoundary('turn.done', segment, {})
}

function gracefully(failure: Failure, node: string, fallback: string | undefined): Done {
  const error = { ...shownFailure(failure), node }
  const next = fallback === undefined ? {} : { [hidden.fallback]: fallback }
  // What a failure says may be what a page said.
  const patch = { error, [hidden.tainted]: true, ...next }
  return { patch, result: { error: failure.message, success: false } }
}

async function pause(context: RunContext, attempt: number, delayMs: number): Promise<void> {
  if (delayMs <= 0) return
  await context.step(`wait[${attempt}]`, 'pure', { delayMs } as Json, async (attempted) => {
    await attempted.sleep(delayMs)
    return null
  })
}
