import { type GraphPicture, toGraphPicture } from '../graph/draw-graph.ts'
import { defineGraph, end, type Graph, initialState } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { approvalNode } from './approve-plan.ts'
import { defineAsk, toInitialPatch } from './ask-definition.ts'
import { reserveFinalBudget } from './budget.ts'
import { critiqueNode } from './critique.ts'
import { expertNode } from './expert.ts'
import { finalizeNode } from './finalize.ts'
import { inputNode } from './input.ts'
import { nodeOfAgent, orchestrate, routeFromOrchestrator } from './orchestrate.ts'
import { failedResult } from './outcome.ts'
import { maxPlannedSteps, planNode } from './plan.ts'
import type { AskInput } from './question.ts'
import { nodesPerRound, researchNode } from './research.ts'
import { researcherNode } from './researcher.ts'
import type { AskResult } from './result.ts'
import { withinBoundary } from './roles.ts'
import { type AskPatch, type AskState, channels, initialRetryLimit, stateAfter } from './state.ts'
import type { TeamParts } from './team.ts'
import { verifyNode } from './verify.ts'

/** Where each node leads: the orchestrator to the node of the agent that works next, each of these back to it, the finalizer to the end. */
const edges = {
  input: 'orchestrator',
  orchestrator: { targets: [...new Set(Object.values(nodeOfAgent))], route: routeFromOrchestrator },
  planner: 'orchestrator',
  approval: 'orchestrator',
  research: 'orchestrator',
  researcher: 'orchestrator',
  expert: 'orchestrator',
  critic: 'orchestrator',
  finalizer: 'verify',
  verify: end,
} as const

const start = 'input'

/** The team's graph, for drawing. */
export const teamPicture: GraphPicture = toGraphPicture('ask', start, edges)

/**
 * The question team: after each agent's node the orchestrator decides who works next; the finalizer and then `verify` end the work.
 * Each node does its work {@link withinBoundary}: a failure becomes part of its patch (`control.error`, `.limit` or `.malformed`), so
 * that the orchestrator decides about it like about all else. Only failures that end every run, such as a cancellation, are thrown.
 */
function askGraph(team: TeamParts): Graph<AskState> {
  return defineGraph<AskState>({
    name: 'ask',
    channels,
    start,
    nodes: {
      input: inputNode(team),
      orchestrator: orchestrate,
      planner: planNode(team),
      approval: approvalNode(),
      research: researchNode(team),
      researcher: researcherNode(team),
      expert: expertNode(team),
      critic: critiqueNode(team),
      finalizer: finalizeNode(team),
      verify: verifyNode(team),
    },
    edges,
    maxVisits: countMaxNodes(initialRetryLimit),
  })
}

/** Rounds without a rejection: one for the plan, one for each research step, one for the answer. */
const maxRounds = 2 + maxPlannedSteps
/** Input, the last visit of the orchestrator, finalizer, verify. */
const fixedNodes = 4

/** A new plan, its critic and a person's review, each after the orchestrator, a hundred times. */
const nodesForApprovals = 6 * 100

/** The most nodes that a run can visit: those of the largest plan, with a further round for each rejection. */
function countMaxNodes(retryLimit: number, approvePlan = false): number {
  return (
    fixedNodes + nodesPerRound * (maxRounds + retryLimit) + (approvePlan ? nodesForApprovals : 0)
  )
}

/** The `ask` workflow: a question in, a cited and checked answer out. */
export function askWorkflow(team: TeamParts): Workflow<AskInput, AskResult & JsonObject> {
  const graph = askGraph(team)
  return {
    ...defineAsk(team.prompts),
    async run(context, input) {
      const maxVisits = countMaxNodes(input.retryLimit ?? initialRetryLimit, input.approvePlan)
      const first = toInitialPatch(input)
      // What fails outside of the nodes ends the run as failed: resumed, it would fail in the same way.
      const patch = await withinBoundary('ask', context, async () => {
        reserveFinalBudget(context, input.claims ?? 'mark')
        const { verdicts } = await runGraph({ ...graph, maxVisits }, context, first)
        return { verdicts: { result: verdicts.result } }
      })
      const result = patch.verdicts?.result ?? toFailedResult(first, patch)
      return result as AskResult & JsonObject
    },
  }
}

/** The result of a run that failed outside of its nodes. */
function toFailedResult(
  first: AskPatch,
  { control: { error, limit, gaps = [] } = {} }: AskPatch,
): AskResult {
  const failure = (error ?? limit) as Failure
  return failedResult(
    stateAfter(initialState(channels, first), { control: { gaps } }),
    'ask',
    failure,
  )
}
