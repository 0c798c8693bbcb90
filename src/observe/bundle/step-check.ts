import { isStepEnd, type StepEvent } from '../../kernel/run/event.ts'
import { type Check, concluded, Faults } from './check.ts'
import { count, faultIn, shown } from './fault.ts'
import { type BundledEvent, memberNames } from './form.ts'

interface Open {
  readonly inputHash: string
  readonly attempt: number
  readonly seq: number
}

/**
 * Checks that started steps ended, and that ended steps were started if they had to be. A step interrupted by a crash may stay
 * open until the run is resumed.
 */
export class StepCheck {
  private readonly faults = new Faults()
  private open = new Map<string, Open>()
  /** Steps that ended in this execution. */
  private ended = new Set<string>()
  private starts = 0
  private ends = 0

  record(event: BundledEvent): void {
    const { type, key } = event
    if (type === 'run.resumed' || type === 'run.forked') {
      this.open = new Map()
      this.ended = new Set()
    } else if (event.type === 'step.started') this.start(event)
    else if (isStepEnd(event)) this.end(event)
    else if (type === 'limit.reached' || type === 'run.waiting') this.open.delete(key)
    else if (type === 'run.finished') this.checkAllEnded()
  }

  conclude(): Check {
    const detail = `${count(this.ends)} steps ended, ${count(this.starts)} of them with a start event`
    return concluded('steps', this.faults, detail)
  }

  private start(event: StepEvent): void {
    const { inputHash, attempt } = event.data
    this.starts++
    if (this.open.has(event.key)) this.add(event, 'it was started twice at the same time.')
    this.open.set(event.key, { inputHash, attempt, seq: event.seq })
  }

  private end(event: StepEvent): void {
    const { key, type } = event
    const { inputHash, attempt, effect } = event.data
    const begun = this.open.get(key)
    this.open.delete(key)
    this.ends++
    if (begun !== undefined && (begun.inputHash !== inputHash || begun.attempt !== attempt))
      this.add(event, 'it ended with a different attempt or input than it started with.')
    // The outcome of an interrupted write is recorded when the run is resumed.
    if (begun === undefined && effect === 'write' && type !== 'step.outcome_unknown')
      this.add(event, 'it is a write step that was never started.')
    if (this.ended.has(key)) this.add(event, 'it ended twice.')
    this.ended.add(key)
  }

  private checkAllEnded(): void {
    for (const [key, { seq }] of this.open)
      this.faults.add(
        faultIn(
          memberNames.log,
          `event ${count(seq)}: "${shown(key)}" was started but never ended.`,
        ),
      )
  }

  private add({ seq, key }: BundledEvent, text: string): void {
    this.faults.add(faultIn(memberNames.log, `event ${count(seq)}, "${shown(key)}": ${text}`))
  }
}
