import type { ScholiumError } from '../errors.ts'
import type { Reservation } from '../limits/limit-reached.ts'
import { BrokenAnswer } from '../model/errors/broken-answer.ts'
import { isUnbilled, retryDelayMs } from '../model/errors/model-refusal.ts'
import type { Usage } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StepAttempt } from './step-attempt.ts'

/** Attempts at a model call in total, when its service fails temporarily. */
export const maxAttempts = 3

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** The result of one attempt at a call, and the usage counted for it. */
export interface PaidCall<T> {
  readonly result: T
  readonly usage: Usage
}

/**
 * One attempt at a call. Reserves its upper bound and settles with the usage that `call` reports: the whole bound if it reports
 * none, nothing if the service refused it. `call` receives the maximum length of its answer in tokens, if a limit sets one.
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

/** Waits after a failed attempt, as long as the service asks, and tells listeners why. */
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

/** Loads the model. If that fails, nothing was sent and nothing is charged. */
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
