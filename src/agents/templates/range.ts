import type { Arguments } from './arguments.ts'
import { valueError } from './template-error.ts'
import type { Value } from './value.ts'

/** `range(stop)`, `range(start, stop)` or `range(start, stop, step)` as Python counts; its length is paid for before it is made. */
export function rangeOf(given: Arguments): Value {
  const hasStart = given.positional.length > 1
  const start = hasStart ? given.wholeNumber(0, 'start', 0) : 0
  const stop = given.wholeNumber(hasStart ? 1 : 0, 'stop', 0)
  const step = given.wholeNumber(2, 'step', 1)
  if (step === 0) throw valueError('the step of `range` cannot be 0')
  const length = Math.max(0, Math.ceil((stop - start) / step))
  given.budget.spendList(length)
  return Array.from({ length }, (_, index) => start + index * step)
}
