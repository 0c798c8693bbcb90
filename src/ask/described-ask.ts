import { foldState } from '../graph/fold-state.ts'
import { type Patch, end } from '../graph/graph.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { promptHashes } from '../team/prompt-files.ts'
import type { Prompts } from './prompts.ts'
import { type AskInput, cleanQuestion, titleOf } from './question.ts'
import type { AskResult } from './result.ts'
import { type AskState, channels, type AgentName } from './state.ts'
import { type GraphPicture, pictureOfWays } from '../graph/draw-graph.ts'

/** What the `ask` workflow is beside its running: names, hashes, and how a log is read. */
export function describedAsk(
  prompts: Prompts,
): Omit<Workflow<AskInput, AskResult & JsonObject>, 'run'> {
  return {
    name: 'ask',
    version: '1',
    promptHashes: promptHashes(prompts),
    title: ({ question }) => titleOf(question),
    foldState: (input, ends) => foldState(channels, firstPatch(input), ends),
    status: (result) => result.status,
  }
}

/** What the input gives to the state: each of its members is a field. */
export function firstPatch({ question, ...others }: AskInput): Patch<AskState> {
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  return { question: cleanQuestion(question), ...Object.fromEntries(given) }
}

/** The node in which each agent works. */
export const nodeOfAgent: Readonly<Record<AgentName, string>> = {
  planner: 'planner',
  approval: 'approval',
  research: 'research',
  researcher: 'researcher',
  expert: 'expert',
  critic_planner: 'critic',
  critic_researcher: 'critic',
  critic_expert: 'critic',
  finalizer: 'finalizer',
}

/** Where each node of the team leads; the orchestrator's choice among its targets is its own. */
export const teamEdges = {
  input: 'orchestrator',
  orchestrator: { targets: [...new Set(Object.values(nodeOfAgent))] },
  planner: 'orchestrator',
  approval: 'orchestrator',
  research: 'orchestrator',
  researcher: 'orchestrator',
  expert: 'orchestrator',
  critic: 'orchestrator',
  finalizer: 'claims',
  claims: 'verify',
  verify: end,
} as const

/** Where the team's work begins. */
export const teamStart = 'input'

/** The team's graph, for drawing. */
export const teamPicture: GraphPicture = pictureOfWays('ask', teamStart, teamEdges)
