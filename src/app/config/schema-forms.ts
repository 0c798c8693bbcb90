import { z } from 'zod'

/** A whole number from `least` on. */
export const wholeFrom = (least: number) => {
  const wanted = `must be a whole number of at least ${least}`
  return z.number(wanted).int(wanted).min(least, wanted)
}
/** A number above 0. */
export const above0 = () => z.number('must be a number above 0').gt(0, 'must be a number above 0')
/** A number from 0 on. */
export const from0 = () =>
  z.number('must be a number of at least 0').min(0, 'must be a number of at least 0')
/** A text that is not blank; `wanted` says what it must be. */
export const filled = (wanted: string) => z.string(wanted).trim().min(1, wanted)
/** What is said where settings by name belong and something else stands. */
export const mapAs = (example: string) => `must be a map of settings, as in ${example}`
