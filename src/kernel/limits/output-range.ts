import type { OutputRange, Remaining, Reservation } from './limit-reached.ts'

/** A reservation with as long an answer as there is room for. */
export interface FittedReservation {
  readonly reservation: Reservation
  /** In tokens; absent where nothing binds the answer: then a usual one is what is counted. */
  readonly outputTokens?: number
}

/**
 * Into so many parts is divided what is left: one answer may have one of them. So as many calls at once get usual answers as if
 * each took no more than that: whoever takes more leaves the others theirs.
 */
const parts = 8

/** A reservation that fits, with its part of what is left for an answer that is longer than usual. */
export function stretched(reservation: Reservation, left: Remaining): FittedReservation {
  const { output } = reservation
  if (output === undefined) return { reservation }
  const part = { ...left, tokens: left.tokens / parts, costUsd: left.costUsd / parts }
  const room = roomIn(part, reservation, output)
  if (room === Infinity) return { reservation }
  return withOutput(reservation, output, Math.min(output.most, Math.max(output.usual, room)))
}

/** A reservation that does not fit, with all that is left for an answer; `undefined` where that is too little for one. */
export function shrunk(reservation: Reservation, left: Remaining): FittedReservation | undefined {
  const { output } = reservation
  const room = output === undefined ? 0 : roomIn(left, reservation, output)
  if (output === undefined || room < output.least) return undefined
  return withOutput(reservation, output, Math.min(output.usual, room))
}

/** How many tokens of output there is room for after the prompt. */
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
