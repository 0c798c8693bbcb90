import type { Json } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { valueError } from './template-error.ts'
import {
  areEqual,
  charactersOf,
  isList,
  kindOf,
  lengthOfText,
  memberOf,
  numberOf,
  order,
  textOf,
  type Value,
} from './value.ts'

const addNumbers = arithmetic('+', (a, b) => a + b)
const multiplyNumbers = arithmetic('*', (a, b) => a * b)

/** What an operator of two operands gives. */
export type Operate = (left: Value, right: Value, budget: Budget) => Value

/** The operators of two operands other than `and` and `or`, which do not always read their right side. */
export const operators: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  ['==', areEqual],
  ['!=', (left, right, budget) => !areEqual(left, right, budget)],
  ['<', (left, right, budget) => order(left, right, budget) < 0],
  ['<=', (left, right, budget) => order(left, right, budget) <= 0],
  ['>', (left, right, budget) => order(left, right, budget) > 0],
  ['>=', (left, right, budget) => order(left, right, budget) >= 0],
  ['in', isIn],
  ['not in', (left, right, budget) => !isIn(left, right, budget)],
  ['~', (left, right, budget) => concatenated(textOf(left, budget), textOf(right, budget), budget)],
  ['+', plus],
  ['*', times],
  ['-', arithmetic('-', (a, b) => a - b)],
  ['/', arithmetic('/', (a, b) => a / nonZero(b))],
  ['//', arithmetic('//', (a, b) => Math.floor(a / nonZero(b)))],
  ['%', arithmetic('%', (a, b) => a - b * Math.floor(a / nonZero(b)))],
  ['**', arithmetic('**', (a, b) => a ** b)],
])

/** Whether a list has the item, an object the key, or text the part; in nothing there is nothing. */
export function isIn(item: Value, container: Value, budget: Budget): boolean {
  if (container === undefined || container === null) return false
  if (isList(container)) return container.some((other) => areEqual(item, other, budget))
  if (isJsonObject(container)) return memberOf(container, item) !== undefined
  if (typeof container === 'string' && typeof item === 'string') {
    budget.spendSearch(container.length, item.length)
    return container.includes(item)
  }
  throw valueError(`\`in\` cannot look for ${kindOf(item)} in ${kindOf(container)}`)
}

/** `-value` or `+value`. */
export function signed(sign: string, value: Value): Value {
  const number = numberOf(value)
  if (number === undefined) throw valueError(`\`${sign}\` needs a number, not ${kindOf(value)}`)
  return sign === '-' ? 0 - number : number
}

/** The items or characters from `start` up to `stop`, every `step`th, as Python slices. @see https://docs.python.org/3/library/stdtypes.html#common-sequence-operations */
export function slice(
  value: Value,
  bounds: { readonly start: Value; readonly stop: Value; readonly step: Value },
  budget: Budget,
): Value {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && !isList(value)) {
    throw valueError(`a slice needs text or a list, not ${kindOf(value)}`)
  }
  budget.spend(1 + value.length / 100)
  const step = bound(bounds.step) ?? 1
  if (step === 0) throw valueError('the step of a slice cannot be 0')
  if (step === 1) {
    const start = bound(bounds.start)
    const stop = bound(bounds.stop)
    if (isList(value)) return value.slice(start, stop)
    const isPlain = lengthOfText(value) === value.length
    return isPlain ? value.slice(start, stop) : charactersOf(value).slice(start, stop).join('')
  }
  const items: readonly Json[] = isList(value) ? value : charactersOf(value)
  const picked = pick(items, bound(bounds.start), bound(bounds.stop), step)
  return isList(value) ? picked : picked.join('')
}

function pick(
  items: readonly Json[],
  start: number | undefined,
  stop: number | undefined,
  step: number,
): readonly Json[] {
  const { length } = items
  const lowest = step > 0 ? 0 : -1
  const highest = step > 0 ? length : length - 1
  const place = (at: number): number =>
    Math.min(highest, Math.max(lowest, at < 0 ? at + length : at))
  const first = start === undefined ? (step > 0 ? lowest : highest) : place(start)
  const end = stop === undefined ? (step > 0 ? highest : lowest) : place(stop)
  const picked: Json[] = []
  for (let at = first; step > 0 ? at < end : at > end; at += step) picked.push(items[at] as Json)
  return picked
}

function bound(value: Value): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw valueError(`the bounds of a slice are whole numbers, not ${kindOf(value)}`)
}

function concatenated(left: string, right: string, budget: Budget): string {
  budget.spendText(left.length + right.length)
  return left + right
}

function plus(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'string' && typeof right === 'string')
    return concatenated(left, right, budget)
  if (isList(left) && isList(right)) {
    budget.spendList(left.length + right.length)
    return [...left, ...right]
  }
  return addNumbers(left, right, budget)
}

function times(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'number' && (typeof right === 'string' || isList(right))) {
    return times(right, left, budget)
  }
  const count = Math.max(0, Math.trunc(numberOf(right) ?? Number.NaN))
  if (Number.isNaN(count) || (typeof left !== 'string' && !isList(left))) {
    return multiplyNumbers(left, right, budget)
  }
  if (left.length === 0) return left
  if (typeof left === 'string') {
    budget.spendText(left.length * count)
    return left.repeat(count)
  }
  budget.spendList(left.length * count)
  return Array.from({ length: count }, () => left).flat()
}

function arithmetic(operator: string, compute: (a: number, b: number) => number): Operate {
  return (left, right) => {
    const a = numberOf(left)
    const b = numberOf(right)
    if (a === undefined || b === undefined) {
      throw valueError(
        `\`${operator}\` cannot join ${kindOf(left)} and ${kindOf(right)}`,
        'Join texts with `~`; give a missing value a default, as in `state.count | default(0)`.',
      )
    }
    const result = compute(a, b)
    if (Number.isFinite(result)) return result
    throw valueError(`\`${operator}\` gives no finite number here`)
  }
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw valueError('it divides by zero')
  return divisor
}
