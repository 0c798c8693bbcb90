import { ScholiumError, toFailure } from '../errors.ts'
import type { Hash, Json } from '../json.ts'
import { describeOvershoot, type Reservation } from '../limits/limit-reached.ts'
import type { Grant } from '../limits/limits.ts'
import type { ReservationHolder } from '../limits/reservation-holder.ts'
import { maxTimerMs } from '../run/deadline.ts'
import type { Effect, Usage } from '../run/event.ts'
import type { NewBlob } from '../run/run-store.ts'
import { withResumeHint } from './step-limit.ts'
import type { LimitUse, StepScope } from './step-scope.ts'

/** What a step's function receives. */
export interface StepAttempt {
  readonly key: string
  readonly signal: AbortSignal
  /** Counts from 1; higher when earlier attempts were interrupted. */
  readonly attempt: number
  /**
   * Reserves budget for one call; the first one gets the grant reserved before the step began, whatever it asks for. A grant is
   * settled with what the call used, for the budget, and the same usage is added by `use`, for the log. What stays unsettled is
   * charged at the end of the step.
   */
  reserve(reservation: Reservation): Promise<Grant>
  /** Adds to the step's usage, which counts even if the step then fails. */
  use(usage: Usage): void
  /** Stores text under its hash, in the same transaction as `step.done`; dropped if the step does not succeed. */
  keep(hash: Hash, text: string): void
  /** Waits by the run's clock. */
  sleep(delayMs: number): Promise<void>
}

/** Options of a step. */
export interface StepOptions {
  /** Whether it costs money or tokens. Its start is then recorded before it runs and its end is on disk before it resolves. What it may cost is reserved separately. */
  readonly isPaid?: boolean
  /** Its name in messages to people and models. Default: its name. */
  readonly label?: string
  /** Time limit in milliseconds, without waiting for a reservation. A write that exceeds it has an unknown outcome. Default: only the limits of the run; without any, the function is awaited even if it ignores its signal. */
  readonly timeoutMs?: number
  /** Upper bound of what it can use. It is reserved before the step begins, so a limit stops it before anything is done. */
  readonly reservation?: Reservation
  /** The input as the log keeps it, if shorter than what is hashed. Default: the input. */
  readonly loggedInput?: Json
  /** Whether it waits for a person. That time does not count as work. */
  readonly isPause?: boolean
  /** Finds out whether an interrupted write was done: its output, `'undone'`, or `undefined` if that is unknown. */
  readonly decide?: () => Promise<'undone' | { readonly output: Json } | undefined>
  /** Whether it computes embeddings, whose tokens are counted separately. */
  readonly isEmbedding?: boolean
}

/** A step: its name, effect, input and function. */
export interface StepSpec<T extends Json> extends StepOptions {
  readonly name: string
  readonly effect: Effect
  readonly input: Json
  run(attempt: StepAttempt): Promise<T>
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** One attempt at a step: its signal, reservations, usage and stored texts. */
export class Attempt<T extends Json> implements StepAttempt {
  readonly key: string
  readonly attempt: number
  readonly signal: AbortSignal
  readonly kept: NewBlob[] = []
  private used: Usage | undefined
  /** Usage reported by `use` less what grants were settled with: above zero, the budget does not know of it yet. */
  private unsettled = { tokens: 0, costUsd: 0 }
  private steps = 0
  private firstGrant: Grant | undefined
  private readonly holder: ReservationHolder
  private readonly open = new Set<Grant>()
  private readonly scope: StepScope
  private readonly spec: StepSpec<T>
  /** Present if it may end before the function: aborted with the run, when the time is up, or when the answer so far is wanted. */
  private readonly control: AbortController | undefined
  private readonly finish: AbortSignal | undefined
  private readonly wall: ReturnType<StepScope['remainingWall']>
  /** Whose time limit has passed: the step's, or that of the run or one of its parts; a run that a person ended early has none left. */
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
    this.finish = scope.finish
    const mayEndEarly =
      this.wall !== undefined || spec.timeoutMs !== undefined || this.finish !== undefined
    this.control = mayEndEarly ? new AbortController() : undefined
    this.signal = this.control?.signal ?? scope.signal
    this.holder = held.holder
    this.firstGrant = held.grant
    if (held.grant !== undefined) this.hold(held.grant)
  }

  /** Runs the step's function, waiting for it no longer than the time limits allow. */
  run(): Promise<T> {
    const { budget } = this.scope.services
    return budget.runInside(this.holder, () => this.runInTime())
  }

  private async runInTime(): Promise<T> {
    const { control, scope, spec, wall, finish } = this
    if (control === undefined) return spec.run(this)
    const { promise: stopped, reject } = Promise.withResolvers<never>()
    const stop = (reason: unknown) => {
      reject(reason)
      control.abort(reason)
    }
    const onAbort = () => stop(scope.signal.reason)
    const onFinish = () => {
      this.timedOut ??= 'wall'
      stop(new DOMException('The answer so far is wanted.', 'AbortError'))
    }
    const timers = [
      this.startTimer('wall', wall?.ms, stop),
      this.startTimer('step', spec.timeoutMs, stop),
    ]
    scope.signal.addEventListener('abort', onAbort, { once: true })
    finish?.addEventListener('abort', onFinish, { once: true })
    try {
      return await Promise.race([spec.run(this), stopped])
    } finally {
      for (const timer of timers) clearTimeout(timer)
      scope.signal.removeEventListener('abort', onAbort)
      finish?.removeEventListener('abort', onFinish)
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
    const { firstGrant } = this
    this.firstGrant = undefined
    const grant = firstGrant ?? (await this.reserveMore(reservation))
    return {
      ...grant,
      settle: (used) => {
        if (!this.open.delete(grant)) return
        grant.settle(used)
        this.addUnsettled(used, -1)
        this.recordOvershoot(grant.reservation, used)
      },
    }
  }

  /** Reserves for a further call. Usage so far is recorded first, so that a crash cannot lose it. */
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

  /** Records that a service counted more than the upper bound reserved for its call. */
  private recordOvershoot({ tokens, costUsd, output }: Reservation, used: Usage): void {
    const usedTokens = used.inputTokens + used.outputTokens
    const isBound = output === undefined
    const isOver = isBound && (usedTokens > tokens || (used.costUsd ?? 0) > (costUsd ?? Infinity))
    if (!isOver) return
    const { journal, budget, clock } = this.scope.services
    const passed = describeOvershoot(budget.overshoot())
    const text = `${usedTokens} tokens were counted for a call that can use at most ${tokens}.${passed === undefined ? '' : ` ${passed}`}`
    const data = { level: 'warning', component: this.key, text } as const
    // A failing log is noticed when the step ends.
    void journal
      .append({ key: this.key, type: 'notice', data, ts: clock.now() })
      .catch(() => undefined)
  }

  /**
   * Charges usage that no grant settled, then releases open grants. A grant whose use is unknown is charged in full (see
   * {@link mayBeFullyUsed}) and added to the step's usage, so that the log has it too.
   */
  settleOpen(hasFailed: boolean): void {
    const { unsettled, firstGrant } = this
    const reported = {
      tokens: Math.max(0, unsettled.tokens),
      costUsd: Math.max(0, unsettled.costUsd),
    }
    const isUnreported = reported.tokens + reported.costUsd === 0
    const bound = { tokens: 0, costUsd: 0 }
    let isPriced = true
    for (const grant of this.open) {
      if (!this.mayBeFullyUsed(grant, hasFailed, isUnreported)) continue
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
    if (firstGrant !== undefined) this.recordOvershoot(firstGrant.reservation, charged)
    this.firstGrant = undefined
    this.unsettled = { tokens: 0, costUsd: 0 }
    for (const grant of this.open) grant.settle(nothingUsed)
    this.open.clear()
  }

  /**
   * Whether everything reserved may have been used. For a grant that the function took: when the attempt failed, or reported no
   * usage beyond other grants. For one that it did not take: when it reported nothing at all, or was interrupted.
   */
  private mayBeFullyUsed(grant: Grant, hasFailed: boolean, isUnreported: boolean): boolean {
    if (grant !== this.firstGrant) return hasFailed || isUnreported
    return this.used === undefined || this.timedOut !== undefined || this.scope.signal.aborted
  }

  use(usage: Usage): void {
    const before = this.used ?? nothingUsed
    const isPriced = before.costUsd !== null && usage.costUsd !== null
    const cachedInputTokens = (before.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0)
    this.used = {
      inputTokens: before.inputTokens + usage.inputTokens,
      ...(cachedInputTokens === 0 ? {} : { cachedInputTokens }),
      outputTokens: before.outputTokens + usage.outputTokens,
      costUsd: isPriced ? (before.costUsd as number) + (usage.costUsd as number) : null,
    }
    this.addUnsettled(usage, 1)
  }

  private addUnsettled({ inputTokens, outputTokens, costUsd }: Usage, sign: 1 | -1): void {
    this.unsettled.tokens += sign * (inputTokens + outputTokens)
    this.unsettled.costUsd += sign * (costUsd ?? 0)
  }

  keep(hash: Hash, text: string): void {
    this.kept.push({ hash, text })
  }

  sleep(delayMs: number): Promise<void> {
    return this.scope.services.clock.sleep(delayMs, this.signal)
  }

  /** What the attempt has used, for the log. */
  usageFacts(): LimitUse {
    return {
      ...(this.spec.isEmbedding === true ? { isEmbedding: true } : {}),
      ...(this.used === undefined ? {} : { usage: { ...this.used } }),
      ...(this.steps === 0 ? {} : { steps: this.steps }),
    }
  }

  /**
   * The error for a thrown value. An abort is the run's interruption, the run's time limit or the step's own; an abort that
   * none of these caused is an ordinary failure. The outcome of an interrupted write is unknown.
   */
  explain(thrown: unknown): unknown {
    const { effect, timeoutMs = 0, label = this.spec.name } = this.spec
    if (this.scope.signal.aborted) {
      const { details = {} } = toFailure(thrown)
      return new ScholiumError('cancelled', 'The run was interrupted.', { cause: thrown, details })
    }
    if (this.timedOut === 'wall') {
      const limit = this.scope.wallLimit(this.wall?.path ?? '')
      return effect === 'write' ? this.unknown(limit.message) : withResumeHint(this.scope, limit)
    }
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
