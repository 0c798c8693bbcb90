import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { type CotResult, chainOfThought } from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { modelNamed, reasonParams, reasonResult, thinking } from './reason-thinking.ts'

/** `reason.cot`. */
export function cotAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'reason.cot',
    description: 'Reasons about a problem before answering.',
    needs: 'reasoning',
    params: z.strictObject({
      problem: z.string().describe('The problem.'),
      thinking_format: z
        .string()
        .nullish()
        .describe(
          'step_by_step, pros_cons, tree or first_principles; any other value means step_by_step.',
        ),
      few_shot_examples: z
        .array(
          z.strictObject({
            problem: z.string(),
            thinking: z.string().optional(),
            answer: z.json(),
          }),
        )
        .nullish()
        .describe('Solved example problems.'),
      ...reasonParams,
    }),
    result: `{thinking, answer, thinking_format, reasoning_thinking, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const result = await chainOfThought(context, {
          problem: given.problem,
          thinkingFormat: given.thinking_format ?? 'step_by_step',
          fewShotExamples: (given.few_shot_examples ?? []) as [],
          ...modelNamed(call, given, providers),
        })
        return { result: cotResult(result), trace: result.trace }
      }),
  })
}

function cotResult({
  thinking: thought,
  answer,
  model: name,
  thinkingFormat,
}: CotResult): JsonObject {
  return {
    thinking: thought,
    answer,
    model: name,
    thinking_format: thinkingFormat,
    reasoning_thinking: thought,
    reasoning_answer: answer,
  }
}
