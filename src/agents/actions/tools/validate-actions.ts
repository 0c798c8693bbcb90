import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { doBounded } from '../../../tools/bounded/bounded-work.ts'
import type { ComposedAction, ToolAction } from '../action.ts'
import { defineComposedAction } from '../composed/composed-action.ts'
import { type CheckedInput, type FieldRule, type FieldRules, inputCheck } from './input-schema.ts'
import { defineToolAction } from './tool-action.ts'

/** Checks what models extract, and generates their instructions. */
export function validateActions(): readonly ToolAction[] {
  return [schemaAction(), extractionAction(), promptAction()]
}

const names = z.array(z.string()).max(200)

/** How extracted entities and relationships must look. */
const extractionSchema = z.strictObject({
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
type ExtractionSchema = z.output<typeof extractionSchema>

/** A problem with an extracted item. */
type ExtractionError = {
  readonly error_type: string
  readonly message: string
  /** Index of the item, starting at 0. */
  readonly index: number
  readonly of: 'entity' | 'relationship'
  readonly field?: string
}

/** Checks entities and relationships. */
function findExtractionErrors(
  { entities: entityRules, relationships: rules, confidence_tracking: isTracked }: ExtractionSchema,
  entities: readonly JsonObject[],
  relationships: readonly JsonObject[],
): readonly ExtractionError[] {
  const sure = isTracked ? ['confidence'] : []
  return [
    ...entities.flatMap((entity, index) => [
      ...missing('entity', index, entity, [...entityRules.required_fields, ...sure]),
      ...findWrongType('entity', index, entity[entityRules.type_field], entityRules.types),
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
        ...findWrongType('relationship', index, one.type, rules.types),
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

function findWrongType(
  of: ExtractionError['of'],
  index: number,
  type: Json | undefined,
  types: readonly string[],
): readonly ExtractionError[] {
  if (types.length === 0 || type === undefined || types.includes(String(type))) return []
  const message = `The ${of} ${index} is of the type ${JSON.stringify(type)}; there are: ${types.join(', ')}.`
  return [{ error_type: `invalid_${of}_type`, message, index, of }]
}

/** Instructions that make a model's extraction fit. */
function renderExtractionPrompt({
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

const timeoutMs = 2_000

const limit = z.int().min(0).optional()

const fieldRule: z.ZodType<FieldRule> = z.strictObject({
  type: z.enum(['str', 'int', 'float', 'bool', 'list', 'dict', 'any']).optional(),
  required: z.boolean().optional(),
  default: z.json().optional(),
  min_length: limit,
  max_length: limit,
  pattern: z
    .string()
    .max(1_000)
    .refine((pattern) => isPattern(pattern), 'is not a valid pattern')
    .optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  choices: z.array(z.json()).optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), fieldRule).optional()
  },
  get items() {
    return fieldRule.optional()
  },
})

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const rules = z
  .record(z.string(), fieldRule)
  .describe(
    'Fields by name, each with type (str, int, float, bool, list, dict), required, default, min, max, min_length, max_length, pattern, choices, properties, items.',
  )

const inputParams = z.strictObject({
  data: z.record(z.string(), z.json()).optional().describe('The values; by default the state.'),
  schema: rules,
  raise_on_error: z.boolean().default(false).describe('Whether invalid values end the run.'),
})

/** Checks input values or results of a file; by default its state. */
export function validateInputAction(): ComposedAction {
  return defineComposedAction({
    name: 'validate.input',
    description:
      'Validates values against field rules, fills in defaults, and converts numeric text to numbers.',
    params: inputParams,
    result:
      '{valid: true, data} or {valid: false, data, errors: [{field, error, message, value, constraint}]}',
    async run(params, { state, context }): Promise<Json> {
      const { data = state, schema, raise_on_error: raises } = params
      const checked = await checkWithinTime(context, schema, data as JsonObject)
      if (raises && checked.errors.length > 0) throw invalid(checked)
      return toOutcome(checked)
    },
  })
}

/** @throws `invalid_input` for patterns that take too long */
function checkWithinTime(
  context: RunContext,
  schema: FieldRules,
  data: JsonObject,
): Promise<CheckedInput> {
  return context.step('check', 'pure', { schema, data }, async ({ signal }) => {
    const checked = await doBounded(inputCheck, [schema, data], { timeoutMs, signal })
    if (!checked.ok) throw tooSlow()
    return checked.value
  })
}

function toOutcome({ data, errors }: CheckedInput): JsonObject {
  return errors.length === 0 ? { valid: true, data } : { valid: false, data, errors }
}

function tooSlow(): ScholiumError {
  return new ScholiumError('invalid_input', `The check took longer than ${timeoutMs} ms.`, {
    hint: 'Look for a pattern with nested repetitions, such as (a+)+.',
  })
}

function invalid({ errors }: CheckedInput): ScholiumError {
  const told = errors.map(({ message }) => message).join('; ')
  return new ScholiumError('invalid_input', `Invalid values: ${told}`, {
    details: { errors },
  })
}

function schemaAction(): ToolAction {
  return defineToolAction({
    name: 'validate.schema',
    description: 'Checks that field rules are valid for validate.input, and returns them.',
    input: z.strictObject({ schema: rules }),
    effect: 'pure',
    result: '{schema, fields, required, success}',
    async execute({ schema }): Promise<Json> {
      const required = Object.entries(schema).flatMap(([name, rule]) =>
        rule.required === true ? [name] : [],
      )
      return { schema: schema as JsonObject, fields: Object.keys(schema), required, success: true }
    },
  })
}

function extractionAction(): ToolAction {
  return defineToolAction({
    name: 'validate.extraction',
    description:
      'Checks that entities and relationships meet the schema, without a model or Prolog rules.',
    input: z.strictObject({
      entities: z
        .array(z.record(z.string(), z.json()))
        .default([])
        .describe('The extracted entities, as maps.'),
      relationships: z
        .array(z.record(z.string(), z.json()))
        .default([])
        .describe('The extracted relationships, as maps.'),
      extraction_schema: extractionSchema.prefault({}).describe('Required members of each.'),
      source_text: z
        .string()
        .max(2_000_000)
        .optional()
        .describe('The text; entity names that do not occur in it cause warnings.'),
    }),
    effect: 'pure',
    result: '{valid, errors: [{error_type, message, index, of, field}], warnings, success}',
    async execute({
      entities,
      relationships,
      extraction_schema: schema,
      source_text: text,
    }): Promise<Json> {
      const errors = findExtractionErrors(schema, entities, relationships)
      const warnings = text === undefined ? [] : omitUnseen(entities, text)
      return { valid: errors.length === 0, errors, warnings, success: true }
    },
  })
}

function omitUnseen(entities: readonly JsonObject[], text: string): readonly string[] {
  const words = text.toLowerCase()
  return entities.flatMap(({ name }) =>
    typeof name === 'string' && !words.includes(name.toLowerCase())
      ? [`${JSON.stringify(name)} does not occur in the text.`]
      : [],
  )
}

function promptAction(): ToolAction {
  return defineToolAction({
    name: 'validate.generate_prompt',
    description: 'Writes instructions that tell a model to extract data matching a schema.',
    input: z.strictObject({
      extraction_schema: extractionSchema.prefault({}).describe('Required members of each.'),
    }),
    effect: 'pure',
    result: '{prompt, success}',
    async execute({ extraction_schema: schema }): Promise<Json> {
      return { prompt: renderExtractionPrompt(schema), success: true }
    },
  })
}
