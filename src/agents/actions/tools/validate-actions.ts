import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { doBounded } from '../../../tools/bounded/bounded-work.ts'
import type { ComposedAction, ToolAction } from '../action.ts'
import { extractionErrors, extractionPrompt, extractionSchema } from './extraction.ts'
import { type CheckedInput, type FieldRule, type FieldRules, inputCheck } from './input-schema.ts'
import { toolAction } from './tool-action.ts'

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

/** Checks the values that a file was given, or has made: by default its state. */
export function validateInputAction(): ComposedAction {
  return {
    kind: 'composed',
    name: 'validate.input',
    description:
      'Validates values against field rules, fills in defaults, and converts numeric text to numbers.',
    params: inputParams,
    result:
      '{valid: true, data} or {valid: false, data, errors: [{field, error, message, value, constraint}]}',
    async run(params, { state, context }): Promise<Json> {
      const {
        data = state,
        schema,
        raise_on_error: raises,
      } = params as unknown as z.output<typeof inputParams>
      const checked = await checkInTime(context, schema, data as JsonObject)
      if (raises && checked.errors.length > 0) throw invalid(checked)
      return outcomeOf(checked)
    },
  }
}

/** @throws `invalid_input` for patterns that take too long */
function checkInTime(
  context: RunContext,
  schema: FieldRules,
  data: JsonObject,
): Promise<CheckedInput> {
  return context.step('check', 'pure', { schema, data } as unknown as Json, async ({ signal }) => {
    const checked = await doBounded(inputCheck, [schema, data], { timeoutMs, signal })
    if (!checked.ok) throw tooSlow()
    return checked.value
  })
}

function outcomeOf({ data, errors }: CheckedInput): JsonObject {
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

/** Checks what models extracted, and says how they are to do it. */
export function validateActions(): readonly ToolAction[] {
  return [schemaAction(), extractionAction(), promptAction()]
}

function schemaAction(): ToolAction {
  return toolAction({
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
  return toolAction({
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
      const errors = extractionErrors(schema, entities, relationships)
      const warnings = text === undefined ? [] : unseen(entities, text)
      return { valid: errors.length === 0, errors, warnings, success: true }
    },
  })
}

function unseen(entities: readonly JsonObject[], text: string): readonly string[] {
  const words = text.toLowerCase()
  return entities.flatMap(({ name }) =>
    typeof name === 'string' && !words.includes(name.toLowerCase())
      ? [`${JSON.stringify(name)} does not occur in the text.`]
      : [],
  )
}

function promptAction(): ToolAction {
  return toolAction({
    name: 'validate.generate_prompt',
    description: 'Writes instructions that tell a model to extract data matching a schema.',
    input: z.strictObject({
      extraction_schema: extractionSchema.prefault({}).describe('Required members of each.'),
    }),
    effect: 'pure',
    result: '{prompt, success}',
    async execute({ extraction_schema: schema }): Promise<Json> {
      return { prompt: extractionPrompt(schema), success: true }
    },
  })
}
