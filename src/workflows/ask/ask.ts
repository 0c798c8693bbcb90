import { foldState } from '../../graph/fold-state.ts'
import { defineGraph, end, type Graph, initialState, type Patch } from '../../graph/graph.ts'
import { runGraph } from '../../graph/run-graph.ts'
import type { Failure } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Workflow } from '../../kernel/workflow.ts'
import { promptHashes } from '../prompt-files.ts'
import { approvalNode } from './approve-plan.ts'
import { claimsNode } from './claims.ts'
import { critiqueNode } from './critique.ts'
import type { Earlier } from './earlier.ts'
import { expertNode } from './expert.ts'
import { setAsideFinalShare } from './final-share.ts'
import { finalizeNode } from './finalize.ts'
import { cleanQuestion, inputNode } from './input.ts'
import { orchestrate, orchestratorTargets, routeFromOrchestrator } from './orchestrate.ts'
import { maxPlannedSteps, planNode } from './plan.ts'
import { researchNode } from './research.ts'
import { researchAllNode } from './research-all.ts'
import type { AnswerFormat, AskResult, ClaimPolicy } from './result.ts'
import { withinBoundary } from './roles.ts'
import { type AskState, channels, initialRetryLimit } from './state.ts'
import type { TeamParts } from './team.ts'
import { failedResult, verifyNode } from './verify.ts'

/** What is asked, of which files beside the library, with how many rejections. */
export type AskInput = {
  readonly question: string
  readonly files: readonly string[]
  /** The folder out of which no file is read, whatever links say. Default: links are followed anywhere. */
  readonly filesWithin?: string
  /** Rejections by critics at most, over all roles. Default 5. */
  readonly retryLimit?: number
  /** Rejections by role at most. */
  readonly retryLimits?: AskState['retryLimits']
  /** What becomes of claims that do not hold. Default `mark`. */
  readonly claims?: ClaimPolicy
  /** Whether the web may be asked. Default false. */
  readonly web?: boolean
  /** Whether models that take pictures are shown those among the sources. Default, as in version 0.1: false. */
  readonly pictures?: boolean
  /** The MCP servers that may be used, by name. Default: none. */
  readonly mcp?: readonly string[]
  /** Whether the expert may run Python. Default, as in version 0.1: false. */
  readonly python?: boolean
  /** Whether research steps are worked on one after the other. Default, as in version 0.1: true. */
  readonly sequential?: boolean
  /** Whether a person is asked before the plan is worked on. Default false. */
  readonly approvePlan?: boolean
  /** Default `full`. */
  readonly answerFormat?: AnswerFormat
  /** What a role's critic looks at beside its instructions. */
  readonly criteria?: AskState['criteria']
  /** What the run from which this one goes on leaves to it. */
  readonly earlier?: Earlier
}

/** The question team: every agent goes back to the orchestrator, which decides who is next. */
export function askGraph(team: TeamParts): Graph<AskState> {
  return defineGraph<AskState>({
    name: 'ask',
    channels,
    start: 'input',
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
      input: 'orchestrator',
      orchestrator: { targets: orchestratorTargets, route: routeFromOrchestrator },
      planner: 'orchestrator',
      approval: 'orchestrator',
      research: 'orchestrator',
      researcher: 'orchestrator',
      expert: 'orchestrator',
      critic: 'orchestrator',
      finalizer: 'claims',
      claims: 'verify',
      verify: end,
    },
    maxSteps: maxNodes(initialRetryLimit),
  })
}

/** A stage is a worker and its critic, each after the orchestrator: the plan, each research step, the answer. */
const nodesPerStage = 4
const maxStages = 2 + maxPlannedSteps
const nodesBeside = 5

/** A new plan with its critic and a person's look at it, each after the orchestrator, as often as nobody asks for one. */
const nodesOfPeople = 6 * 100

/** As many nodes as the largest plan with all its retries has. */
function maxNodes(retryLimit: number, approvePlan = false): number {
  return nodesBeside + nodesPerStage * (maxStages + retryLimit) + (approvePlan ? nodesOfPeople : 0)
}

/** The `ask` workflow: a question in, a cited and checked answer out. */
export function askWorkflow(team: TeamParts): Workflow<AskInput, AskResult & JsonObject> {
  const graph = askGraph(team)
  return {
    name: 'ask',
    version: '1',
    promptHashes: promptHashes(team.prompts),
    title: ({ question }) => cleanQuestion(question).replaceAll(/\s+/g, ' ').slice(0, 200),
    async run(context, input) {
      const maxSteps = maxNodes(input.retryLimit ?? initialRetryLimit, input.approvePlan)
      const first = firstPatch(input)
      // What no node has caught is no interruption: the run would fail in the same way each time it went on.
      const patch = await withinBoundary('ask', context, async () => {
        setAsideFinalShare(context, input.claims ?? 'mark')
        const { result } = await runGraph({ ...graph, maxSteps }, context, first)
        return { result }
      })
      const result = patch.result ?? failedAsk(first, patch)
      return result as AskResult & JsonObject
    },
    foldState: (input, ends) => foldState(channels, firstPatch(input), ends),
    status: (result) => result.status,
  }
}

/** The result of a run that ended outside of its nodes. */
function failedAsk(
  first: Patch<AskState>,
  { error, limit, gaps = [] }: Patch<AskState>,
): AskResult {
  const failure = (error ?? limit) as Failure
  return failedResult({ ...initialState(channels, first), gaps }, 'ask', failure)
}

/** What the input gives to the state: each of its members is a field. */
function firstPatch({ question, ...others }: AskInput): Patch<AskState> {
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  return { question: cleanQuestion(question), ...Object.fromEntries(given) }
}
