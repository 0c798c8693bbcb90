import * as z from 'zod'
import type { ComposedAction } from '../action.ts'
import { agentNamed } from './agent-settings.ts'
import { askAgent, askingOf, askingParams } from './ask-agent.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'

/** `agent.dispatch`. */
export function dispatchAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'agent.dispatch',
    description: 'Gives a task to an agent of settings.agents.',
    params: z.strictObject({
      agent: z.string().describe('Its name in settings.agents.'),
      task: z.string().describe('Its task.'),
      ...askingParams,
    }),
    result:
      '{response, content (the same), agent, success, attempts, usage, model, elapsed_ms}. elapsed_ms is always 0: times are in the trace. If the agent is unknown or its model returns nothing: {error, success: false, agent}.',
    run: async (given, call) => {
      const agent = agentNamed(call, given.agent)
      if ('error' in agent) return notDone(agent.error, { agent: given.agent })
      const asking = { params: askingOf(given), providers }
      return askAgent(call, call.context, agent, given.task, asking)
    },
  })
}
