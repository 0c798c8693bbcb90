import * as z from 'zod'
import type { ReadPassage } from '../citations/claim.ts'
import type { CriticInput } from '../citations/role-requests.ts'
import type { Patch } from '../graph/graph.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence, modelText, openConversation } from '../team/conversation.ts'
import { citedNumbers, readEvidence } from '../team/evidence.ts'
import { continuationPrompts, toEarlierTurns } from './earlier.ts'
import { selectPictures } from './pictures.ts'
import { toPlannerOutput } from './plan.ts'
import { presentQuestion } from './research-web.ts'
import { createResponse, describeResearch, findLastInstruction, withinBoundary } from './roles.ts'
import type { AskState, Worker } from './state.ts'
import type { TeamParts } from './team.ts'

const critiqueSchema = z.object({
  decision: z.enum(['approve', 'reject']),
  feedback: modelText.default(''),
})

type Critique = z.output<typeof critiqueSchema>

/** The critic: judges the work of the role that the current step names. */
export function critiqueNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<Patch<AskState>> =>
    withinBoundary(state.currentStep, context, async () => {
      const work = state.currentStep.replace('critic_', '') as Worker
      const evidence = await loadEvidence(team, state, work, context)
      const critique = await judge(team, state, work, evidence, context)
      const stepId = work === 'researcher' ? state.currentResearchIndex : null
      return {
        ...toDecisionPatch(work, critique),
        agentMessages: [
          createResponse(context, `critic_${work}`, stepId, JSON.stringify(critique)),
        ],
      }
    })
}

/** A critique without a usable form was asked for twice by then, and counts as a rejection. */
async function judge(
  team: TeamParts,
  state: AskState,
  work: Worker,
  evidence: readonly ReadPassage[],
  context: RunContext,
): Promise<Critique> {
  const opened = openConversation(
    context,
    team.prompts[`critic_${work}`],
    promptValues(state, evidence),
    `${findLastInstruction(state.agentMessages, `critic_${work}`)}${describeCited(state, work, evidence)}`,
    selectAdditions(team, state, work),
  )
  const pictures = work === 'planner' ? [] : selectPictures(state, 'critic')
  const messages = [...opened, ...(await context.loadMessages(pictures))]
  const roleInput = { ...createCriticInput(state, work, evidence), ...toEarlierTurns(state) }
  const model = context.services.models.forRole('critic')
  if (model.effect === 'pure' && state.criteria[work] !== undefined) {
    const text = `${model.name} does not use criteria: those for the ${work} have no effect.`
    await context.notice('criteria', 'warning', text)
  }
  try {
    return (
      await callModelForObject(context, 'model', model, { messages, roleInput }, critiqueSchema)
    ).value
  } catch (error) {
    if (!(error instanceof ScholiumError) || error.code !== 'model_output_malformed') throw error
    await context.notice('malformed', 'warning', error.message)
    return {
      decision: 'reject',
      feedback: 'The critique had no usable form; look at the work again.',
    }
  }
}

/** What an answer that goes on from others cites: it may never have been among the results of this question. */
function describeCited(
  { earlier }: AskState,
  work: Worker,
  evidence: readonly ReadPassage[],
): string {
  if (earlier === null || work !== 'expert') return ''
  return `\nThe passages under the numbers that it cites (JSON):\n${describeEvidence(evidence)}`
}

/** What a critic is told beside its prompt: that steps may need each other, and what this run's people ask for. */
function selectAdditions({ prompts }: TeamParts, state: AskState, work: Worker): readonly string[] {
  const isAtOnce = work === 'planner' && !state.sequential
  const criteria = state.criteria[work] ?? ''
  return [
    ...(isAtOnce ? [prompts.critic_planner_needs] : []),
    ...continuationPrompts(state, prompts.critic_continued),
    ...(criteria === '' ? [] : [`${prompts.critic_criteria}\n\n${criteria}`]),
  ]
}

async function loadEvidence(
  team: TeamParts,
  state: AskState,
  work: Worker,
  context: RunContext,
): Promise<readonly ReadPassage[]> {
  if (work === 'planner') return []
  const text =
    work === 'researcher'
      ? (state.researchResults[state.currentResearchIndex]?.result ?? '')
      : state.expertAnswer
  const cited = citedNumbers(text)
  const references = state.passages.filter((passage) => cited.includes(passage.n))
  const passages = await readEvidence(context, team.library, references)
  return passages.filter((passage) => passage.text !== '')
}

function promptValues(
  state: AskState,
  evidence: readonly ReadPassage[],
): Readonly<Record<string, string>> {
  return {
    question: presentQuestion(state),
    research_request: `${state.researchSteps[state.currentResearchIndex] ?? ''}${describeEarlierResults(state)}`,
    evidence: describeEvidence(evidence),
    research_steps_and_results: describeResearch(state.researchResults),
  }
}

function describeEarlierResults({ earlierResults }: AskState): string {
  if (earlierResults.length === 0) return ''
  return `\n\nWhat had been found before, and the researcher was given (JSON):\n${describeResearch(earlierResults)}`
}

function createCriticInput(
  state: AskState,
  work: Worker,
  evidence: readonly ReadPassage[],
): CriticInput {
  const { question, researchResults } = state
  if (work === 'planner') {
    return { work, question, plan: toPlannerOutput(state) }
  }
  if (work === 'expert') {
    const answer = { expert_answer: state.expertAnswer, reasoning_trace: state.expertReasoning }
    return { work, question, research: researchResults, answer, evidence }
  }
  const { request, result } = researchResults[state.currentResearchIndex] ?? {
    request: '',
    result: '',
  }
  return { work, question, request, result, evidence }
}

function toDecisionPatch(work: Worker, { decision, feedback }: Critique): Patch<AskState> {
  if (work === 'planner')
    return { criticPlannerDecision: decision, criticPlannerFeedback: feedback }
  if (work === 'researcher')
    return { criticResearcherDecision: decision, criticResearcherFeedback: feedback }
  return { criticExpertDecision: decision, criticExpertFeedback: feedback }
}
