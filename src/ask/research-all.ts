import { EvidenceLedger } from '../citations/ledger.ts'
import { notAnsweredText, type ResearchResult } from '../citations/role-requests.ts'
import { renumberMarks } from '../claims/renumber-marks.ts'
import { defineGraph, end, type Graph, type Patch } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { settleByNeeds } from '../kernel/run/settle-by-needs.ts'
import type { Gap } from '../team/gap.ts'
import { BudgetGate } from './budget.ts'
import { critiqueNode } from './critique.ts'
import { orchestrateStep } from './orchestrate.ts'
import { resolveNeeds } from './plan.ts'
import { researchNode } from './research.ts'
import { type AskState, channels, type ResearcherState } from './state.ts'
import type { TeamParts } from './team.ts'

/** Researchers that work at once at most. */
export const maxConcurrentResearchers = 4

/**
 * All research steps: each with a researcher and a critic of its own, those at once that do not need each other, and fewer of
 * them where a limit is near. What comes of them meets at the end, in the plan's order, so that nothing depends on which of them is faster.
 */
export function researchAllNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<Patch<AskState>> => {
    const needs = resolveNeeds(state)
    const graph = researchStepGraph(team, state.retryLimit)
    const branches = needs.map((_, index) => context.branch(`branch[${index + 1}]`))
    const room = new BudgetGate(context)
    const ended: (AskState | undefined)[] = []
    let isStopped = false
    const settled = await settleByNeeds(needs, maxConcurrentResearchers, async (index) => {
      const needed = (needs[index] ?? []).map((one) => ended[one])
      // What a step rests on was not found: there is nothing that it could ask for.
      if (!needed.every(isApproved)) return
      const branch = branches[index] as RunContext
      branch.join((needs[index] ?? []).map((one) => branches[one] as RunContext))
      const inBranch = branch.child(`researcher[${index + 1}]`)
      await room.run(async () => {
        if (isStopped) return
        ended[index] = await runGraph(graph, inBranch, createStepState(state, index, needed)).catch(
          (error: unknown) => {
            isStopped = true
            throw error
          },
        )
      })
    })
    for (const result of settled) if (result.status === 'rejected') throw result.reason
    return mergeSteps(
      state,
      needs.map((_, index) => ended[index]),
    )
  }
}

/** A worker and its critic, each after the orchestrator. An attempt is rejected as often as the limit says at most. */
const nodesPerAttempt = 4

/**
 * One research step that is worked on beside others: a researcher and its critic, who know nothing of the others, until the
 * result is approved or the step can go no further. Its state is that of a team with this one step.
 */
function researchStepGraph(team: TeamParts, retryLimit: number): Graph<AskState> {
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

/** How a research step began that is worked on beside others: with what it needs, and nothing of the rest. */
export function createStepState(
  state: AskState,
  index: number,
  needed: readonly AskState[],
): AskState {
  const { ledger, results } = mergeEvidence(state, needed)
  return {
    ...state,
    researchSteps: [state.researchSteps[index] ?? ''],
    researchNeeds: [],
    earlierResults: results,
    currentResearchIndex: 0,
    researchResults: [],
    researcherStates: {},
    agentMessages: [],
    gaps: [],
    currentStep: '',
    criticResearcherDecision: '',
    criticResearcherFeedback: '',
    citations: ledger.citations,
    passages: ledger.passages,
  }
}

/** Whether a research step came to a result that its critic approved. */
function isApproved(step: AskState | undefined): step is AskState {
  return step?.criticResearcherDecision === 'approve'
}

/**
 * What the research steps give to the state, in the plan's order: numbers are merged, and results written with them; rejections
 * add up, and end the work where they reach a limit together; of failures the first counts.
 *
 * @param steps their last states; of one that never began, nothing
 */
export function mergeSteps(
  state: AskState,
  steps: readonly (AskState | undefined)[],
): Patch<AskState> {
  const begun = steps.flatMap((step, index) => (step === undefined ? [] : [{ step, index }]))
  const { ledger, results } = mergeEvidence(
    state,
    begun.map(({ step }) => step),
  )
  const failed = begun.find(({ step }) => step.error !== null)?.step
  const limit = begun.find(({ step }) => step.limit !== null)?.step.limit ?? null
  const rejections = mergeRejections(
    state,
    begun.map(({ step }) => step),
    failed === undefined && limit === null,
  )
  const isWhole = failed === undefined && limit === null && rejections.finalAnswer === undefined
  const gaps = mergeGaps(begun.map(({ step }) => step))
  return {
    researchResults: results,
    // As after the last approval of one step after the other: all that is there was approved.
    currentResearchIndex: results.length,
    researcherStates: Object.fromEntries(
      begun.flatMap(({ step, index }) => researcherEntry(step, index)),
    ),
    agentMessages: begun.flatMap(({ step, index }) => messagesWithStep(step, index)),
    citations: ledger.citations,
    passages: ledger.passages,
    gaps: isWhole ? [...gaps, ...findUnstartedSteps(state, steps)] : gaps,
    ...(failed === undefined ? {} : { error: failed.error, errorComponent: failed.errorComponent }),
    ...(limit === null ? {} : { limit }),
    ...rejections,
  }
}

/** The numbers of a state with those of steps, in their order, and the approved results with these numbers. */
function mergeEvidence(
  state: AskState,
  steps: readonly AskState[],
): { readonly ledger: EvidenceLedger; readonly results: readonly ResearchResult[] } {
  const ledger = new EvidenceLedger(state.citations, state.passages)
  const merged = steps.map((step) => ({
    step,
    numbers: ledger.merge(new EvidenceLedger(step.citations, step.passages)),
  }))
  const { size } = ledger.index
  const results = merged.flatMap(({ step, numbers }) =>
    isApproved(step)
      ? step.researchResults.map(({ request, result }) => ({
          request,
          result: renumberMarks(result, numbers, size),
        }))
      : [],
  )
  return { ledger, results }
}

function researcherEntry(
  step: AskState,
  index: number,
): readonly (readonly [string, ResearcherState])[] {
  const kept = step.researcherStates[0]
  return kept === undefined ? [] : [[String(index), { ...kept, stepIndex: index }]]
}

/** What was said about a step, with its place in the plan. The numbers in it are those that its researcher saw. */
function messagesWithStep({ agentMessages }: AskState, stepId: number): readonly Message[] {
  return agentMessages.map((message) =>
    message.meta === undefined ? message : { ...message, meta: { ...message.meta, stepId } },
  )
}

/** The steps that nobody worked on: where nothing has ended the work, that is told. */
function findUnstartedSteps(
  { researchSteps }: AskState,
  steps: readonly (AskState | undefined)[],
): readonly Gap[] {
  return researchSteps.flatMap((request, index): readonly Gap[] =>
    steps[index] === undefined
      ? [{ kind: 'no_evidence', detail: `${request} (this step was not carried out)` }]
      : [],
  )
}

/** A limit stops several at once: it is told once. */
function mergeGaps(steps: readonly AskState[]): readonly Gap[] {
  const gaps = steps.flatMap((step) => step.gaps)
  const first = gaps.find(({ kind }) => kind === 'limit')
  return gaps.filter((gap) => gap.kind !== 'limit' || gap === first)
}

/** Each step had all of the rejections that were left; together they may not have had more. */
function mergeRejections(
  state: AskState,
  steps: readonly AskState[],
  isGoingOn: boolean,
): Patch<AskState> {
  const rejections = steps.reduce((sum, step) => sum + step.retryCount - state.retryCount, 0)
  if (rejections === 0) return {}
  const { retryLimit, retryLimits } = state
  const researcher = state.retries.researcher + rejections
  const retryCount = state.retryCount + rejections
  const isOver = retryCount >= retryLimit || researcher >= (retryLimits.researcher ?? Infinity)
  return {
    retryCount: Math.min(retryCount, Math.max(retryLimit, state.retryCount)),
    retries: { ...state.retries, researcher },
    ...(isOver && isGoingOn
      ? { finalAnswer: notAnsweredText, finalReasoningTrace: notAnsweredText }
      : {}),
  }
}
