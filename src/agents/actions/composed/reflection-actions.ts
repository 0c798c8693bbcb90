import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { composedAction, notDone, orNotDone } from './composed-action.ts'
import {
  type Evaluator,
  evaluate,
  evaluatorParams,
  evaluatorTypes,
  verdictJson,
} from './evaluate.ts'
import type { Providers } from './model-choice.ts'
import { outputIn, reflectionLoopAction } from './reflection-loop.ts'
import { attempt } from './written-action.ts'
import { doWritten, noWork } from './written-work.ts'

/** `reflection.*`: outputs that are judged and mended. */
export function reflectionActions(providers: Providers): readonly ComposedAction[] {
  return [reflectionLoopAction(providers), evaluateAction(providers), correctAction()]
}

const data = z.json().optional()

function evaluateAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'reflection.evaluate',
    description: 'Evaluates an output with a JSON Schema, a model or code.',
    lateParams: ['prompt', 'run', 'with'],
    params: z.strictObject({
      data: data.describe('The output. Default: state.reflection_output.'),
      evaluator_type: z
        .enum(evaluatorTypes)
        .nullish()
        .describe('schema, llm or custom. Default schema.'),
      ...evaluatorParams,
    }),
    result:
      '{valid, score (0 to 1), errors, suggestions, success}. If the model gives no judgement: {error, success: false}.',
    run: ({ data: given, evaluator_type: type, ...options }, call) => {
      const output = (given ?? call.state.reflection_output ?? null) as Json
      const evaluator: Evaluator = { type: type ?? 'schema', ...options }
      return orNotDone(call.context, async (context) => ({
        ...verdictJson(await evaluate(call, context, evaluator, output, providers)),
        success: true,
      }))
    },
  })
}

function correctAction(): ComposedAction {
  return composedAction({
    name: 'reflection.correct',
    description: 'Corrects an output based on its errors, with an action, code or a model prompt.',
    lateParams: ['prompt', 'run', 'with'],
    params: z
      .strictObject({
        data: data.describe('The output. Default: state.reflection_output.'),
        errors: z
          .array(z.json())
          .nullish()
          .describe('The errors. Default: state.reflection_errors.'),
        corrector_action: z.string().nullish().describe('The action that corrects it.'),
        with: z.record(z.string(), z.json()).nullish().describe('Its parameters.'),
        run: z.string().nullish().describe('Code that corrects it.'),
        language: z.string().nullish().describe('Its language.'),
        prompt: z.string().nullish().describe('A prompt for a model, as in llm.call.'),
        model: z.string().nullish().describe('The model to call.'),
      })
      .refine(({ corrector_action: action, run, prompt }) => Boolean(action ?? run ?? prompt), {
        error: noWork,
        path: ['corrector_action'],
      }),
    result:
      '{corrected_output, output (the same), reflection_output (the same), success}, or {error, success: false}.',
    run: async (given, call) => {
      const seen = seenBy(
        given.data as Json | undefined,
        given.errors as readonly Json[] | null | undefined,
        call,
      )
      const done = await attempt(call.context, { retries: 0, delayMs: 0 }, (context) =>
        doWritten(call.withState(seen), workOf(given), context, seen),
      )
      if (!done.ok) return notDone(done.error)
      const output = outputIn(done.result)
      return { corrected_output: output, output, reflection_output: output, success: true }
    },
  })
}

function seenBy(
  given: Json | undefined,
  errors: readonly Json[] | null | undefined,
  { state }: ActionCall,
) {
  const output = given ?? state.reflection_output ?? null
  return {
    reflection_output: output,
    output,
    reflection_errors: errors ?? state.reflection_errors ?? [],
  }
}

function workOf(given: {
  readonly corrector_action?: string | null | undefined
  readonly with?: object | null | undefined
  readonly run?: string | null | undefined
  readonly language?: string | null | undefined
  readonly prompt?: string | null | undefined
  readonly model?: string | null | undefined
}) {
  const { corrector_action: action, run, language, prompt, model } = given
  if (run) return { run, ...(language ? { language } : {}) }
  const beside = { ...(prompt ? { prompt } : {}), ...(model ? { model } : {}) }
  return {
    action: action ?? 'llm.call',
    with: { ...beside, ...given.with } as Record<string, never>,
  }
}
