import { findNearest } from '../../kernel/text/nearest.ts'
import type { AgentDocument } from './agent-document.ts'
import type { Report } from './checks.ts'
import { isMap, type PlainMap } from './prune.ts'

/** Keywords of JSON Schema. @see https://json-schema.org/draft/2020-12 */
const keywords = (
  '$schema $id $ref $defs $comment $anchor $dynamicRef $dynamicAnchor $vocabulary type properties required items prefixItems ' +
  'contains minContains maxContains enum const title description default examples deprecated readOnly writeOnly format pattern ' +
  'minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems uniqueItems ' +
  'minProperties maxProperties patternProperties additionalProperties propertyNames dependentRequired dependentSchemas ' +
  'unevaluatedProperties unevaluatedItems allOf anyOf oneOf not if then else contentEncoding contentMediaType contentSchema ' +
  'definitions dependencies'
).split(' ')

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** Names of types in other languages. */
const otherNames: Readonly<Record<string, string>> = {
  str: 'string',
  text: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
  dict: 'object',
  map: 'object',
  list: 'array',
}

/** Checks the form of `input_schema` for mistakes that would accept or refuse every input. */
export function checkInputSchema({ inputSchema }: AgentDocument, report: Report): void {
  if (inputSchema !== undefined) checkSchemaAt(inputSchema, ['input_schema'], report)
}

function checkSchemaAt(schema: PlainMap, path: readonly string[], report: Report): void {
  const error = { code: 'INVALID_TYPE', severity: 'error' } as const
  const { type, properties, required, items } = schema
  for (const key of Object.keys(schema)) {
    if (keywords.includes(key) || key.startsWith('x-')) continue
    const meant = findNearest(key, keywords)
    const form = `An input_schema is {type: object, properties: {${key}: {type: string}}, required: [${key}]}.`
    const hint = meant === undefined || isMap(schema[key]) ? form : `Did you mean "${meant}"?`
    const message = `"${key}" of ${path.join('.')} is not a JSON Schema keyword`
    report({ ...error, message, hint, path: [...path, key] })
  }
  for (const name of Array.isArray(type) ? type : type === undefined ? [] : [type]) {
    if (types.includes(name)) continue
    const meant = otherNames[String(name)] ?? findNearest(String(name), types)
    const hint = meant === undefined ? `Types: ${types.join(', ')}.` : `Did you mean ${meant}?`
    const message = `${JSON.stringify(name)} is not a JSON Schema type`
    report({ ...error, message, hint, path: [...path, 'type'] })
  }
  if (required !== undefined && !isListOfTexts(required)) {
    const message = `required of ${path.join('.')} must be a list of keys`
    const hint = 'Put it next to properties, as in required: [topic].'
    report({ ...error, message, hint, path: [...path, 'required'] })
  }
  checkParts(properties, [...path, 'properties'], report)
  if (isMap(items)) checkSchemaAt(items, [...path, 'items'], report)
}

function checkParts(properties: unknown, path: readonly string[], report: Report): void {
  if (properties === undefined) return
  if (!isMap(properties)) {
    const message = `${path.join('.')} must be a map of keys to schemas`
    report({ code: 'INVALID_TYPE', severity: 'error', message, path })
    return
  }
  for (const [key, schema] of Object.entries(properties)) {
    const at = [...path, key]
    if (isMap(schema)) checkSchemaAt(schema, at, report)
    else if (typeof schema !== 'boolean') {
      const message = `${at.join('.')} must be a schema`
      const hint = 'Write it as {type: string}.'
      report({ code: 'INVALID_TYPE', severity: 'error', message, hint, path: at })
    }
  }
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
