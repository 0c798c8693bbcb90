import type { ScholiumError } from '../errors.ts'
import type { Reservation } from '../limits/limit-reached.ts'
import { BrokenAnswer } from '../model/errors/broken-answer.ts'
import { isUnbilled, retryDelayMs } from '../model/errors/model-refusal.ts'
import type { Usage } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StepAttempt } from './step-attempt.ts'

/** So often a call of a model is made in all, where its service fails for a while. */
export const maxAttempts = 3

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** What one attempt at a call gave, and what it is counted with. */
export interface PaidCall<T> {
  readonly result: T
  readonly usage: Usage
}

/**
 * One attempt at a call, reserved by its upper bound and settled with what `call` tells that it used: the whole bound where it
 * tells nothing, nothing where the service refused it. `call` gets how long its answer may be, where a limit says so.
 *
 * @throws `limit_reached`, and what `call` throws
 */
export async function paidCall<T>(
  attempt: StepAttempt,
  bound: Reservation,
  call: (
    tellUsage: (usage: Usage | undefined) => void,
    outputTokens: number | undefined,
  ) => Promise<T>,
): Promise<PaidCall<T>> {
  const grant = await attempt.reserve(bound)
  const { tokens, costUsd } = grant.reservation
  let usage: Usage = { inputTokens: tokens, outputTokens: 0, costUsd }
  try {
    const result = await call((told) => {
      usage = told ?? usage
    }, grant.outputTokens)
    return { result, usage }
  } catch (error) {
    if (!(error instanceof BrokenAnswer) && isUnbilled(error)) usage = nothingUsed
    throw error
  } finally {
    grant.settle(usage)
    attempt.use(usage)
  }
}

/** Waits after an attempt that failed, as long as the service asks, and tells listeners why. */
export async function waitForNext(
  context: RunContext,
  attempt: StepAttempt,
  failed: { readonly error: unknown; readonly refusal: ScholiumError; readonly number: number },
): Promise<void> {
  const { error, refusal, number } = failed
  const delayMs = retryDelayMs(error, number, context.random(`retry ${attempt.key} ${number}`))
  context.emit('progress', {
    text: `${refusal.message} Trying again in ${Math.ceil(delayMs / 1000)} s.`,
  })
  await attempt.sleep(delayMs)
}

/** The model; where it cannot even be loaded, nothing was sent and nothing is owed. */
export async function loadModel<T>(
  binding: { load(): Promise<T> },
  attempt: StepAttempt,
): Promise<T> {
  try {
    return await binding.load()
  } catch (error) {
    attempt.use(nothingUsed)
    throw error
  }
}
