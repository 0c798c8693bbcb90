import { ScholiumError } from './errors.ts'
import type { Effect, Usage } from './event.ts'
import type { Hash, Json, JsonObject } from './json.ts'
import type { Grant, Reservation } from './limits.ts'
import type { NewBlob } from './run-store.ts'
import type { StepScope } from './step-scope.ts'

/** What a step's function gets to work with. */
export interface StepAttempt {
  readonly key: string
  readonly signal: AbortSignal
  /** 1, or more when an earlier attempt was cut off. */
  readonly attempt: number
  /** Reserves before each call that costs; settle what it gives back. */
  reserve(reservation: Reservation): Promise<Grant>
  /** Counts what was used, also when the step then fails. */
  use(usage: Usage): void
  /** Keeps text under its hash in the same transaction as the step's end. */
  keep(hash: Hash, text: string): void
  /** Waits by the run's clock. */
  sleep(delayMs: number): Promise<void>
}

/** What is said of a step beside its name, effect and input. */
export interface StepOptions {
  /** Whether it costs money or tokens: its start is then in the log before it is made, its end on disk before it resolves. */
  readonly isPaid?: boolean
  /** How long it may take. Default: no bound of its own. */
  readonly timeoutMs?: number
  /** The input in the form in which the log keeps it, when the hash stands for more. Default: the input. */
  readonly loggedInput?: Json
}

/** A step as it is asked for. */
export interface StepSpec<T extends Json> extends StepOptions {
  readonly name: string
  readonly effect: Effect
  readonly input: Json
  run(attempt: StepAttempt): Promise<T>
}

/** One attempt at a step: its signal, what it reserves, uses and keeps. */
export class Attempt<T extends Json> implements StepAttempt {
  readonly key: string
  readonly attempt: number
  readonly signal: AbortSignal
  readonly kept: NewBlob[] = []
  private used: Usage | undefined
  private steps = 0
  private readonly scope: StepScope
  private readonly spec: StepSpec<T>

  constructor(
    scope: StepScope,
    spec: StepSpec<T>,
    place: { readonly key: string; readonly attempt: number },
  ) {
    this.scope = scope
    this.spec = spec
    this.key = place.key
    this.attempt = place.attempt
    this.signal =
      spec.timeoutMs === undefined
        ? scope.signal
        : AbortSignal.any([scope.signal, AbortSignal.timeout(spec.timeoutMs)])
  }

  run(): Promise<T> {
    return this.spec.timeoutMs === undefined
      ? this.spec.run(this)
      : this.runWithin(this.spec.timeoutMs)
  }

  async reserve(reservation: Reservation): Promise<Grant> {
    const grant = await this.scope.services.budget.reserve(reservation, this.scope.share)
    this.steps += reservation.steps
    return grant
  }

  use(usage: Usage): void {
    const before = this.used ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 }
    const isPriced = before.costUsd !== null && usage.costUsd !== null
    this.used = {
      inputTokens: before.inputTokens + usage.inputTokens,
      outputTokens: before.outputTokens + usage.outputTokens,
      costUsd: isPriced ? (before.costUsd as number) + (usage.costUsd as number) : null,
    }
  }

  keep(hash: Hash, text: string): void {
    this.kept.push({ hash, text })
  }

  sleep(delayMs: number): Promise<void> {
    return this.scope.services.clock.sleep(delayMs, this.signal)
  }

  /** What the attempt has used up, for the log. */
  usageFacts(): { usage?: Usage & JsonObject; steps?: number } {
    return {
      ...(this.used === undefined ? {} : { usage: { ...this.used } }),
      ...(this.steps === 0 ? {} : { steps: this.steps }),
    }
  }

  private runWithin(timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(this.cutOff(timeoutMs))
      this.signal.addEventListener('abort', onAbort, { once: true })
      this.spec
        .run(this)
        .then(resolve, reject)
        .finally(() => this.signal.removeEventListener('abort', onAbort))
    })
  }

  /** Why the attempt was not waited for any longer. Whether a write happened is then not known. */
  private cutOff(timeoutMs: number): ScholiumError {
    if (this.scope.signal.aborted) return new ScholiumError('cancelled', 'The run was interrupted.')
    const { name, effect } = this.spec
    const text = `${name} took longer than ${timeoutMs / 1000} s.`
    if (effect !== 'write') return new ScholiumError('step_failed', text, { retryable: true })
    return new ScholiumError('outcome_unknown', `${text} Whether it happened is not known.`, {
      hint: 'Look at what it should have changed before doing it again.',
    })
  }
}
