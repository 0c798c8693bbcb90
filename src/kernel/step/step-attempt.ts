import { ScholiumError, toFailure } from '../errors.ts'
import type { Hash, Json } from '../json.ts'
import { describeOvershoot, type Reservation } from '../limits/limit-reached.ts'
import type { Grant } from '../limits/limits.ts'
import type { ReservationHolder } from '../limits/reservation-holder.ts'
import { maxTimerMs } from '../run/deadline.ts'
import type { Effect, Usage } from '../run/event.ts'
import type { NewBlob } from '../run/run-store.ts'
import { withResumeHint } from './step-limit.ts'
import type { StepOptions } from './step-options.ts'
import type { LimitUse, StepScope } from './step-scope.ts'

/** What a step's function gets to work with. */
export interface StepAttempt {
  readonly key: string
  readonly signal: AbortSignal
  /** 1, or more when an earlier attempt was cut off. */
  readonly attempt: number
  /** The grant that was reserved before the step began, and for each further call one of its own. Settle what it gives back. */
  reserve(reservation: Reservation): Promise<Grant>
  /** Counts what was used, also when the step then fails. */
  use(usage: Usage): void
  /** Keeps text under its hash in the same transaction as the step's end. */
  keep(hash: Hash, text: string): void
  /** Waits by the run's clock. */
  sleep(delayMs: number): Promise<void>
}

/** A step as it is asked for. */
export interface StepSpec<T extends Json> extends StepOptions {
  readonly name: string
  readonly effect: Effect
  readonly input: Json
  run(attempt: StepAttempt): Promise<T>
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** One attempt at a step: its signal, what it reserves, uses and keeps. */
export class Attempt<T extends Json> implements StepAttempt {
  readonly key: string
  readonly attempt: number
  readonly signal: AbortSignal
  readonly kept: NewBlob[] = []
  private used: Usage | undefined
  /** What was used less what was settled: what the budget does not know of yet. */
  private due = { tokens: 0, costUsd: 0 }
  private steps = 0
  private prepaid: Grant | undefined
  private readonly holder: ReservationHolder
  private readonly open = new Set<Grant>()
  private readonly scope: StepScope
  private readonly spec: StepSpec<T>
  /** Where a time limit binds: aborted with the run, or when the time is up. */
  private readonly control: AbortController | undefined
  private readonly wall: ReturnType<StepScope['remainingWall']>
  /** Who has had its time: the step, or the whole run or part with a limit of its own. */
  private timedOut: 'step' | 'wall' | undefined

  constructor(
    scope: StepScope,
    spec: StepSpec<T>,
    place: { readonly key: string; readonly attempt: number },
    held: { readonly grant: Grant | undefined; readonly holder: ReservationHolder },
  ) {
    this.scope = scope
    this.spec = spec
    this.key = place.key
    this.attempt = place.attempt
    this.wall = scope.remainingWall()
    const isTimed = this.wall !== undefined || spec.timeoutMs !== undefined
    this.control = isTimed ? new AbortController() : undefined
    this.signal = this.control?.signal ?? scope.signal
    this.holder = held.holder
    this.prepaid = held.grant
    if (held.grant !== undefined) this.hold(held.grant)
  }

  /** Runs the step's function; does not wait for it any longer than its time allows. */
  run(): Promise<T> {
    const { budget } = this.scope.services
    return budget.runInside(this.holder, () => this.runInTime())
  }

  private async runInTime(): Promise<T> {
    const { control, scope, spec, wall } = this
    if (control === undefined) return spec.run(this)
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const stop = (reason: unknown) => {
      reject(reason)
      control.abort(reason)
    }
    const onAbort = () => stop(scope.signal.reason)
    const timers = [
      this.startTimer('wall', wall?.ms, stop),
      this.startTimer('step', spec.timeoutMs, stop),
    ]
    scope.signal.addEventListener('abort', onAbort, { once: true })
    try {
      return await Promise.race([spec.run(this), stopped])
    } finally {
      for (const timer of timers) clearTimeout(timer)
      scope.signal.removeEventListener('abort', onAbort)
    }
  }

  private startTimer(
    whose: 'step' | 'wall',
    timeoutMs: number | undefined,
    stop: (reason: unknown) => void,
  ): NodeJS.Timeout | undefined {
    if (timeoutMs === undefined) return undefined
    const onTimeout = () => {
      this.timedOut ??= whose
      stop(new DOMException('The time is up.', 'TimeoutError'))
    }
    return setTimeout(onTimeout, Math.ceil(Math.max(0, Math.min(timeoutMs, maxTimerMs))))
  }

  async reserve(reservation: Reservation): Promise<Grant> {
    const { prepaid } = this
    this.prepaid = undefined
    const grant = prepaid ?? (await this.reserveMore(reservation))
    return {
      ...grant,
      settle: (used) => {
        if (!this.open.delete(grant)) return
        grant.settle(used)
        this.owe(used, -1)
        this.tellOvershoot(grant.reservation, used)
      },
    }
  }

  /** A further call's reservation. What was used before is in the log first: a crash must not lose it. */
  private async reserveMore(reservation: Reservation): Promise<Grant> {
    const { scope, signal, holder, used, key } = this
    const { journal, budget, clock } = scope.services
    if (used !== undefined && used.inputTokens + used.outputTokens > 0) {
      const text = 'A call that returned nothing may have been charged.'
      const data = {
        level: 'info',
        component: key,
        text,
        steps: this.steps,
        usage: { ...used },
      } as const
      await journal.append({ key, type: 'notice', data, ts: clock.now() })
    }
    const { share } = scope
    const reserved = budget.reserve(reservation, { share, signal, holder })
    return this.hold(
      await reserved.catch((error: unknown) => {
        throw withResumeHint(scope, error)
      }),
    )
  }

  /** Records that a service counted more than the upper bound that was reserved for its call. */
  private tellOvershoot({ tokens, costUsd, output }: Reservation, used: Usage): void {
    const usedTokens = used.inputTokens + used.outputTokens
    const isBound = output === undefined
    const isOver = isBound && (usedTokens > tokens || (used.costUsd ?? 0) > (costUsd ?? Infinity))
    if (!isOver) return
    const { journal, budget, clock } = this.scope.services
    const passed = describeOvershoot(budget.overshoot())
    const text = `${usedTokens} tokens were counted for a call that can use at most ${tokens}.${passed === undefined ? '' : ` ${passed}`}`
    const data = { level: 'warning', component: this.key, text } as const
    // A log that fails is noticed at the step's end.
    void journal
      .append({ key: this.key, type: 'notice', data, ts: clock.now() })
      .catch(() => undefined)
  }

  /**
   * Charges what was used and settled by no grant, then gives back what is still held. A grant that nothing was told of counts
   * whole: see {@link isUnsettled}. What is counted so goes into the step's usage, so that the log says it too.
   */
  settleOpen(hasFailed: boolean): void {
    const { due, prepaid } = this
    const reported = { tokens: Math.max(0, due.tokens), costUsd: Math.max(0, due.costUsd) }
    const isUnreported = reported.tokens + reported.costUsd === 0
    const bound = { tokens: 0, costUsd: 0 }
    let isPriced = true
    for (const grant of this.open) {
      if (!this.isUnsettled(grant, hasFailed, isUnreported)) continue
      isPriced &&= grant.reservation.costUsd !== null
      bound.tokens += grant.reservation.tokens
      bound.costUsd += grant.reservation.costUsd ?? 0
    }
    const more = {
      inputTokens: Math.max(0, bound.tokens - reported.tokens),
      outputTokens: 0,
      costUsd: Math.max(0, bound.costUsd - reported.costUsd),
    }
    if (more.inputTokens + more.costUsd > 0) this.use(isPriced ? more : { ...more, costUsd: null })
    const charged = {
      inputTokens: reported.tokens + more.inputTokens,
      outputTokens: 0,
      costUsd: reported.costUsd + more.costUsd,
    }
    this.scope.services.budget.charge(charged)
    if (prepaid !== undefined) this.tellOvershoot(prepaid.reservation, charged)
    this.prepaid = undefined
    this.due = { tokens: 0, costUsd: 0 }
    for (const grant of this.open) grant.settle(nothingUsed)
    this.open.clear()
  }

  /**
   * Whether all that was reserved may have been used. Of a grant that the function took: when the attempt failed, or nothing was
   * told that no other grant was settled with. Of one that it did not take: when it told nothing at all, or was broken off.
   */
  private isUnsettled(grant: Grant, hasFailed: boolean, isUnreported: boolean): boolean {
    if (grant !== this.prepaid) return hasFailed || isUnreported
    return this.used === undefined || this.timedOut !== undefined || this.scope.signal.aborted
  }

  use(usage: Usage): void {
    const before = this.used ?? nothingUsed
    const isPriced = before.costUsd !== null && usage.costUsd !== null
    this.used = {
      inputTokens: before.inputTokens + usage.inputTokens,
      outputTokens: before.outputTokens + usage.outputTokens,
      costUsd: isPriced ? (before.costUsd as number) + (usage.costUsd as number) : null,
    }
    this.owe(usage, 1)
  }

  private owe({ inputTokens, outputTokens, costUsd }: Usage, sign: 1 | -1): void {
    this.due.tokens += sign * (inputTokens + outputTokens)
    this.due.costUsd += sign * (costUsd ?? 0)
  }

  keep(hash: Hash, text: string): void {
    this.kept.push({ hash, text })
  }

  sleep(delayMs: number): Promise<void> {
    return this.scope.services.clock.sleep(delayMs, this.signal)
  }

  /** What the attempt has used up, for the log. */
  usageFacts(): LimitUse {
    return {
      ...(this.spec.isEmbedding === true ? { isEmbedding: true } : {}),
      ...(this.used === undefined ? {} : { usage: { ...this.used } }),
      ...(this.steps === 0 ? {} : { steps: this.steps }),
    }
  }

  /**
   * What a thrown value means here: an abort is the run's interruption, the run's time limit or the step's own time-out;
   * one that nobody here asked for is a failure like any other. Whether a write that was cut off happened is not known.
   */
  explain(thrown: unknown): unknown {
    const { effect, timeoutMs = 0, label = this.spec.name } = this.spec
    if (this.scope.signal.aborted) {
      const { details = {} } = toFailure(thrown)
      return new ScholiumError('cancelled', 'The run was interrupted.', { cause: thrown, details })
    }
    if (this.timedOut === 'wall')
      return effect === 'write'
        ? this.unknown('The time limit was reached.')
        : withResumeHint(this.scope, this.scope.wallLimit(this.wall?.path ?? ''))
    if (this.timedOut === 'step') {
      const text = `${label} took longer than ${timeoutMs / 1000} s.`
      return effect === 'write'
        ? this.unknown(text)
        : new ScholiumError('step_failed', text, { retryable: true })
    }
    if (toFailure(thrown).code !== 'cancelled') return thrown
    const text = `${label} was aborted by the function it called: ${(thrown as Error).message}`
    return effect === 'write'
      ? this.unknown(text)
      : new ScholiumError('step_failed', text, { retryable: true, cause: thrown })
  }

  private unknown(text: string): ScholiumError {
    return new ScholiumError(
      'outcome_unknown',
      `${text} It is unknown whether ${this.spec.name} happened.`,
      { hint: 'Check what it should have changed before doing it again.' },
    )
  }

  private hold(grant: Grant): Grant {
    this.open.add(grant)
    this.steps += grant.reservation.steps
    return grant
  }
}
