import type { RunContext } from '../run/run-context.ts'
import { describeOvershoot } from './limit-reached.ts'
import { checkLimits, type Limits } from './limits.ts'

/**
 * Like `context.child`, for a part of the run (an agent, a node, a branch) that may use at most `limits`, and no more than the
 * run has left. Its usage is kept when the run is resumed; its time counts from the first call. Reaching the limit ends only the
 * part: code outside that catches the error can continue, and a resumed run finds the limit still reached.
 * @throws `invalid_input` for a limit that is not a number of at least 0, `step_repeated` for a segment used twice,
 * `step_changed` if a recorded part had other limits
 */
export async function withLimits(
  context: RunContext,
  segment: string,
  limits: Omit<Limits, 'maxLogBytes'>,
): Promise<RunContext> {
  checkLimits(limits)
  const { budget, clock } = context.services
  const { startedAtMs: runStartedAtMs } = budget.ofRun
  // In the run's working time, which excludes pauses.
  const workedMs = () => clock.now() - runStartedAtMs
  const begun = await context.step(`${segment}.limits`, 'pure', { ...limits }, async () => ({
    workedMs: workedMs(),
  }))
  if (context.isReplay) return context.child(segment)
  // A fork's own work starts after what it shares with its parent.
  const startedAtMs = runStartedAtMs + Math.min(begun.workedMs, workedMs())
  return context.child(segment, { budget: budget.part(context.key(segment), limits, startedAtMs) })
}

/**
 * Describes limits that were exceeded because a service counted more than a call's upper bound; `undefined` if none was.
 * Recorded, so that a replay gives the same text.
 */
export async function noticeOvershoot(context: RunContext): Promise<string | undefined> {
  const { journal, budget } = context.services
  const recorded = journal.decision('notice', context.key('limits'))
  if (recorded !== undefined) return recorded.data.text
  const text = describeOvershoot(budget.ofRun.overshoot())
  if (text !== undefined) await context.notice('limits', 'warning', text)
  return text
}
