import type { Json } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { valueError } from './template-error.ts'
import {
  areEqual,
  compareValues,
  countCharacters,
  describeKind,
  getMember,
  isList,
  splitCharacters,
  toNumber,
  toText,
  type Value,
} from './value.ts'

const addNumbers = arithmetic('+', (a, b) => a + b)
const multiplyNumbers = arithmetic('*', (a, b) => a * b)

/** A binary operator. */
export type Operate = (left: Value, right: Value, budget: Budget) => Value

/** Binary operators except `and` and `or`, which do not always evaluate their right side. */
export const operators: ReadonlyMap<string, Operate> = new Map<string, Operate>([
  ['==', areEqual],
  ['!=', (left, right, budget) => !areEqual(left, right, budget)],
  ['<', (left, right, budget) => compareValues(left, right, budget) < 0],
  ['<=', (left, right, budget) => compareValues(left, right, budget) <= 0],
  ['>', (left, right, budget) => compareValues(left, right, budget) > 0],
  ['>=', (left, right, budget) => compareValues(left, right, budget) >= 0],
  ['in', isIn],
  ['not in', (left, right, budget) => !isIn(left, right, budget)],
  ['~', (left, right, budget) => concatenate(toText(left, budget), toText(right, budget), budget)],
  ['+', plus],
  ['*', times],
  ['-', arithmetic('-', (a, b) => a - b)],
  ['/', arithmetic('/', (a, b) => a / nonZero(b))],
  ['//', arithmetic('//', (a, b) => Math.floor(a / nonZero(b)))],
  ['%', arithmetic('%', (a, b) => a - b * Math.floor(a / nonZero(b)))],
  ['**', arithmetic('**', (a, b) => a ** b)],
])

/** Whether a list contains the item, an object the key, or a text the substring; nothing contains nothing. */
export function isIn(item: Value, container: Value, budget: Budget): boolean {
  if (container === undefined || container === null) return false
  if (isList(container)) return container.some((other) => areEqual(item, other, budget))
  if (isJsonObject(container)) return getMember(container, item) !== undefined
  if (typeof container === 'string' && typeof item === 'string') {
    budget.spendSearch(container.length, item.length)
    return container.includes(item)
  }
  throw valueError(`\`in\` cannot look for ${describeKind(item)} in ${describeKind(container)}`)
}

/** `-value` or `+value`. */
export function negate(sign: string, value: Value): Value {
  const number = toNumber(value)
  if (number === undefined)
    throw valueError(`\`${sign}\` needs a number, not ${describeKind(value)}`)
  return sign === '-' ? 0 - number : number
}

/**
 * Items or characters from `start` to `stop` with a step, as in Python. @see
 * https://docs.python.org/3/library/stdtypes.html#common-sequence-operations
 */
export function slice(
  value: Value,
  bounds: { readonly start: Value; readonly stop: Value; readonly step: Value },
  budget: Budget,
): Value {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' && !isList(value)) {
    throw valueError(`a slice needs text or a list, not ${describeKind(value)}`)
  }
  budget.spend(1 + value.length / 100)
  const step = clampIndex(bounds.step) ?? 1
  if (step === 0) throw valueError('the step of a slice cannot be 0')
  if (step === 1) {
    const start = clampIndex(bounds.start)
    const stop = clampIndex(bounds.stop)
    if (isList(value)) return value.slice(start, stop)
    const isPlain = countCharacters(value) === value.length
    return isPlain ? value.slice(start, stop) : splitCharacters(value).slice(start, stop).join('')
  }
  const items: readonly Json[] = isList(value) ? value : splitCharacters(value)
  const picked = getItem(items, clampIndex(bounds.start), clampIndex(bounds.stop), step)
  return isList(value) ? picked : picked.join('')
}

function getItem(
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

function clampIndex(value: Value): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && Number.isInteger(value)) return value
  throw valueError(`the bounds of a slice are whole numbers, not ${describeKind(value)}`)
}

function concatenate(left: string, right: string, budget: Budget): string {
  budget.spendText(left.length + right.length)
  return left + right
}

function plus(left: Value, right: Value, budget: Budget): Value {
  if (typeof left === 'string' && typeof right === 'string') return concatenate(left, right, budget)
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
  const count = Math.max(0, Math.trunc(toNumber(right) ?? Number.NaN))
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
    const a = toNumber(left)
    const b = toNumber(right)
    if (a === undefined || b === undefined) {
      throw valueError(
        `\`${operator}\` cannot join ${describeKind(left)} and ${describeKind(right)}`,
        'Join text with `~`; give a missing value a default, as in `state.count | default(0)`.',
      )
    }
    const result = compute(a, b)
    if (Number.isFinite(result)) return result
    throw valueError(`\`${operator}\` does not give a finite number here`)
  }
}

function nonZero(divisor: number): number {
  if (divisor === 0) throw valueError('it divides by zero')
  return divisor
}
