import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { type ReactResult, react } from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { modelNamed, reasonParams, reasonResult, thinking } from './reason-thinking.ts'
import { taintByCalls, toolsNamed } from './tools-of-agent.ts'

/** `reason.react`. */
export function reactAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'reason.react',
    description: 'Works towards a goal in steps: think, call a tool, read its result, repeat.',
    needs: 'reasoning',
    params: z.strictObject({
      goal: z.string().describe('The goal.'),
      tools: z
        .array(z.string())
        .nullish()
        .describe('Single-effect actions that may be called, such as web.search.'),
      max_steps: z
        .int()
        .min(0)
        .nullish()
        .describe('Maximum number of model calls; 0 makes none. Default 10.'),
      ...reasonParams,
    }),
    result: `{steps: [{step, thought, action, action_input, observation}], react_steps (the same), final_answer, total_steps, warning and max_steps_reached if the steps ran out, ${reasonResult}`,
    run: async (given, call) => {
      const found = toolsNamed(given.tools ?? [], call.actions)
      if (!found.ok) return notDone(found.error)
      return thinking(call, given, async (context) => {
        const result = await react(context, {
          goal: given.goal,
          tools: found.tools,
          isTainted: call.isTainted,
          allow: call.scope.allow,
          maxSteps: given.max_steps ?? 10,
          ...modelNamed(call, given, providers),
        })
        taintByCalls(
          call,
          found.tools,
          result.steps.map(({ action }) => action),
        )
        return { result: reactResult(result), trace: result.trace }
      })
    },
  })
}

function reactResult(result: ReactResult): JsonObject {
  const steps = result.steps.map(({ step, thought, action, actionInput, observation }) => ({
    step,
    thought,
    action,
    action_input: actionInput,
    observation,
  }))
  const { warning } = result
  return {
    steps,
    react_steps: steps,
    final_answer: result.finalAnswer,
    reasoning_answer: result.finalAnswer,
    total_steps: result.totalSteps,
    model: result.model,
    ...(warning === undefined ? {} : { warning, max_steps_reached: true }),
  }
}
