import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'
import {
  type Evaluator,
  evaluate,
  evaluatorParams,
  evaluatorTypes,
  type Verdict,
} from './evaluate.ts'
import type { Providers } from './model-choice.ts'
import { isObject, isReply } from './values.ts'
import { type Attempted, attempt } from './written-action.ts'
import { doWritten, noWork, saysWork, writtenWork } from './written-work.ts'

const work = writtenWork.refine(saysWork, noWork)

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
export function reflectionLoopAction(providers: Providers): ComposedAction {
  return composedAction({
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

/** An output that was made, or why there is none. */
type Made = { readonly output: Json } | { readonly error: string }

class Reflection {
  private readonly given: LoopParams
  private readonly call: ActionCall
  private readonly providers: Providers
  private readonly history: Attempt[] = []
  /** What correctors told the generator. */
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
        'error' in made ? unmade(made.error) : await this.judge(iteration, made.output)
      this.history.push({ ...verdict, iteration })
      if (verdict.valid) return this.result(verdict.output, verdict.score, true)
    }
    return this.exhausted(most)
  }

  /** The output of the generator, or of a corrector that mends it itself: a model, or what gives a text. */
  private async make(iteration: number): Promise<Made> {
    const { generator, corrector } = this.given
    const last = this.history.at(-1)
    if (corrector && last !== undefined) {
      const mended = await this.do(corrector, `correct[${iteration}]`, last.iteration)
      if (!mended.ok) return { error: `The corrector failed: ${mended.error}` }
      const output = outputIn(mended.result)
      if (!isObject(mended.result) || output !== mended.result) return { output }
      this.hints = { ...this.hints, ...mended.result }
    }
    const made = await this.do(generator, `make[${iteration}]`, iteration)
    if (!made.ok) return { error: `The generator failed: ${made.error}` }
    return { output: outputIn(made.result) }
  }

  private do(written: Work, segment: string, iteration: number): Promise<Attempted> {
    const context = this.call.context.child(segment)
    const seen = this.seen(iteration)
    return attempt(context, { retries: 0, delayMs: 0 }, (inside) =>
      doWritten(this.call.withState(seen), written, inside, seen),
    )
  }

  /** A judge that fails has not approved. */
  private async judge(iteration: number, output: Json): Promise<Verdict> {
    const context = this.call.context.child(`judge[${iteration}]`)
    const seen = { ...this.seen(iteration), reflection_output: output, output }
    let verdict: Verdict | undefined
    const evaluator = this.given.evaluator as Evaluator
    const done = await attempt(context, { retries: 0, delayMs: 0 }, async (inside) => {
      verdict = await evaluate(this.call.withState(seen), inside, evaluator, output, this.providers)
      return null
    })
    if (verdict !== undefined) return verdict
    const message = done.ok ? '' : done.error
    return { valid: false, score: 0, errors: [{ message }], suggestions: [], output }
  }

  /** What generator and corrector find in the state. */
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
      ...(isObject(output) ? output : { result: output }),
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

function unmade(message: string): Verdict {
  return { valid: false, score: 0, errors: [{ message }], suggestions: [], output: null }
}

/** The output in a result: what a model said, as JSON where it was read as such, else the result itself. */
export function outputIn(result: Json): Json {
  return isReply(result) ? (result.parsed ?? result.content) : result
}
