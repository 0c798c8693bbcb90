import * as z from 'zod'
import type { ReadPassage } from '../citations/claim.ts'
import type { CriticInput } from '../citations/role-requests.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence, modelText, openConversation } from '../team/conversation.ts'
import { citedNumbers, readEvidence } from '../team/evidence.ts'
import { continuationPrompts, toEarlierTurns } from './earlier.ts'
import { selectPictures } from './pictures.ts'
import { toPlannerOutput } from './plan.ts'
import { presentQuestion } from './research-web.ts'
import { describeResearch, findLastInstruction, respond, withinBoundary } from './roles.ts'
import {
  type AskPatch,
  type AskState,
  mergePatches,
  type QuestionStage,
  type ResearchStage,
  type Worker,
} from './state.ts'
import type { TeamParts } from './team.ts'

const critiqueSchema = z.object({
  decision: z.enum(['approve', 'reject']),
  feedback: modelText.default(''),
})

type Critique = z.output<typeof critiqueSchema>

/** The critic: judges the work of the role that `atAgent` names: `critic_planner`, `critic_researcher` or `critic_expert`. */
export function critiqueNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary(state.control.atAgent, context, async () => {
      const { research, control } = state
      const work = control.atAgent.replace('critic_', '') as Worker
      const evidence = await loadEvidence(team, state, work, context)
      const critique = await judge(team, state, work, evidence, context)
      const stepId = work === 'researcher' ? research.index : null
      return mergePatches(
        toDecisionPatch(work, critique),
        respond(context, `critic_${work}`, stepId, JSON.stringify(critique)),
      )
    })
}

/** By then, a valid critique was asked for twice; an invalid one counts as a rejection. */
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
    `${findLastInstruction(state.control.messages, `critic_${work}`)}${describeCited(state.question, work, evidence)}`,
    selectAdditions(team, state.question, work),
  )
  const pictures = work === 'planner' ? [] : selectPictures(state.question, 'critic')
  const messages = [...opened, ...(await context.loadMessages(pictures))]
  const roleRequest = {
    ...createCriticInput(state, work, evidence),
    ...toEarlierTurns(state.question),
  }
  const model = context.services.models.forRole('critic')
  if (model.effect === 'pure' && state.question.criteria[work] !== undefined) {
    const text = `${model.name} does not use criteria: those for the ${work} have no effect.`
    await context.notice('criteria', 'warning', text)
  }
  try {
    return (
      await callModelForObject(context, 'model', model, { messages, roleRequest }, critiqueSchema)
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

/** What an answer to a follow-up question cites: it may not be among the results of this question. */
function describeCited(
  { earlier }: QuestionStage,
  work: Worker,
  evidence: readonly ReadPassage[],
): string {
  if (earlier === null || work !== 'expert') return ''
  return `\nThe passages under the numbers that it cites:\n${describeEvidence(evidence)}`
}

/** Additions to a critic's prompt: that steps may need each other, and this run's own criteria. */
function selectAdditions(
  { prompts }: TeamParts,
  question: QuestionStage,
  work: Worker,
): readonly string[] {
  const isAtOnce = work === 'planner' && !question.sequential
  const criteria = question.criteria[work] ?? ''
  return [
    ...(isAtOnce ? [prompts.critic_planner_needs] : []),
    ...continuationPrompts(question, prompts.critic_continued),
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
      ? (state.research.results[state.research.index]?.result ?? '')
      : state.answer.draft
  const cited = citedNumbers(text)
  const references = state.research.passages.filter((passage) => cited.includes(passage.n))
  const passages = await readEvidence(context, team.library, references, state.research.citations)
  return passages.filter((passage) => passage.text !== '')
}

function promptValues(
  state: AskState,
  evidence: readonly ReadPassage[],
): Readonly<Record<string, string>> {
  return {
    question: presentQuestion(state.question),
    research_request: `${state.plan.researchSteps[state.research.index] ?? ''}${describeEarlierResults(state.research)}`,
    evidence: describeEvidence(evidence),
    research_steps_and_results: describeResearch(state.research.results, state.research.citations),
  }
}

function describeEarlierResults({ earlierResults }: ResearchStage): string {
  if (earlierResults.length === 0) return ''
  return `\n\nWhat had been found before, and the researcher was given (JSON):\n${describeResearch(earlierResults)}`
}

function createCriticInput(
  { question, plan, research, answer }: AskState,
  work: Worker,
  evidence: readonly ReadPassage[],
): CriticInput {
  const asked = { question: question.text }
  if (work === 'planner') return { work, ...asked, plan: toPlannerOutput(plan) }
  if (work === 'expert') {
    const draft = { expert_answer: answer.draft, reasoning_trace: answer.draftReasoning }
    return { work, ...asked, research: research.results, answer: draft, evidence }
  }
  const { request, result } = research.results[research.index] ?? { request: '', result: '' }
  return { work, ...asked, request, result, evidence }
}

function toDecisionPatch(work: Worker, { decision, feedback }: Critique): AskPatch {
  if (work === 'planner') return { plan: { decision, feedback } }
  if (work === 'researcher') return { research: { decision, feedback } }
  return { answer: { decision, feedback } }
}
