import { extname } from 'node:path'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { BoundedWork } from '../../../tools/bounded/bounded-work.ts'
import { getType, isSame } from './json-values.ts'

/** Requirements of a field. */
export type FieldRule = {
  readonly type?: 'str' | 'int' | 'float' | 'bool' | 'list' | 'dict' | 'any' | undefined
  readonly required?: boolean | undefined
  readonly default?: Json | undefined
  readonly min_length?: number | undefined
  readonly max_length?: number | undefined
  readonly pattern?: string | undefined
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly choices?: readonly Json[] | undefined
  readonly properties?: FieldRules | undefined
  readonly items?: FieldRule | undefined
}

/** Fields by name. */
export type FieldRules = {
  readonly [name: string]: FieldRule
}

/** A requirement that a field violates. */
export type FieldError = {
  readonly field: string
  readonly error: string
  readonly message: string
  readonly value?: Json
  readonly constraint?: Json
}

/** The values with defaults and conversions applied, and what is wrong with them. */
export type CheckedInput = {
  readonly data: JsonObject
  readonly errors: readonly FieldError[]
}

/** {@link checkInput} as bounded work, since patterns may backtrack forever. */
export const inputCheck: BoundedWork<[FieldRules, JsonObject], CheckedInput> = {
  run: checkInput,
  script: new URL(`./action-thread${extname(import.meta.url)}`, import.meta.url),
  name: 'checkInput',
}

/** Checks values against field rules. Text is converted to a number or boolean where one is required. */
export function checkInput(rules: FieldRules, given: JsonObject, prefix = ''): CheckedInput {
  const data = new Map<string, Json | undefined>(Object.entries(given))
  const errors: FieldError[] = []
  for (const [name, rule] of Object.entries(rules)) {
    const field = `${prefix}${name}`
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value === null) {
      if (rule.default !== undefined) data.set(name, rule.default)
      else if (rule.required === true)
        errors.push({ field, error: 'required', message: `Field '${field}' is required` })
      continue
    }
    const checked = checkValue(rule, value, field)
    data.set(name, checked.value)
    errors.push(...checked.errors)
  }
  return { data: Object.fromEntries(data), errors }
}

interface CheckedValue {
  readonly value: Json
  readonly errors: readonly FieldError[]
}

function checkValue(rule: FieldRule, given: Json, field: string): CheckedValue {
  const value =
    rule.type === undefined || rule.type === 'any' ? given : coerceValue(rule.type, given)
  if (value === undefined) {
    const message = `Field '${field}' must be of type ${rule.type}`
    return {
      value: given,
      errors: [{ field, error: 'type', message, value: given, constraint: rule.type ?? null }],
    }
  }
  const errors = findBrokenLimits(rule, value).map(([error, constraint, says]) => ({
    field,
    error,
    message: `Field '${field}' must ${says}`,
    value,
    constraint,
  }))
  if (isJsonObject(value) && rule.properties !== undefined) {
    const inner = checkInput(rule.properties, value, `${field}.`)
    return { value: inner.data, errors: [...errors, ...inner.errors] }
  }
  if (!Array.isArray(value) || rule.items === undefined) return { value, errors }
  const { items } = rule
  const checked = (value as readonly Json[]).map((item, index) =>
    checkValue(items, item, `${field}[${index}]`),
  )
  return {
    value: checked.map((one) => one.value),
    errors: [...errors, ...checked.flatMap((one) => one.errors)],
  }
}

/** Converts a value to a type; `undefined` if it cannot be. */
function coerceValue(type: NonNullable<FieldRule['type']>, value: Json): Json | undefined {
  const isNumber =
    typeof value === 'number' ||
    (typeof value === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value))
  if (type === 'int') return isNumber && Number.isInteger(Number(value)) ? Number(value) : undefined
  if (type === 'float') return isNumber ? Number(value) : undefined
  if (type === 'bool') {
    if (typeof value === 'boolean') return value
    return value === 'true' || value === 'false' ? value === 'true' : undefined
  }
  const wanted = { str: 'string', list: 'array', dict: 'object' }[type as 'str' | 'list' | 'dict']
  return getType(value) === wanted ? value : undefined
}

type BrokenLimit = readonly [error: string, constraint: Json, says: string]

function findBrokenLimits(rule: FieldRule, value: Json): readonly BrokenLimit[] {
  const broken: BrokenLimit[] = []
  const { min_length: least, max_length: most, pattern, min, max, choices } = rule
  const length = typeof value === 'string' || Array.isArray(value) ? value.length : undefined
  if (length !== undefined && least !== undefined && length < least)
    broken.push(['min_length', least, `have a length of at least ${least}`])
  if (length !== undefined && most !== undefined && length > most)
    broken.push(['max_length', most, `have a length of at most ${most}`])
  if (typeof value === 'string' && pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    broken.push(['pattern', pattern, `match pattern ${pattern}`])
  if (typeof value === 'number' && min !== undefined && value < min)
    broken.push(['min', min, `be at least ${min}`])
  if (typeof value === 'number' && max !== undefined && value > max)
    broken.push(['max', max, `be at most ${max}`])
  if (choices !== undefined && !choices.some((choice) => isSame(choice, value)))
    broken.push(['choices', choices as Json, `be one of ${JSON.stringify(choices)}`])
  return broken
}
