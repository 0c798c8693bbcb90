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
export function remarkOn(path: string, before: AskState, after: AskState, node: string): string[] {
  const [stage = '', name = ''] = path.split(/[.[]/)
  const field = `${stage}.${name}`
  if (canonicalJson(valueAt(after, stage, name)) === canonicalJson(valueAt(before, stage, name)))
    return [`${path} already has this value: the change has no effect.`]
  const writer = writerAhead(field, before, node)
  if (writer !== undefined)
    return [`${path} is overwritten by ${writer} after this step: the change has no effect.`]
  return isBehindUse(field, before, node)
    ? [`${path} is not used after this step: the change has no effect.`]
    : []
}

function valueAt(state: AskState, stage: string, field: string): Json {
  return ((state as JsonObject)[stage] as JsonObject)[field] ?? null
}

/** Who gives a field a new value before anybody looks at it. */
function writerAhead(field: string, state: AskState, node: string): string | undefined {
  const { currentStep, error, limit } = state.control
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

const ofInput: ReadonlySet<string> = new Set(['question.sourceIds', 'control.currentStep'])
const ofPlan: ReadonlySet<string> = new Set([
  'plan.researchSteps',
  'plan.needs',
  'plan.expertSteps',
])
const ofResearch: ReadonlySet<string> = new Set([
  'research.earlierResults',
  'research.results',
  'research.researchers',
  'research.index',
])
const ofAnswer: ReadonlySet<string> = new Set(['answer.draft', 'answer.draftReasoning'])

/** Whether nobody looks at a field any more. */
function isBehindUse(field: string, { control: { currentStep } }: AskState, node: string): boolean {
  if (field === 'control.nextStep') return true
  if (field === 'question.files' || field === 'question.filesWithin') return node !== ''
  if (isWritten(node) && ofWriting.has(field)) return true
  if (node === 'claims' && field === 'question.claims') return true
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
    return state.question.claims === 'strict' ? ['verifier', 'finalizer'] : ['verifier']
  const { currentStep, error, limit } = state.control
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
  if (stage === 'planner') return state.plan.decision
  return stage === 'expert' ? state.answer.decision : ''
}

const ofWriting: ReadonlySet<string> = new Set([
  'answer.draft',
  'answer.draftReasoning',
  'control.messages',
])

const ofCritique: ReadonlySet<string> = new Set([
  'question.sourceIds',
  'control.retryCount',
  'control.retryLimit',
  'control.retryLimits',
  'answer.conversation',
  'plan.decision',
  'plan.feedback',
  'research.decision',
  'research.feedback',
  'answer.feedback',
])
