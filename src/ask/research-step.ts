import { defineGraph, end, type Graph } from '../graph/graph.ts'
import { critiqueNode } from './critique.ts'
import { orchestrateStep } from './orchestrate.ts'
import { researchNode } from './research.ts'
import { type AskState, channels } from './state.ts'
import type { TeamParts } from './team.ts'

/** A worker and its critic, each after the orchestrator. An attempt is rejected as often as the limit says at most. */
const nodesPerAttempt = 4

/**
 * One research step that is worked on beside others: a researcher and its critic, who know nothing of the others, until the
 * result is approved or the step can go no further. Its state is that of a team with this one step.
 */
export function researchStepGraph(team: TeamParts, retryLimit: number): Graph<AskState> {
  return defineGraph<AskState>({
    name: 'research step',
    channels,
    start: 'orchestrator',
    nodes: {
      orchestrator: orchestrateStep,
      attempt: researchNode(team),
      critic: critiqueNode(team),
    },
    edges: {
      orchestrator: { targets: ['attempt', 'critic', end], route: routeFromOrchestrator },
      attempt: 'orchestrator',
      critic: 'orchestrator',
    },
    maxSteps: nodesPerAttempt * Math.max(1, retryLimit) + 1,
  })
}

function routeFromOrchestrator({ currentStep }: AskState): string {
  if (currentStep === 'researcher') return 'attempt'
  return currentStep === 'critic_researcher' ? 'critic' : end
}
