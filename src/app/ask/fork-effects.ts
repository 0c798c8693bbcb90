import type { AskState } from '../../ask/state.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Place } from '../../kernel/run/place.ts'
import type { rolesInUse } from '../models/roles.ts'

type Role = (typeof rolesInUse)[number]

/** The node of the graph that ended at a place; empty for the beginning. */
export function parseNode({ boundary }: Pick<Place, 'boundary'>): string {
  return /^[^/]+\/([^/[]+)/.exec(boundary)?.[1] ?? ''
}

/** What is to be said of a change that comes to nothing; empty for one that has an effect. */
export function remarkOn(
  path: string,
  state: JsonObject,
  fields: JsonObject,
  node: string,
): string[] {
  const field = /^[^.[]+/.exec(path)?.[0] ?? ''
  if (canonicalJson(fields[field] as Json) === canonicalJson(state[field] as Json))
    return [`${path} already has this value: the change has no effect.`]
  const writer = writerAhead(field, state as unknown as AskState, node)
  if (writer !== undefined)
    return [`${path} is overwritten by ${writer} after this step: the change has no effect.`]
  return isBehindUse(field, state as unknown as AskState, node)
    ? [`${path} is not used after this step: the change has no effect.`]
    : []
}

/** Who gives a field a new value before anybody looks at it. */
function writerAhead(field: string, state: AskState, node: string): string | undefined {
  const { currentStep, error, limit } = state
  if (error !== null || limit !== null || isWritten(node)) return undefined
  const isInstructed = node === 'orchestrator'
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan = !isBegun || (isInstructed && currentStep === 'planner')
  const isPlanned =
    currentStep === 'planner' || currentStep === 'critic_planner' || currentStep === 'approval'
  const isBeforeAll = isInstructed && currentStep === 'research'
  const isBeforeResearch = isBeforePlan || isPlanned || isBeforeAll
  const isResearch =
    currentStep === 'research' ||
    currentStep === 'researcher' ||
    currentStep === 'critic_researcher'
  const isBeforeAnswer =
    isBeforeResearch || isResearch || (isInstructed && currentStep === 'expert')
  if (node === '' && ofInput.has(field)) return 'reading the sources'
  if (isBeforePlan && ofPlan.has(field)) return 'the planner'
  if (isBeforeResearch && ofResearch.has(field)) return 'the start of research'
  return isBeforeAnswer && ofAnswer.has(field) ? 'the expert' : undefined
}

const ofInput: ReadonlySet<string> = new Set(['sourceIds', 'currentStep'])
const ofPlan: ReadonlySet<string> = new Set(['researchSteps', 'researchNeeds', 'expertSteps'])
const ofResearch: ReadonlySet<string> = new Set([
  'earlierResults',
  'researchResults',
  'researcherStates',
  'currentResearchIndex',
])
const ofAnswer: ReadonlySet<string> = new Set(['expertAnswer', 'expertReasoning'])

/** Whether nobody looks at a field any more. */
function isBehindUse(field: string, { currentStep }: AskState, node: string): boolean {
  if (field === 'nextStep') return true
  if (field === 'files' || field === 'filesWithin') return node !== ''
  if (isWritten(node) && ofWriting.has(field)) return true
  if (node === 'claims' && field === 'claims') return true
  return currentStep === 'finalizer' && ofCritique.has(field)
}

/** Whether the answer is written at a node's end, and only its claims are still looked at. */
export function isWritten(node: string): boolean {
  return node === 'finalizer' || node === 'claims'
}

/** Whose model may be asked after a place. */
export function rolesAhead(state: AskState, node: string): readonly Role[] {
  if (node === 'claims') return []
  // Sentences that do not hold are written anew by the finalizer.
  if (node === 'finalizer')
    return state.claims === 'strict' ? ['verifier', 'finalizer'] : ['verifier']
  const { currentStep, error, limit } = state
  const stage = parseStage(currentStep)
  if (error !== null || limit !== null || stage === 'finalizer') return ['finalizer', 'verifier']
  const isApproved = node === 'critic' && decisionOf(state, stage) === 'approve'
  const from = stage === 'expert' ? 2 : stage === 'researcher' ? 1 : 0
  const own = stage === 'researcher' || !isApproved ? from : from + 1
  return [...workers.slice(own), ...(own < workers.length ? critics : []), 'finalizer', 'verifier']
}

const workers = ['planner', 'researcher', 'expert'] as const
const critics = ['critic'] as const

/** Whose work a step belongs to. */
function parseStage(step: string): string {
  if (step === 'approval') return 'planner'
  return step === 'research' ? 'researcher' : step.replace('critic_', '')
}

function decisionOf(state: AskState, stage: string): string {
  if (stage === 'planner') return state.criticPlannerDecision
  return stage === 'expert' ? state.criticExpertDecision : ''
}

const ofWriting: ReadonlySet<string> = new Set(['expertAnswer', 'expertReasoning', 'agentMessages'])

const ofCritique: ReadonlySet<string> = new Set([
  'sourceIds',
  'retryCount',
  'retryLimit',
  'retryLimits',
  'expertState',
  'criticPlannerDecision',
  'criticPlannerFeedback',
  'criticResearcherDecision',
  'criticResearcherFeedback',
  'criticExpertFeedback',
])
