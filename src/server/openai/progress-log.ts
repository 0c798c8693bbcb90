import type { LiveEvent } from '../../kernel/run/event.ts'
import type { continues } from '../running-runs.ts'

/**
 * What the log of a run says of its progress, the same whenever it is read: a line for what was done, and after each end that was
 * resumed, a new section. What comes after an end and before the resumption does not count, as a reader at that time was told the end.
 */
export class ProgressLog {
  /** Ends that were resumed. */
  section = 0
  private isOver = false

  /** Hears the next event; the line that it adds. */
  hear(event: LiveEvent): string | undefined {
    if (event.type === 'run.resumed' && this.isOver) {
      this.section++
      this.isOver = false
    }
    if (isEnd(event)) this.isOver = true
    return this.isOver ? undefined : describeDone(event)
  }
}

/** Whether a reader is told an end here: the run has ended, waits for a person, or was interrupted for good. */
export function isEnd(event: LiveEvent): boolean {
  if (event.type === 'run.suspended') return !willContinue(event)
  return event.type === 'run.finished' || event.type === 'run.waiting'
}

/** Whether the server itself continues an interrupted run. */
function willContinue(event: Extract<LiveEvent, { readonly type: 'run.suspended' }>): boolean {
  const { details } = event.data.failure
  return (details as Partial<typeof continues> | undefined)?.continues === true
}

/** Only what the log keeps counts. */
function describeDone(event: LiveEvent): string | undefined {
  if (event.type === 'node.done') return endings[event.data.node]
  if (event.type === 'notice') return event.data.text
  return event.type === 'limit.reached' ? event.data.failure.message : undefined
}

const endings: Readonly<Record<string, string>> = {
  planner: 'Planned the research.',
  attempt: 'Ended a research step.',
  expert: 'Wrote the answer.',
  verify: 'Checked the claims.',
  synthesize: 'Wrote the synthesis.',
}
