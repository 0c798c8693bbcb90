import * as z from 'zod'

/** A parameter of the format that means nothing here: it is passed over, and a check of the file says why. @param why as a part of a sentence */
export function unusedParam(why: string) {
  return z
    .json()
    .optional()
    .meta({ description: `Not used: ${why}.`, unused: why })
}

/** A parameter of the format without which its action would do something else than the file says: it is refused. @param why as a part of a sentence */
export function refusedParam(why: string) {
  return z
    .never({ error: why })
    .optional()
    .meta({ description: `Refused: ${why}.`, refused: why })
}

/** A JSON Schema of parameters without those that mean nothing here or are refused: as a model is shown it. */
export function usedParams<Schema extends { readonly properties?: unknown }>(
  schema: Schema,
): Schema {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return schema
  const used = Object.entries(properties as Readonly<Record<string, object>>).filter(
    ([, { unused, refused }]: [string, { unused?: unknown; refused?: unknown }]) =>
      unused === undefined && refused === undefined,
  )
  return { ...schema, properties: Object.fromEntries(used) }
}
