import { EvidenceLedger } from '../citations/ledger.ts'
import { notAnsweredText, type ResearchResult } from '../citations/role-requests.ts'
import { renumberMarks } from '../claims/renumber-marks.ts'
import { defineGraph, end, type Graph } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { runWithDependencies } from '../kernel/run/run-with-dependencies.ts'
import type { Gap } from '../team/gap.ts'
import { BudgetGate } from './budget.ts'
import { critiqueNode } from './critique.ts'
import { orchestrateResearchStep } from './orchestrate.ts'
import { resolveNeeds } from './plan.ts'
import { researcherNode } from './researcher.ts'
import {
  type AskPatch,
  type AskState,
  channels,
  mergePatches,
  type ResearcherState,
  withFields,
} from './state.ts'
import type { TeamParts } from './team.ts'

/** Maximum number of researchers in parallel. */
const maxConcurrentResearchers = 4

/**
 * The node that works on all research steps of a plan, each with its own researcher and critic: in parallel if they do
 * not need each other, and fewer at once near a limit. Each step is a graph with its own state. The final states are
 * merged in the plan's order, so that nothing depends on which step is faster.
 */
export function researchNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<AskPatch> => {
    const needs = resolveNeeds(state.plan)
    const graph = researchStepGraph(team, state.control.retryLimit)
    const branches = needs.map((_, index) => context.branch(`branch[${index + 1}]`))
    const gate = new BudgetGate(context)
    const ended: (AskState | undefined)[] = []
    // Most failures become part of a step's state; the few that end the run at once are thrown, and no other step begins then.
    let isStopped = false
    const settled = await runWithDependencies(needs, maxConcurrentResearchers, async (index) => {
      const needed = (needs[index] ?? []).map((one) => ended[one])
      // A result that this step needs was not approved, so this step cannot begin.
      if (!needed.every(isApproved)) return
      const branch = branches[index] as RunContext
      branch.join((needs[index] ?? []).map((one) => branches[one] as RunContext))
      const inBranch = branch.child(`researcher[${index + 1}]`)
      await gate.run(async () => {
        if (isStopped) return
        ended[index] = await runGraph(
          graph,
          inBranch,
          createResearchStepState(state, index, needed),
        ).catch((error: unknown) => {
          isStopped = true
          throw error
        })
      })
    })
    for (const result of settled) if (result.status === 'rejected') throw result.reason
    return mergeResearchSteps(
      state,
      needs.map((_, index) => ended[index]),
    )
  }
}

/** The nodes of one round: a worker and its critic, each after the orchestrator. */
export const nodesPerRound = 4

/**
 * One research step of several in parallel: a researcher and its critic, who know of other steps only the results
 * that theirs needs, until the result is approved or the step fails. Its state is that of a team with this one step.
 */
function researchStepGraph(team: TeamParts, retryLimit: number): Graph<AskState> {
  return defineGraph<AskState>({
    name: 'research step',
    channels,
    start: 'orchestrator',
    nodes: {
      orchestrator: orchestrateResearchStep,
      // The researcher's node; its name in the log is an attempt of `researcher[n]`.
      attempt: researcherNode(team),
      critic: critiqueNode(team),
    },
    edges: {
      orchestrator: { targets: ['attempt', 'critic', end], route: routeInResearchStep },
      attempt: 'orchestrator',
      critic: 'orchestrator',
    },
    maxVisits: nodesPerRound * Math.max(1, retryLimit) + 1,
  })
}

function routeInResearchStep({ control: { atAgent } }: AskState): string {
  if (atAgent === 'researcher') return 'attempt'
  return atAgent === 'critic_researcher' ? 'critic' : end
}

/** The initial state of one research step: a plan of this step alone, with the results that it needs. */
export function createResearchStepState(
  state: AskState,
  index: number,
  needed: readonly AskState[],
): AskState {
  const { ledger, results } = mergeEvidence(state, needed)
  return withFields(state, {
    plan: { researchSteps: [state.plan.researchSteps[index] ?? ''], needs: [] },
    research: {
      earlierResults: results,
      index: 0,
      results: [],
      researchers: {},
      decision: '',
      feedback: '',
      citations: ledger.citations,
      passages: ledger.passages,
    },
    control: { messages: [], gaps: [], atAgent: '' },
  })
}

/** Whether a research step has a result that its critic approved. */
function isApproved(step: AskState | undefined): step is AskState {
  return step?.research.decision === 'approve'
}

/**
 * Merges the research steps' results into the state, in the plan's order: numbers are merged and updated in the
 * results; rejections add up, and end the work if their sum reaches a limit; of several failures, the first counts.
 *
 * @param steps their final states; `undefined` for a step that never started
 */
export function mergeResearchSteps(
  state: AskState,
  steps: readonly (AskState | undefined)[],
): AskPatch {
  const begun = steps.flatMap((step, index) => (step === undefined ? [] : [{ step, index }]))
  const { ledger, results } = mergeEvidence(
    state,
    begun.map(({ step }) => step),
  )
  const error = begun.find(({ step }) => step.control.error !== null)?.step.control
  const limit = begun.find(({ step }) => step.control.limit !== null)?.step.control.limit
  const rejections = mergeRejections(
    state,
    begun.map(({ step }) => step),
    error === undefined && limit === undefined,
  )
  const isWhole = error === undefined && limit === undefined && rejections.answer === undefined
  const gaps = mergeGaps(begun.map(({ step }) => step))
  const researchers = begun.flatMap(({ step, index }) => researcherEntry(step, index))
  return mergePatches(
    {
      research: {
        results,
        // As after the last sequential step; `researchers` are keyed by the steps' indexes in the plan.
        index: results.length,
        researchers: Object.fromEntries(researchers),
        citations: ledger.citations,
        passages: ledger.passages,
      },
      control: {
        messages: begun.flatMap(({ step, index }) => messagesWithStep(step, index)),
        gaps: isWhole ? [...gaps, ...findUnstartedSteps(state, steps)] : gaps,
        ...(error === undefined
          ? {}
          : { error: error.error, errorComponent: error.errorComponent }),
        ...(limit === undefined ? {} : { limit }),
      },
    },
    rejections,
  )
}

/** The numbers of a state with those of the steps, in order, and the approved results with these numbers. */
function mergeEvidence(
  state: AskState,
  steps: readonly AskState[],
): { readonly ledger: EvidenceLedger; readonly results: readonly ResearchResult[] } {
  const ledger = new EvidenceLedger(state.research.citations, state.research.passages)
  const merged = steps.map((step) => ({
    step,
    numbers: ledger.merge(new EvidenceLedger(step.research.citations, step.research.passages)),
  }))
  const { size } = ledger.index
  const results = merged.flatMap(({ step, numbers }) =>
    isApproved(step)
      ? step.research.results.map(({ request, result }) => ({
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
  const kept = step.research.researchers[0]
  return kept === undefined ? [] : [[String(index), { ...kept, stepIndex: index }]]
}

/** The messages about a research step, with its index in the plan. Their numbers are those that its researcher saw. */
function messagesWithStep({ control }: AskState, stepId: number): readonly Message[] {
  return control.messages.map((message) =>
    message.meta === undefined ? message : { ...message, meta: { ...message.meta, stepId } },
  )
}

/** Gaps for the research steps that did not start because a step they need was not approved. */
function findUnstartedSteps(
  { plan }: AskState,
  steps: readonly (AskState | undefined)[],
): readonly Gap[] {
  return plan.researchSteps.flatMap((request, index): readonly Gap[] =>
    steps[index] === undefined
      ? [{ kind: 'no_evidence', detail: `${request} (this step was not carried out)` }]
      : [],
  )
}

/** A limit stops several research steps at once: it is reported once. */
function mergeGaps(steps: readonly AskState[]): readonly Gap[] {
  const gaps = steps.flatMap((step) => step.control.gaps)
  const first = gaps.find(({ kind }) => kind === 'limit')
  return gaps.filter((gap) => gap.kind !== 'limit' || gap === first)
}

/** Each research step could use all rejections that were left; together they may not use more. */
function mergeRejections(
  { control }: AskState,
  steps: readonly AskState[],
  isContinuing: boolean,
): AskPatch {
  const { retryLimit, retryLimits } = control
  const added = steps.reduce(
    (sum, step) => sum + step.control.rejectionCount - control.rejectionCount,
    0,
  )
  if (added === 0) return {}
  const researcher = control.rejections.researcher + added
  const rejectionCount = control.rejectionCount + added
  const isOver = rejectionCount >= retryLimit || researcher >= (retryLimits.researcher ?? Infinity)
  return {
    control: {
      rejectionCount: Math.min(rejectionCount, Math.max(retryLimit, control.rejectionCount)),
      rejections: { ...control.rejections, researcher },
    },
    ...(isOver && isContinuing
      ? { answer: { text: notAnsweredText, reasoning: notAnsweredText } }
      : {}),
  }
}
