import { defineGraph, type Graph, initialState } from '../graph/graph.ts'
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
import { orchestrate, routeFromOrchestrator } from './orchestrate.ts'
import { failedResult } from './outcome.ts'
import { maxPlannedSteps, planNode } from './plan.ts'
import type { AskInput } from './question.ts'
import { researchNode } from './researcher.ts'
import { researchAllNode } from './research.ts'
import type { AskResult } from './result.ts'
import { withinBoundary } from './roles.ts'
import { type AskPatch, type AskState, channels, initialRetryLimit, withFields } from './state.ts'
import type { TeamParts } from './team.ts'
import { teamEdges, teamStart } from './team-edges.ts'
import { claimsNode, verifyNode } from './verify.ts'

/** The question team: every agent goes back to the orchestrator, which decides who is next. */
export function askGraph(team: TeamParts): Graph<AskState> {
  return defineGraph<AskState>({
    name: 'ask',
    channels,
    start: teamStart,
    nodes: {
      input: inputNode(team),
      orchestrator: orchestrate,
      planner: planNode(team),
      approval: approvalNode(),
      research: researchAllNode(team),
      researcher: researchNode(team),
      expert: expertNode(team),
      critic: critiqueNode(team),
      finalizer: finalizeNode(team),
      claims: claimsNode(team),
      verify: verifyNode(team),
    },
    edges: {
      ...teamEdges,
      orchestrator: { ...teamEdges.orchestrator, route: routeFromOrchestrator },
    },
    maxSteps: countMaxNodes(initialRetryLimit),
  })
}

/** A stage is a worker and its critic, each after the orchestrator: the plan, each research step, the answer. */
const nodesPerStage = 4
const maxStages = 2 + maxPlannedSteps
const fixedNodes = 5

/** A new plan, its critic and a person's review, each after the orchestrator, a hundred times. */
const nodesForApprovals = 6 * 100

/** The number of nodes of the largest plan with all its retries. */
function countMaxNodes(retryLimit: number, approvePlan = false): number {
  return (
    fixedNodes + nodesPerStage * (maxStages + retryLimit) + (approvePlan ? nodesForApprovals : 0)
  )
}

/** The `ask` workflow: a question in, a cited and checked answer out. */
export function askWorkflow(team: TeamParts): Workflow<AskInput, AskResult & JsonObject> {
  const graph = askGraph(team)
  return {
    ...defineAsk(team.prompts),
    async run(context, input) {
      const maxSteps = countMaxNodes(input.retryLimit ?? initialRetryLimit, input.approvePlan)
      const first = toInitialPatch(input)
      // A failure outside of the nodes is not to be retried: the run would fail in the same way each time it is resumed.
      const patch = await withinBoundary('ask', context, async () => {
        reserveFinalBudget(context, input.claims ?? 'mark')
        const { verdicts } = await runGraph({ ...graph, maxSteps }, context, first)
        return { verdicts: { result: verdicts.result } }
      })
      const result = patch.verdicts?.result ?? toFailedResult(first, patch)
      return result as AskResult & JsonObject
    },
  }
}

/** The result of a run that ended outside of its nodes. */
function toFailedResult(
  first: AskPatch,
  { control: { error, limit, gaps = [] } = {} }: AskPatch,
): AskResult {
  const failure = (error ?? limit) as Failure
  return failedResult(
    withFields(initialState(channels, first), { control: { gaps } }),
    'ask',
    failure,
  )
}
