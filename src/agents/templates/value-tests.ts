import { isJsonObject } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { operators } from './operators.ts'
import { valueError } from './template-error.ts'
import { describeKind, isList, isTruthy, toNumber, type Value } from './value.ts'

type Test = (value: Value, given: Arguments) => boolean

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null || value === undefined],
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['integer', (value) => Number.isInteger(value)],
  ['float', (value) => typeof value === 'number' && !Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['mapping', (value) => isJsonObject(value)],
  ['sequence', (value) => isList(value) || typeof value === 'string' || isJsonObject(value)],
  ['iterable', (value) => isList(value) || typeof value === 'string' || isJsonObject(value)],
  ['odd', (value) => Math.abs(requireWhole(value, 'odd') % 2) === 1],
  ['even', (value) => requireWhole(value, 'even') % 2 === 0],
  [
    'divisibleby',
    (value, given) => requireWhole(value, 'divisibleby') % given.wholeNumber(0, 'num', 1) === 0,
  ],
  ['lower', (value) => typeof value === 'string' && value === value.toLowerCase()],
  ['upper', (value) => typeof value === 'string' && value === value.toUpperCase()],
  ...comparison('==', 'eq', 'equalto'),
  ...comparison('!=', 'ne'),
  ...comparison('<', 'lt', 'lessthan'),
  ...comparison('<=', 'le'),
  ...comparison('>', 'gt', 'greaterthan'),
  ...comparison('>=', 'ge'),
  ...comparison('in'),
])

/** Whether there is a test of this name. */
export function isTest(name: string): boolean {
  return tests.has(name)
}

/** Names of all tests. */
export function testNames(): readonly string[] {
  return [...tests.keys()]
}

/**
 * Whether a value passes the named test; without a name, whether it is true. @throws {@link ScholiumError}
 * `template_failed` for an unknown test
 */
export function passes(value: Value, name: string | undefined, given: Arguments): boolean {
  given.budget.spend(typeof value === 'string' ? 1 + value.length / 100 : 1)
  if (name === undefined) return isTruthy(value, given.budget)
  const test = tests.get(name)
  if (test === undefined) {
    throw valueError('unknown test', `Tests are ${testNames().join(', ')}.`)
  }
  return test(value, given)
}

function comparison(operator: string, ...aliases: readonly string[]): readonly [string, Test][] {
  const operate = operators.get(operator)
  const test: Test = (value, given) =>
    isTruthy(operate?.(value, given.value(0, 'other'), given.budget), given.budget)
  return [operator, ...aliases].map((name) => [name, test])
}

function requireWhole(value: Value, test: string): number {
  const number = toNumber(value)
  if (number !== undefined && Number.isInteger(number)) return number
  throw valueError(`the test \`${test}\` needs a whole number, not ${describeKind(value)}`)
}
