import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { agentNamed, type NamedAgent } from './agent-settings.ts'
import { aggregate, aggregations, responsesOf } from './aggregate.ts'
import { type AgentAnswer, askAgent, askingOf, askingParams } from './ask-agent.ts'
import { atOnce } from './ask-agents.ts'
import { composedAction, notDone } from './composed-action.ts'
import type { Providers } from './model-choice.ts'

/** `agent.parallel`. */
export function parallelAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'agent.parallel',
    description: 'Gives one task to several agents in parallel and combines their answers.',
    params: z.strictObject({
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
    }),
    result:
      '{success, aggregation, agents_called, raw_results, …}: collect {responses, count}; vote {result, votes, unanimous, total_votes}; first {result, agent}; consensus {result, agreement, consensus_reached, threshold, rounds}. If no agent is known: {error: No valid agents found, agents_requested, success: false}.',
    run: async (given, call) => {
      const agents = await knownAgents(call, given.agents)
      if (agents.length === 0)
        return notDone('No valid agents found', { agents_requested: given.agents })
      const kind = given.aggregation ?? 'collect'
      const threshold = given.consensus_threshold ?? 0.5
      const most = given.consensus_max_rounds ?? given.consensus_max_retries ?? 3
      const limit = given.max_concurrent ?? agents.length
      const asking = { params: askingOf(given), providers }
      const facts = { agents_called: agents.map(({ name }) => name), elapsed_ms: 0 }
      let answers: readonly AgentAnswer[] = []
      for (let round = 1; ; round++) {
        const task = round === 1 ? given.task : anotherRound(given.task, answers)
        const inRound = call.context.child(`round[${round}]`)
        // What one of them reads must not depend on which other one was faster.
        const begun = { ...call }
        answers = await atOnce(inRound, 'agent', agents, limit, (agent, inside) =>
          askAgent(begun, inside, agent, task, asking),
        )
        const result = aggregate(kind, answers, threshold)
        if (kind !== 'consensus') return { ...result, ...facts, raw_results: answers }
        if (result.consensus_reached === true || round >= most)
          return { ...result, ...facts, rounds: round, raw_results: answers }
      }
    },
  })
}

/** The agents that there are; of others the log tells. */
export async function knownAgents(
  call: ActionCall,
  names: readonly string[],
): Promise<readonly NamedAgent[]> {
  const known: NamedAgent[] = []
  for (const [index, name] of names.entries()) {
    const agent = agentNamed(call, name)
    if ('error' in agent)
      await call.context.notice(`unknown[${index + 1}]`, 'warning', `${agent.error} It is skipped.`)
    else known.push(agent)
  }
  return known
}

function anotherRound(task: string, answers: readonly (AgentAnswer & JsonObject)[]): string {
  const given = responsesOf(answers).map((response) => `<answer>\n${response}\n</answer>`)
  return `${task}\n\nYou and others were asked before and did not agree. The answers were:\n${given.join('\n')}\n\nConsider them and answer again, in the same form.`
}
