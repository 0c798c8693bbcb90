import type { OutputRange, Remaining, Reservation } from './limit-reached.ts'

/** A reservation with the longest answer that fits the budget. */
export interface FittedReservation {
  readonly reservation: Reservation
  /** Maximum length of the answer in tokens; absent if no limit applies: then a usual answer is reserved. */
  readonly outputTokens?: number
}

/**
 * One answer may take at most one of this many equal parts of the remaining budget, so that a long answer leaves enough for
 * parallel calls.
 */
const parts = 8

/** Extends a reservation that fits, for an answer longer than usual, up to its part of the remaining budget. */
export function extendReservation(reservation: Reservation, left: Remaining): FittedReservation {
  const { output } = reservation
  if (output === undefined) return { reservation }
  const part = { ...left, tokens: left.tokens / parts, costUsd: left.costUsd / parts }
  const room = roomIn(part, reservation, output)
  if (room === Infinity) return { reservation }
  return withOutput(reservation, output, Math.min(output.most, Math.max(output.usual, room)))
}

/** Shortens a reservation that does not fit to the remaining budget; `undefined` if too little remains for an answer. */
export function shrinkReservation(
  reservation: Reservation,
  left: Remaining,
): FittedReservation | undefined {
  const { output } = reservation
  const room = output === undefined ? 0 : roomIn(left, reservation, output)
  if (output === undefined || room < output.least) return undefined
  return withOutput(reservation, output, Math.min(output.usual, room))
}

/** How many output tokens the remaining budget allows after the prompt. */
function roomIn(
  left: Remaining,
  { tokens, costUsd }: Reservation,
  { usual, usdPerToken }: OutputRange,
): number {
  const byTokens = left.tokens - (tokens - usual)
  if (usdPerToken === null || usdPerToken === 0) return Math.floor(byTokens)
  const promptUsd = (costUsd ?? 0) - usual * usdPerToken
  return Math.floor(Math.min(byTokens, (left.costUsd - promptUsd) / usdPerToken))
}

function withOutput(
  { steps, tokens, costUsd }: Reservation,
  { usual, usdPerToken }: OutputRange,
  outputTokens: number,
): FittedReservation {
  const more = outputTokens - usual
  const dollars = costUsd === null ? null : costUsd + more * (usdPerToken ?? 0)
  return { reservation: { steps, tokens: tokens + more, costUsd: dollars }, outputTokens }
}
