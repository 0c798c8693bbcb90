import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { type DecomposeResult, decompose } from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { modelNamed, reasonParams, reasonResult, thinking } from './reason-thinking.ts'

/** `reason.decompose`. */
export function decomposeAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'reason.decompose',
    description:
      'Splits a problem into parts, solves them (independent ones in parallel) and combines the answers.',
    needs: 'reasoning',
    lateParams: ['synthesis_prompt'],
    params: z.strictObject({
      problem: z.string().describe('The problem.'),
      max_depth: z.int().min(0).nullish().describe('Maximum depth of splitting. Default 2.'),
      synthesis_prompt: z
        .string()
        .nullish()
        .describe('How to combine the answers; {{ sub_answers }} is replaced by them.'),
      ...reasonParams,
    }),
    result: `{sub_problems: [{id, description, depends_on, dependencies}], sub_answers: [{id, description, reasoning, answer, confidence}], final_answer, synthesis_reasoning, depth_used, ${reasonResult}`,
    run: (given, call) =>
      thinking(call, given, async (context) => {
        const names = { sub_answers: 'the answers that you are shown' }
        const result = await decompose(context, {
          problem: given.problem,
          maxDepth: given.max_depth ?? 2,
          ...modelNamed(call, given, providers),
          ...(given.synthesis_prompt
            ? { synthesisPrompt: String(call.render(given.synthesis_prompt, names)) }
            : {}),
        })
        return { result: decomposeResult(result), trace: result.trace }
      }),
  })
}

function decomposeResult(result: DecomposeResult): JsonObject {
  return {
    sub_problems: result.subProblems.map(({ id, description, dependsOn }) => ({
      id,
      description,
      depends_on: dependsOn,
      dependencies: dependsOn,
    })),
    sub_answers: result.subAnswers.map(subAnswer),
    final_answer: result.finalAnswer,
    reasoning_answer: result.finalAnswer,
    synthesis_reasoning: result.synthesisReasoning,
    depth_used: result.depthUsed,
    model: result.model,
  }
}

function subAnswer({ subAnswers, ...answer }: DecomposeResult['subAnswers'][number]): JsonObject {
  return {
    ...answer,
    ...(subAnswers === undefined ? {} : { sub_answers: subAnswers.map(subAnswer) }),
  }
}
