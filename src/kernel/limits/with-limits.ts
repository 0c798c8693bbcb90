import type { RunContext } from '../run/run-context.ts'
import { describeOvershoot } from './limit-reached.ts'
import { checkLimits, type Limits } from './limits.ts'

/**
 * As `context.child`, for a part of the run that may use no more than `limits`, and no more than the run has left: an agent, a
 * node, a branch. What it has used counts on over resumptions, its time from the first call on. Its limit ends the part
 * alone: a tool call, a branch of a fan-out or whoever catches the error outside of it may go on, and a resumed run finds it
 * reached.
 *
 * @throws `invalid_input` for a limit that is no number from 0 up, `step_repeated` for a segment used twice, `step_changed`
 *   when a recorded part had other limits
 */
export async function withLimits(
  context: RunContext,
  segment: string,
  limits: Omit<Limits, 'maxLogBytes'>,
): Promise<RunContext> {
  checkLimits(limits)
  const { budget, clock } = context.services
  const { startedAtMs: runStartedAtMs } = budget.ofRun
  // By the run's own time of work, in which pauses do not count.
  const workedMs = () => clock.now() - runStartedAtMs
  const begun = await context.step(`${segment}.limits`, 'pure', { ...limits }, async () => ({
    workedMs: workedMs(),
  }))
  if (context.isReplay) return context.child(segment)
  // A fork's own work begins after what it shares with its parent.
  const startedAtMs = runStartedAtMs + Math.min(begun.workedMs, workedMs())
  return context.child(segment, { budget: budget.part(context.key(segment), limits, startedAtMs) })
}

/**
 * What is to be told of limits that were passed because a service counted more than a call's upper bound; `undefined` when
 * none was. Recorded, so that a replay tells it too.
 */
export async function noticeOvershoot(context: RunContext): Promise<string | undefined> {
  const { journal, budget } = context.services
  const recorded = journal.decision('notice', context.key('limits'))
  if (recorded !== undefined) return recorded.data.text
  const text = describeOvershoot(budget.ofRun.overshoot())
  if (text !== undefined) await context.notice('limits', 'warning', text)
  return text
}
