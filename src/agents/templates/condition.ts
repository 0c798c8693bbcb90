import { isList, isObject, type Value } from './value.ts'

/** A condition taken apart: what is asked, and whether the answer is turned round. */
export type Condition =
  | { readonly kind: 'key'; readonly key: string; readonly isNegated: boolean }
  | {
      readonly kind: 'template' | 'expression'
      readonly source: string
      readonly isNegated: boolean
      /** Where `source` starts in the condition. */
      readonly offset: number
    }

const falseWords: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'none'])

/**
 * Whether a condition's value holds. One rule for all conditions: `""`, `"false"`, `"0"`, `"no"` and `"none"` in any case and
 * with white space around, false, 0, null, the empty list and the empty object do not.
 */
export function holds(value: Value): boolean {
  if (typeof value === 'string') return !falseWords.has(value.trim().toLowerCase())
  if (isList(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/**
 * What a condition asks: a bare name asks for the key of the state, `!` before anything turns it round, text with `{{` or
 * `{%` is a template, all else is an expression. `True`, `False` and their like are expressions.
 */
export function readCondition(condition: string): Condition {
  let start = 0
  let isNegated = false
  while (/[\s!]/.test(condition[start] ?? '')) {
    if (condition[start] === '!') isNegated = !isNegated
    start++
  }
  const source = condition.slice(start).trimEnd()
  if (/^[A-Za-z_]\w*$/.test(source) && !/^(true|false|none|null)$/i.test(source)) {
    return { kind: 'key', key: source, isNegated }
  }
  const isTemplate = source.includes('{{') || source.includes('{%')
  return { kind: isTemplate ? 'template' : 'expression', source, isNegated, offset: start }
}
