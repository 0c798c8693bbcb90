import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { defineComposedAction, failedResult, isReply, orFailedResult } from './composed-action.ts'
import {
  type Evaluator,
  evaluate,
  evaluatorParams,
  evaluatorTypes,
  type Verdict,
  verdictJson,
} from './evaluate.ts'
import type { Providers } from './model-choice.ts'
import {
  type AttemptOutcome,
  hasWork,
  inlineWorkSchema,
  missingWork,
  retryWork,
  runInlineWork,
} from './written-work.ts'

/** `reflection.*`: outputs that are judged and corrected. */
export function reflectionActions(providers: Providers): readonly ComposedAction[] {
  return [reflectionLoopAction(providers), evaluateAction(providers), correctAction()]
}

const data = z.json().optional()

function evaluateAction(providers: Providers): ComposedAction {
  return defineComposedAction({
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
      return orFailedResult(call.context, async (context) => ({
        ...verdictJson(await evaluate(call, context, evaluator, output, providers)),
        success: true,
      }))
    },
  })
}

function correctAction(): ComposedAction {
  return defineComposedAction({
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
        error: missingWork,
        path: ['corrector_action'],
      }),
    result:
      '{corrected_output, output (the same), reflection_output (the same), success}, or {error, success: false}.',
    run: async (given, call) => {
      const seen = describeState(
        given.data as Json | undefined,
        given.errors as readonly Json[] | null | undefined,
        call,
      )
      const done = await retryWork(call.context, { retries: 0, delayMs: 0 }, (context) =>
        runInlineWork(call.withState(seen), readWork(given), context, seen),
      )
      if (!done.ok) return failedResult(done.error)
      const output = findOutput(done.result)
      return { corrected_output: output, output, reflection_output: output, success: true }
    },
  })
}

function describeState(
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

function readWork(given: {
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

const work = inlineWorkSchema.refine(hasWork, missingWork)

const params = z.strictObject({
  generator: work.describe(
    'What creates the output: {action, …its parameters}, {run, language}, or the name of a node.',
  ),
  evaluator: z
    .strictObject({ type: z.enum(evaluatorTypes).default('schema'), ...evaluatorParams })
    .describe(
      'What evaluates it: {type: schema, schema}, {type: llm, prompt, model, examples} or {type: custom, run}.',
    ),
  corrector: work
    .nullish()
    .describe(
      'What corrects it, in the form of generator; it reads state.reflection_output and state.reflection_errors. A text result is the corrected output; a map is added to the state and generator runs again. Default: generator runs again.',
    ),
  max_iterations: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .describe('Maximum number of outputs to evaluate. Default 3.'),
  on_failure: z
    .enum(['return_best', 'return_last', 'raise'])
    .nullish()
    .describe('What to do if no output is good enough. Default return_best.'),
})

type LoopParams = z.output<typeof params>

type Work = z.output<typeof work>

/** `reflection.loop`. */
function reflectionLoopAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'reflection.loop',
    description: 'Creates an output, evaluates it and corrects it until it is good enough.',
    lateParams: ['generator', 'evaluator', 'corrector'],
    params,
    result:
      '{output, score, iterations, valid, success, reflection_iteration, reflection_output, reflection_errors, reflection_history: [{iteration, output, score, valid, errors}], reflection_best, reflection_best_score}, and the members of an output that is a map. If it is never good enough: exhausted: true, valid and success false; with on_failure: raise, the run fails.',
    run: (given, call) => new Reflection(given, call, providers).run(),
  })
}

interface Attempt extends Verdict {
  readonly iteration: number
}

/** A generated output, or why there is none. */
type Made = { readonly output: Json } | { readonly error: string }

class Reflection {
  private readonly given: LoopParams
  private readonly call: ActionCall
  private readonly providers: Providers
  private readonly history: Attempt[] = []
  /** Correctors' advice to the generator. */
  private hints: JsonObject = {}

  constructor(given: LoopParams, call: ActionCall, providers: Providers) {
    this.given = given
    this.call = call
    this.providers = providers
  }

  async run(): Promise<JsonObject> {
    const most = this.given.max_iterations ?? 3
    for (let iteration = 1; iteration <= most; iteration++) {
      const made = await this.make(iteration)
      const verdict =
        'error' in made ? nothingMade(made.error) : await this.judge(iteration, made.output)
      this.history.push({ ...verdict, iteration })
      if (verdict.valid) return this.result(verdict.output, verdict.score, true)
    }
    return this.exhausted(most)
  }

  /** The output of the generator, or of a corrector that corrects it itself. */
  private async make(iteration: number): Promise<Made> {
    const { generator, corrector } = this.given
    const last = this.history.at(-1)
    if (corrector && last !== undefined) {
      const mended = await this.do(corrector, `correct[${iteration}]`, last.iteration)
      if (!mended.ok) return { error: `The corrector failed: ${mended.error}` }
      const output = findOutput(mended.result)
      if (!isJsonObject(mended.result) || output !== mended.result) return { output }
      this.hints = { ...this.hints, ...mended.result }
    }
    const made = await this.do(generator, `make[${iteration}]`, iteration)
    if (!made.ok) return { error: `The generator failed: ${made.error}` }
    return { output: findOutput(made.result) }
  }

  private do(written: Work, segment: string, iteration: number): Promise<AttemptOutcome> {
    const context = this.call.context.child(segment)
    const seen = this.seen(iteration)
    return retryWork(context, { retries: 0, delayMs: 0 }, (inside) =>
      runInlineWork(this.call.withState(seen), written, inside, seen),
    )
  }

  /** An evaluator that fails has not approved. */
  private async judge(iteration: number, output: Json): Promise<Verdict> {
    const context = this.call.context.child(`judge[${iteration}]`)
    const seen = { ...this.seen(iteration), reflection_output: output, output }
    let verdict: Verdict | undefined
    const evaluator = this.given.evaluator as Evaluator
    const done = await retryWork(context, { retries: 0, delayMs: 0 }, async (inside) => {
      verdict = await evaluate(this.call.withState(seen), inside, evaluator, output, this.providers)
      return null
    })
    if (verdict !== undefined) return verdict
    const message = done.ok ? '' : done.error
    return { valid: false, score: 0, errors: [{ message }], suggestions: [], output }
  }

  /** What generator and corrector see in the state. */
  private seen(iteration: number): JsonObject {
    return { ...this.hints, ...this.facts(), reflection_iteration: iteration }
  }

  private facts(): JsonObject {
    const last = this.history.at(-1)
    const best = this.best()
    return {
      reflection_iteration: last?.iteration ?? 0,
      reflection_output: last?.output ?? null,
      reflection_errors: last?.errors ?? [],
      reflection_history: this.history.map(({ iteration, output, score, valid, errors }) => ({
        iteration,
        output,
        score,
        valid,
        errors,
      })),
      reflection_best: best?.output ?? null,
      reflection_best_score: best?.score ?? 0,
    }
  }

  private best(): Attempt | undefined {
    return this.history.reduce<Attempt | undefined>(
      (best, one) => (best === undefined || one.score > best.score ? one : best),
      undefined,
    )
  }

  private result(output: Json, score: number, valid: boolean): JsonObject {
    return {
      ...(isJsonObject(output) ? output : { result: output }),
      ...this.facts(),
      reflection_output: output,
      output,
      score,
      iterations: this.history.length,
      valid,
      success: valid,
    }
  }

  private exhausted(most: number): JsonObject {
    const { on_failure: onFailure } = this.given
    if (onFailure === 'raise') {
      throw new ScholiumError(
        'tool_failed',
        `reflection.loop found no valid output in ${most} iterations.`,
        { details: { history: this.facts().reflection_history ?? [] } },
      )
    }
    const chosen = (onFailure === 'return_last' ? this.history.at(-1) : this.best()) as Attempt
    return { ...this.result(chosen.output, chosen.score, false), exhausted: true }
  }
}

function nothingMade(message: string): Verdict {
  return { valid: false, score: 0, errors: [{ message }], suggestions: [], output: null }
}

/** The output in a result: a model's answer, parsed if it is JSON, otherwise the result itself. */
function findOutput(result: Json): Json {
  return isReply(result) ? (result.parsed ?? result.content) : result
}
