import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { unusedParam } from '../known-params.ts'
import { agentNamed, type NamedAgent } from './agent-settings.ts'
import { askAgent, askingOf, askingParams } from './ask-agent.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'
import { textOf } from './values.ts'

const params = z.strictObject({
  agents: z.array(z.string()).min(1).describe('Their names in settings.agents, in order.'),
  task: z
    .string()
    .nullish()
    .describe(
      'The task of each agent; {{ previous_response }} is replaced by the previous answer, which is otherwise appended to the task.',
    ),
  tasks: z.array(z.string()).nullish().describe('A task for each agent, instead of task.'),
  initial_task: z
    .string()
    .nullish()
    .describe('The task of the first agent; each of the others receives the previous answer.'),
  transform: z
    .string()
    .nullish()
    .describe(
      'A template applied to each response before the next agent sees it; {{ current_response }} or {{ previous_response }} is replaced by the response.',
    ),
  early_exit_on_failure: z
    .boolean()
    .nullish()
    .describe('Whether the chain stops at the first agent that fails. Default true.'),
  early_exit_on_error: z.boolean().nullish().describe('Same as early_exit_on_failure.'),
  thread_state: unusedParam('each agent always receives the previous answer'),
  output_key: z
    .string()
    .nullish()
    .describe('An additional name for the result. Default sequential_result.'),
  ...askingParams,
})

type SequentialParams = z.output<typeof params>

/** `agent.sequential`. */
export function sequentialAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'agent.sequential',
    description: 'Gives a task to agents one after the other, each with the previous answer.',
    lateParams: ['task', 'tasks', 'initial_task', 'transform'],
    params,
    result:
      '{result, response (the same), <output_key> (the same), chain: [{agent, response, success}], trace (the same), stage_0, stage_1, …, agents_called, success}. If an agent fails: {error, success: false, chain, failed_at}.',
    run: async (given, call) => {
      const found = given.agents.map((name) => agentNamed(call, name))
      const unknown = found.find((agent) => 'error' in agent)
      const isStrict = exitsEarly(given)
      const agents = found.filter((agent): agent is NamedAgent => !('error' in agent))
      if (agents.length === 0 || (isStrict && unknown !== undefined && 'error' in unknown))
        return notDone((unknown as { error: string }).error, { chain: [] })
      if (given.tasks && given.tasks.length !== agents.length) {
        const error = `There are ${given.tasks.length} tasks for ${agents.length} agents.`
        return notDone(error, { chain: [] })
      }
      return askInTurn(given, call, agents, providers)
    },
  })
}

async function askInTurn(
  given: SequentialParams,
  call: ActionCall,
  agents: readonly NamedAgent[],
  providers: Providers,
): Promise<JsonObject> {
  const chain: JsonObject[] = []
  let previous = ''
  for (const [index, agent] of agents.entries()) {
    const place = { chain_index: index, chain_length: agents.length }
    const task = taskOf(given, call, index, { previous_response: previous, ...place })
    const asking = { params: askingOf(given), providers }
    const context = call.context.child(`agent[${index + 1}]`)
    const { response = '', success, error } = await askAgent(call, context, agent, task, asking)
    chain.push({ agent: agent.name, response, success })
    if (!success) {
      if (!exitsEarly(given)) continue
      return notDone(String(error), { chain, failed_at: index })
    }
    const said = { current_response: response, previous_response: response, ...place }
    previous = given.transform ? renderWith(call, given.transform, said) : String(response)
  }
  return resultOf(given, chain, previous)
}

function exitsEarly({
  early_exit_on_failure: onFailure,
  early_exit_on_error: onError,
}: SequentialParams): boolean {
  return onFailure ?? onError ?? true
}

/** A template with names that stand bare and as members of the state. */
function renderWith(call: ActionCall, written: string, names: JsonObject): string {
  return textOf(call.withState(names).render(written, names))
}

function taskOf(
  given: SequentialParams,
  call: ActionCall,
  index: number,
  names: JsonObject,
): string {
  const first = given.initial_task ?? '{{ state.input }}'
  const written =
    given.tasks?.[index] ?? given.task ?? (index === 0 ? first : '{{ previous_response }}')
  const task = renderWith(call, written, names)
  if (index === 0 || written.includes('previous_response')) return task
  return `${task}\n\n<previous_response>\n${textOf(names.previous_response ?? '')}\n</previous_response>`
}

function resultOf(
  { output_key: key }: SequentialParams,
  chain: readonly JsonObject[],
  result: string,
): JsonObject {
  const isDone = chain.some(({ success }) => success === true)
  const stages = chain.map(({ response }, index) => [`stage_${index}`, response] as const)
  const facts = { chain, trace: chain, agents_called: chain.map(({ agent }) => String(agent)) }
  if (!isDone) return notDone('No agent gave an answer.', facts)
  return {
    ...Object.fromEntries(stages),
    [key || 'sequential_result']: result,
    result,
    response: result,
    ...facts,
    elapsed_ms: 0,
    success: true,
  }
}
