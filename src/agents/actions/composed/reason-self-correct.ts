import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import {
  type SelfCorrectResult,
  selfCorrect,
  toHistoryFromInitial,
} from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { modelNamed, reasonParams, reasonResult, thinking } from './reason-thinking.ts'

/** `reason.self_correct`. */
export function selfCorrectAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'reason.self_correct',
    description: 'Performs a task, criticises the output and improves it.',
    needs: 'reasoning',
    lateParams: ['critic_prompt'],
    params: z.strictObject({
      task: z.string().describe('The task.'),
      improvement_rounds: z
        .int()
        .min(0)
        .nullish()
        .describe('Rounds of critique and improvement. Default 2.'),
      generator_model: z.string().nullish().describe('The model that writes. Default: model.'),
      critic_model: z
        .string()
        .nullish()
        .describe(
          'The model that criticises. Default: the model that writes, otherwise the model of the role critic.',
        ),
      critic_prompt: z
        .string()
        .nullish()
        .describe('What the critic should check; {{ output }} is replaced by the output.'),
      ...reasonParams,
    }),
    result: `{output, final_output (the same), improvement_history: [{round, output, critique, improved, issues_found, suggestions, improvement_score}], improvement_history_list: [{round: 0, type: initial, output}, {round, type: improvement, issues_found, suggestions, output, improvement_score}], rounds_completed, generator_model, critic_model, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const { model: generator, ...settings } = modelNamed(
          call,
          { ...given, model: given.generator_model ?? given.model },
          providers,
        )
        const critic = given.critic_model
          ? modelNamed(call, { ...given, model: given.critic_model }, providers).model
          : undefined
        const names = { output: 'the output that you are shown' }
        const result = await selfCorrect(context, {
          task: given.task,
          improvementRounds: given.improvement_rounds ?? 2,
          ...settings,
          ...(generator === undefined ? {} : { generatorModel: generator }),
          ...(critic === undefined ? {} : { criticModel: critic }),
          ...(given.critic_prompt
            ? { criticPrompt: String(call.render(given.critic_prompt, names)) }
            : {}),
        })
        return { result: selfCorrectResult(result), trace: result.trace }
      }),
  })
}

function selfCorrectResult(result: SelfCorrectResult): JsonObject {
  return {
    output: result.output,
    final_output: result.finalOutput,
    reasoning_answer: result.output,
    improvement_history: result.improvementHistory.map(
      ({ round, output, critique, improved, issuesFound, suggestions, improvementScore }) => ({
        round,
        output,
        critique,
        improved,
        issues_found: issuesFound,
        suggestions,
        improvement_score: improvementScore,
      }),
    ),
    improvement_history_list: toHistoryFromInitial(result),
    rounds_completed: result.roundsCompleted,
    generator_model: result.generatorModel,
    critic_model: result.criticModel,
    model: result.generatorModel,
  }
}
