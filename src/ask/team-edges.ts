import { type GraphPicture, toGraphPicture } from '../graph/draw-graph.ts'
import { end } from '../graph/graph.ts'
import type { AgentName } from './state.ts'

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
  finalizer: 'verify',
  verify: end,
} as const

/** Where the team's work begins. */
export const teamStart = 'input'

/** The team's graph, for drawing. */
export const teamPicture: GraphPicture = toGraphPicture('ask', teamStart, teamEdges)
