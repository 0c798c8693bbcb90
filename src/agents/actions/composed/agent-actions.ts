import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { type ActionCall, type ComposedAction, ignoredParam } from '../action.ts'
import { coordinateAction } from './agent-coordinate.ts'
import {
  type AgentAnswer,
  askAgent,
  askingParams,
  findAgent,
  findAgents,
  type NamedAgent,
  pickAskingParams,
  runConcurrently,
} from './ask-agent.ts'
import { defineComposedAction, failedResult, toText } from './composed-action.ts'
import type { Providers } from './model-choice.ts'

/** `agent.*`: actions that give work to the agents of `settings.agents`. */
export function agentActions(providers: Providers): readonly ComposedAction[] {
  return [
    dispatchAction(providers),
    parallelAction(providers),
    sequentialAction(providers),
    coordinateAction(providers),
  ]
}

/** `agent.dispatch`. */
function dispatchAction(providers: Providers): ComposedAction {
  return defineComposedAction({
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
      const agent = findAgent(call, given.agent)
      if ('error' in agent) return failedResult(agent.error, { agent: given.agent })
      const asking = { params: pickAskingParams(given), providers }
      return askAgent(call, call.context, agent, given.task, asking)
    },
  })
}

/** How the answers of several agents are combined. */
const aggregations = ['collect', 'vote', 'first', 'consensus'] as const

/** One of {@link aggregations}. */
type Aggregation = (typeof aggregations)[number]

const parallelParams = z.strictObject({
  agents: z.array(z.string()).describe('Their names in settings.agents.'),
  task: z.string().describe('Their task.'),
  aggregation: z
    .enum(aggregations)
    .nullish()
    .describe(
      'collect (all answers), vote (the most frequent), first (the first successful one, in the order of agents), consensus (repeat until enough agree). Default collect.',
    ),
  max_concurrent: z.int().min(1).nullish().describe('How many run in parallel. Default: all.'),
  consensus_threshold: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe('The share of equal answers that counts as consensus. Default 0.5.'),
  consensus_max_rounds: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .describe('Maximum number of rounds. Default 3.'),
  consensus_max_retries: z
    .int()
    .min(1)
    .max(100)
    .nullish()
    .describe('Same as consensus_max_rounds.'),
  ...askingParams,
})

/** `agent.parallel`. */
function parallelAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'agent.parallel',
    description: 'Gives one task to several agents in parallel and combines their answers.',
    params: parallelParams,
    result:
      '{success, aggregation, agents_called, raw_results, …}: collect {responses, count}; vote {result, votes, unanimous, total_votes}; first {result, agent}; consensus {result, agreement, consensus_reached, threshold, rounds}. If no agent is known: {error: No valid agents found, agents_requested, success: false}.',
    run: async (given, call) => {
      const agents = await findAgents(call, given.agents)
      if (agents.length === 0)
        return failedResult('No valid agents found', { agents_requested: given.agents })
      const kind = given.aggregation ?? 'collect'
      const threshold = given.consensus_threshold ?? 0.5
      const most = given.consensus_max_rounds ?? given.consensus_max_retries ?? 3
      const limit = given.max_concurrent ?? agents.length
      const asking = { params: pickAskingParams(given), providers }
      const facts = { agents_called: agents.map(({ name }) => name), elapsed_ms: 0 }
      let answers: readonly AgentAnswer[] = []
      for (let round = 1; ; round++) {
        const task = round === 1 ? given.task : renderNextRound(given.task, answers)
        const inRound = call.context.child(`round[${round}]`)
        // What one agent reads must not depend on which other one was faster.
        const begun = { ...call }
        answers = await runConcurrently(inRound, 'agent', agents, limit, (agent, inside) =>
          askAgent(begun, inside, agent, task, asking),
        )
        const result = aggregateAnswers(kind, answers, threshold)
        if (kind !== 'consensus') return { ...result, ...facts, raw_results: answers }
        if (result.consensus_reached === true || round >= most)
          return { ...result, ...facts, rounds: round, raw_results: answers }
      }
    },
  })
}

function renderNextRound(task: string, answers: readonly (AgentAnswer & JsonObject)[]): string {
  const given = listResponses(answers).map((response) => `<answer>\n${response}\n</answer>`)
  return `${task}\n\nYou and others were asked before and did not agree. The answers were:\n${given.join('\n')}\n\nConsider them and answer again, in the same form.`
}

const sequentialParams = z.strictObject({
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
  thread_state: ignoredParam('each agent always receives the previous answer'),
  output_key: z
    .string()
    .nullish()
    .describe('An additional name for the result. Default sequential_result.'),
  ...askingParams,
})

type SequentialParams = z.output<typeof sequentialParams>

/** `agent.sequential`. */
function sequentialAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'agent.sequential',
    description: 'Gives a task to agents one after the other, each with the previous answer.',
    lateParams: ['task', 'tasks', 'initial_task', 'transform'],
    params: sequentialParams,
    result:
      '{result, response (the same), <output_key> (the same), chain: [{agent, response, success}], trace (the same), stage_0, stage_1, …, agents_called, success}. If an agent fails: {error, success: false, chain, failed_at}.',
    run: async (given, call) => {
      const found = given.agents.map((name) => findAgent(call, name))
      const unknown = found.find((agent) => 'error' in agent)
      const isStrict = exitsEarly(given)
      const agents = found.filter((agent): agent is NamedAgent => !('error' in agent))
      if (agents.length === 0 || (isStrict && unknown !== undefined && 'error' in unknown))
        return failedResult((unknown as { error: string }).error, { chain: [] })
      if (given.tasks && given.tasks.length !== agents.length) {
        const error = `There are ${given.tasks.length} tasks for ${agents.length} agents.`
        return failedResult(error, { chain: [] })
      }
      return askInSequence(given, call, agents, providers)
    },
  })
}

async function askInSequence(
  given: SequentialParams,
  call: ActionCall,
  agents: readonly NamedAgent[],
  providers: Providers,
): Promise<JsonObject> {
  const chain: JsonObject[] = []
  let previous = ''
  for (const [index, agent] of agents.entries()) {
    const place = { chain_index: index, chain_length: agents.length }
    const task = renderTask(given, call, index, { previous_response: previous, ...place })
    const asking = { params: pickAskingParams(given), providers }
    const context = call.context.child(`agent[${index + 1}]`)
    const { response = '', success, error } = await askAgent(call, context, agent, task, asking)
    chain.push({ agent: agent.name, response, success })
    if (!success) {
      if (!exitsEarly(given)) continue
      return failedResult(String(error), { chain, failed_at: index })
    }
    const said = { current_response: response, previous_response: response, ...place }
    previous = given.transform ? renderWith(call, given.transform, said) : String(response)
  }
  return toSequenceResult(given, chain, previous)
}

function exitsEarly({
  early_exit_on_failure: onFailure,
  early_exit_on_error: onError,
}: SequentialParams): boolean {
  return onFailure ?? onError ?? true
}

/** Renders a template with names available both directly and as members of the state. */
function renderWith(call: ActionCall, written: string, names: JsonObject): string {
  return toText(call.withState(names).render(written, names))
}

function renderTask(
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
  return `${task}\n\n<previous_response>\n${toText(names.previous_response ?? '')}\n</previous_response>`
}

function toSequenceResult(
  { output_key: key }: SequentialParams,
  chain: readonly JsonObject[],
  result: string,
): JsonObject {
  const isDone = chain.some(({ success }) => success === true)
  const stages = chain.map(({ response }, index) => [`stage_${index}`, response] as const)
  const facts = { chain, trace: chain, agents_called: chain.map(({ agent }) => String(agent)) }
  if (!isDone) return failedResult('No agent gave an answer.', facts)
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

/** The texts of the agents that answered. */
function listResponses(answers: readonly AgentAnswer[]): readonly string[] {
  return answers.flatMap(({ success, response }) => (success ? [String(response)] : []))
}

/** Combines answers; consensus requires a minimum share of equal answers. */
function aggregateAnswers(
  kind: Aggregation,
  answers: readonly AgentAnswer[],
  threshold: number,
): JsonObject {
  const responses = listResponses(answers)
  if (responses.length === 0)
    return { ...failedResult('No agent gave an answer.'), ...createEmptyAggregate(kind) }
  const counted = { ...findConsensus(kind, answers, responses, threshold), success: true }
  return { ...counted, aggregation: kind }
}

function findConsensus(
  kind: Aggregation,
  answers: readonly AgentAnswer[],
  responses: readonly string[],
  threshold: number,
): JsonObject {
  switch (kind) {
    case 'collect':
      return { responses, count: responses.length }
    case 'first': {
      const first = answers.find(({ success }) => success) as AgentAnswer
      return { result: String(first.response), agent: first.agent }
    }
    case 'vote': {
      const { votes, winner } = count(responses)
      return {
        result: winner,
        votes,
        unanimous: Object.keys(votes).length === 1,
        total_votes: responses.length,
      }
    }
    case 'consensus': {
      const { votes, winner } = count(responses)
      const agreement = (votes[winner] as number) / responses.length
      const isReached = agreement >= threshold
      return {
        result: isReached ? winner : null,
        agreement,
        consensus_reached: isReached,
        threshold,
      }
    }
  }
}

function createEmptyAggregate(kind: Aggregation): JsonObject {
  switch (kind) {
    case 'collect':
      return { responses: [], count: 0 }
    case 'first':
      return { result: null }
    case 'vote':
      return { result: null, votes: {}, unanimous: false }
    case 'consensus':
      return { result: null, agreement: 0, consensus_reached: false }
  }
}

/** Counts equal answers, ignoring white space, case and a final period; on a tie, the first one wins. */
function count(responses: readonly string[]): {
  readonly votes: Readonly<Record<string, number>>
  readonly winner: string
} {
  const shownAs = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const response of responses) {
    const key = response.trim().replace(/\s+/g, ' ').replace(/[.!]$/, '').toLowerCase()
    if (!shownAs.has(key)) shownAs.set(key, response.trim())
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const ranked = [...counts].sort(([, left], [, right]) => right - left)
  return {
    votes: Object.fromEntries([...counts].map(([key, number]) => [shownAs.get(key), number])),
    winner: shownAs.get(ranked[0]?.[0] ?? '') ?? '',
  }
}
