import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'

const names = z.array(z.string()).max(200)

/** How entities and relationships that a model extracts must look. */
export const extractionSchema = z.strictObject({
  entities: z
    .strictObject({
      required_fields: names.default(['name', 'type']).describe('Required members of each entity.'),
      optional_fields: names.default([]).describe('Optional members.'),
      type_field: z.string().default('type').describe('The member with its type.'),
      types: names.default([]).describe('Allowed types; empty: any.'),
    })
    .prefault({}),
  relationships: z
    .strictObject({
      types: names.default([]).describe('Allowed types; empty: any.'),
      required_fields: names
        .default(['type', 'subject', 'object'])
        .describe('Required members of each.'),
      optional_fields: names.default([]).describe('Optional members.'),
      type_requirements: z
        .record(z.string(), names)
        .default({})
        .describe('Additional required members by type.'),
    })
    .prefault({}),
  guide_extraction: z
    .boolean()
    .optional()
    .describe('Accepted but not used here; validate.generate_prompt uses it.'),
  confidence_tracking: z
    .boolean()
    .default(false)
    .describe('Whether each must have a confidence from 0 to 1.'),
})

/** A schema for extractions. */
export type ExtractionSchema = z.output<typeof extractionSchema>

/** What is wrong with one of what was extracted. */
export type ExtractionError = {
  readonly error_type: string
  readonly message: string
  /** Which one, from 0. */
  readonly index: number
  readonly of: 'entity' | 'relationship'
  readonly field?: string
}

/** What is wrong with entities and relationships. */
export function extractionErrors(
  { entities: entityRules, relationships: rules, confidence_tracking: isTracked }: ExtractionSchema,
  entities: readonly JsonObject[],
  relationships: readonly JsonObject[],
): readonly ExtractionError[] {
  const sure = isTracked ? ['confidence'] : []
  return [
    ...entities.flatMap((entity, index) => [
      ...missing('entity', index, entity, [...entityRules.required_fields, ...sure]),
      ...wrongType('entity', index, entity[entityRules.type_field], entityRules.types),
    ]),
    ...relationships.flatMap((one, index) => {
      const type = typeof one.type === 'string' ? one.type : ''
      const more = Object.hasOwn(rules.type_requirements, type) ? rules.type_requirements[type] : []
      return [
        ...missing('relationship', index, one, [
          ...rules.required_fields,
          ...(more ?? []),
          ...sure,
        ]),
        ...wrongType('relationship', index, one.type, rules.types),
      ]
    }),
  ]
}

function missing(
  of: ExtractionError['of'],
  index: number,
  given: JsonObject,
  fields: readonly string[],
): readonly ExtractionError[] {
  return fields
    .filter((field) => !Object.hasOwn(given, field) || given[field] === null || given[field] === '')
    .map((field) => ({
      error_type: 'missing_required_field',
      message: `The ${of} ${index} has no ${field}.`,
      index,
      of,
      field,
    }))
}

function wrongType(
  of: ExtractionError['of'],
  index: number,
  type: Json | undefined,
  types: readonly string[],
): readonly ExtractionError[] {
  if (types.length === 0 || type === undefined || types.includes(String(type))) return []
  const message = `The ${of} ${index} is of the type ${JSON.stringify(type)}; there are: ${types.join(', ')}.`
  return [{ error_type: `invalid_${of}_type`, message, index, of }]
}

/** What to tell a model so that what it extracts fits. */
export function extractionPrompt({
  entities,
  relationships,
  confidence_tracking: isTracked,
}: ExtractionSchema): string {
  const lines = [
    'Extract the entities and relationships that the text states. Answer with JSON alone:',
    '{"entities": [{…}], "relationships": [{…}]}',
    '',
    `Each entity must have: ${entities.required_fields.join(', ')}.`,
    ...optional('An entity', entities.optional_fields),
    ...only(`The ${entities.type_field} of an entity`, entities.types),
    `Each relationship must have: ${relationships.required_fields.join(', ')}.`,
    ...optional('A relationship', relationships.optional_fields),
    ...only('The type of a relationship', relationships.types),
    ...Object.entries(relationships.type_requirements).map(
      ([type, fields]) =>
        `A relationship of the type ${type} must also have: ${fields.join(', ')}.`,
    ),
    ...(isTracked ? ['Each must say in "confidence" how sure it is, from 0 to 1.'] : []),
    'Add nothing that the text does not state.',
  ]
  return lines.join('\n')
}

function optional(whose: string, fields: readonly string[]): readonly string[] {
  return fields.length === 0 ? [] : [`${whose} may have: ${fields.join(', ')}.`]
}

function only(whose: string, types: readonly string[]): readonly string[] {
  return types.length === 0 ? [] : [`${whose} must be one of: ${types.join(', ')}.`]
}
