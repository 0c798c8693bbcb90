import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Action } from '../actions/action.ts'
import type { Templates } from '../templates/templates.ts'

/** Parameters after their templates were filled in. */
export interface Filled {
  /** As the log may hold them. */
  readonly shown: JsonObject
  /** With the secrets themselves. */
  revealed(): JsonObject
}

/**
 * Parameters in the form that the action wants where a template gave another: a text for a number, a truth, a list or a map, as
 * it would be among other words; a number for its text, as the environment has it; null counts as absent where it cannot be.
 * What is missing stays so.
 */
export function fitParams({ params }: Action, filled: Filled, templates: Templates): Filled {
  const parsed = params.safeParse(filled.shown)
  if (parsed.success) return filled
  const { issues } = parsed.error
  const wanted = (type: string) =>
    issues.flatMap((issue) =>
      issue.code === 'invalid_type' && issue.expected === type ? [issue.path.map(String)] : [],
    )
  const [texts, numbers] = [wanted('string'), wanted('number')]
  const absent = issues.flatMap(({ path: [key, ...rest] }) =>
    rest.length === 0 && filled.shown[String(key)] === null ? [String(key)] : [],
  )
  if (texts.length + numbers.length + absent.length === 0) return filled
  const inForm = (given: JsonObject) => {
    const named = Object.entries(given).filter(([key]) => !absent.includes(key))
    const asTexts = texts.reduce<Json>(
      (all, path) => withText(all, path, templates),
      Object.fromEntries(named) as JsonObject,
    )
    return numbers.reduce(withNumber, asTexts as JsonObject)
  }
  return { shown: inForm(filled.shown), revealed: () => inForm(filled.revealed()) }
}

function withNumber(params: JsonObject, [key = '', inner]: readonly string[]): JsonObject {
  const { [key]: text } = params
  if (inner !== undefined || typeof text !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(text))
    return params
  return { ...params, [key]: Number(text) }
}

function withText(value: Json, [key, ...rest]: readonly string[], templates: Templates): Json {
  if (key === undefined) return value === null ? null : templates.evaluate('"" ~ value', { value })
  if (Array.isArray(value))
    return value.map((item, index) => (`${index}` === key ? withText(item, rest, templates) : item))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: withText((value as JsonObject)[key] ?? null, rest, templates) }
}
