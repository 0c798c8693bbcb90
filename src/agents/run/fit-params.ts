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
 * Parameters with a text wherever the action wants one and a template gave a number, a truth, a list or a map: the text that
 * it would be among other words. What is missing stays so.
 */
export function fitParams({ params }: Action, filled: Filled, templates: Templates): Filled {
  const parsed = params.safeParse(filled.shown)
  if (parsed.success) return filled
  const paths = parsed.error.issues.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.expected === 'string' ? [issue.path.map(String)] : [],
  )
  if (paths.length === 0) return filled
  const asTexts = (given: JsonObject) =>
    paths.reduce((all, path) => withText(all, path, templates) as JsonObject, given)
  return { shown: asTexts(filled.shown), revealed: () => asTexts(filled.revealed()) }
}

function withText(value: Json, [key, ...rest]: readonly string[], templates: Templates): Json {
  if (key === undefined) return value === null ? null : templates.evaluate('"" ~ value', { value })
  if (Array.isArray(value))
    return value.map((item, index) => (`${index}` === key ? withText(item, rest, templates) : item))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: withText((value as JsonObject)[key] ?? null, rest, templates) }
}
