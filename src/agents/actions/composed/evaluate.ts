import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { askStructured } from '../../../reasoning/ask-structured.ts'
import { parseStructured } from '../../../reasoning/structured.ts'
import type { ActionCall } from '../action.ts'
import { anyJson, schemaProblems } from './ask-model.ts'
import { toText } from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import { modelParams } from './model-params.ts'
import { runInlineWork } from './written-work.ts'

/** What judges an output: a JSON Schema, a model, or code, an action or a node of the file. */
export const evaluatorParams = {
  schema: z
    .record(z.string(), z.json())
    .nullish()
    .describe('For type schema: the JSON Schema that the output must match.'),
  prompt: z
    .string()
    .nullish()
    .describe(
      'For type llm: what the model should check; {{ state.reflection_output }} is the output.',
    ),
  examples: z
    .array(z.looseObject({ input: z.json(), output: z.json() }))
    .nullish()
    .describe('For type llm: example outputs with judgements.'),
  run: z
    .string()
    .nullish()
    .describe(
      'For type custom: code that reads the variable output and returns a boolean, a score from 0 to 1, or {valid, score, errors, suggestions}.',
    ),
  language: z.string().nullish().describe('For type custom: python, lua, prolog or javascript.'),
  action: z.string().nullish().describe('For type custom: an action instead of code.'),
  with: z
    .record(z.string(), z.json())
    .nullish()
    .describe('For type custom: the parameters of the action.'),
  node: z.string().nullish().describe('For type custom: a node instead of code.'),
  ...modelParams,
}

/** The kinds of {@link evaluatorParams}. */
export const evaluatorTypes = ['schema', 'llm', 'custom'] as const

/** An evaluator. */
export type Evaluator = { readonly type: (typeof evaluatorTypes)[number] } & Partial<
  z.output<z.ZodObject<typeof evaluatorParams>>
>

/** A judgement. */
export interface Verdict {
  readonly valid: boolean
  /** 0 to 1. */
  readonly score: number
  readonly errors: readonly Json[]
  readonly suggestions: readonly Json[]
  /** The judged output; if it is JSON text, the parsed value. */
  readonly output: Json
}

/** A verdict as data. */
export function verdictJson({ valid, score, errors, suggestions }: Verdict): JsonObject {
  return { valid, score, errors, suggestions }
}

/**
 * Judges an output. Once per context.
 * @throws `model_output_malformed` if the model gives no verdict, and what code and actions throw
 */
export function evaluate(
  call: ActionCall,
  context: RunContext,
  evaluator: Evaluator,
  output: Json,
  providers: Providers,
): Promise<Verdict> {
  switch (evaluator.type) {
    case 'schema':
      return evaluateBySchema(context, evaluator.schema ?? {}, output)
    case 'llm':
      return evaluateByModel(call, context, evaluator, output, providers)
    case 'custom':
      return evaluateByWork(call, context, evaluator, output)
  }
}

async function evaluateBySchema(
  context: RunContext,
  schema: JsonObject,
  output: Json,
): Promise<Verdict> {
  const value =
    typeof output === 'string' && schema.type !== 'string' ? findJsonValue(output) : output
  const problems = await schemaProblems(context, 'schema', schema, value)
  const valid = problems.length === 0
  const suggestions = problems.map(({ path }) => `Fix ${path === '' ? 'the output' : path}.`)
  return { valid, score: valid ? 1 : 0, errors: problems, suggestions, output: value }
}

function findJsonValue(text: string): Json {
  const read = anyJson(text)
  return read.ok ? read.value : text
}

const judgeForm =
  'You judge an output. Answer with one JSON object and nothing else: {"valid": whether it is good enough, "score": from 0 to 1, "reason": "why", "suggestions": ["how to mend it"]}.'

async function evaluateByModel(
  call: ActionCall,
  context: RunContext,
  evaluator: Evaluator,
  output: Json,
  providers: Providers,
): Promise<Verdict> {
  const settings = applyLlmSettings(call, evaluator, providers)
  const model = await chooseActionModel(context, 'the evaluator', settings, providers)
  const asked = evaluator.prompt ?? 'Is this output valid and correct?'
  const names = { output, reflection_output: output }
  const user = [
    toText(call.withState(names).render(asked, names)),
    ...(/output/.test(asked) && asked.includes('{{')
      ? []
      : [`<output>\n${toText(output)}\n</output>`]),
  ]
  const examples = (evaluator.examples ?? []).map(
    (example) => `<example>\n${toText(example.input)}\n${toText(example.output)}\n</example>`,
  )
  const prompt = { system: [judgeForm, ...examples].join('\n\n'), user: user.join('\n\n') }
  const read = await askStructured(context, 'judge', model, prompt, (text) =>
    parseStructured(text, ['valid']),
  )
  return readVerdict(read, output)
}

async function evaluateByWork(
  call: ActionCall,
  context: RunContext,
  { run, language, action, node, with: params }: Evaluator,
  output: Json,
): Promise<Verdict> {
  const work = {
    ...(run ? { run } : {}),
    ...(language ? { language } : {}),
    ...(action ? { action } : {}),
    ...(node ? { node } : {}),
    ...(params ? { with: params } : {}),
  }
  const result = await runInlineWork(call, work, context.child('judge'), {
    output,
    reflection_output: output,
  })
  return readVerdict(result, output)
}

/** Reads a verdict in any of its accepted forms. */
function readVerdict(given: Json, output: Json): Verdict {
  if (typeof given === 'number') {
    const score = clampScore(given)
    return plain(score >= 0.5, score, `The score ${score} is below 0.5.`, output)
  }
  if (!isJsonObject(given)) return plain(Boolean(given), given ? 1 : 0, 'It is not valid.', output)
  const valid = given.valid === true
  const score = typeof given.score === 'number' ? clampScore(given.score) : valid ? 1 : 0
  const { errors, reason, suggestions } = given
  const told = Array.isArray(errors) ? (errors as readonly Json[]) : []
  const reasons =
    valid || told.length > 0 ? told : [{ message: toText(reason ?? 'It is not valid.') }]
  return {
    valid,
    score,
    errors: reasons,
    suggestions: Array.isArray(suggestions) ? suggestions : [],
    output,
  }
}

function plain(valid: boolean, score: number, message: string, output: Json): Verdict {
  return { valid, score, errors: valid ? [] : [{ message }], suggestions: [], output }
}

function clampScore(score: number): number {
  return Math.min(1, Math.max(0, score))
}
