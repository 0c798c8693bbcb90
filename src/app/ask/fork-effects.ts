import type { AskState } from '../../ask/state.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Place } from '../../kernel/run/place.ts'
import type { rolesInUse } from '../models/roles.ts'

type Role = (typeof rolesInUse)[number]

/** The node that ended at a place; empty for the beginning. */
export function parseNode({ boundary }: Pick<Place, 'boundary'>): string {
  return /^[^/]+\/([^/[]+)/.exec(boundary)?.[1] ?? ''
}

/** Remarks on a change without effect; empty if it has one. */
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

/** The role that overwrites a field before anyone reads it. */
function writerAhead(field: string, state: AskState, node: string): string | undefined {
  const { atAgent, error, limit } = state.control
  if (error !== null || limit !== null || isWritten(node)) return undefined
  const isInstructed = node === 'orchestrator'
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan = !isBegun || (isInstructed && atAgent === 'planner')
  const isPlanned = atAgent === 'planner' || atAgent === 'critic_planner' || atAgent === 'approval'
  const isBeforeAll = isInstructed && atAgent === 'research'
  const isBeforeResearch = isBeforePlan || isPlanned || isBeforeAll
  const isResearch =
    atAgent === 'research' || atAgent === 'researcher' || atAgent === 'critic_researcher'
  const isBeforeAnswer = isBeforeResearch || isResearch || (isInstructed && atAgent === 'expert')
  if (node === '' && ofInput.has(field)) return 'reading the sources'
  if (isBeforePlan && ofPlan.has(field))
    return state.question.depth === 'quick' ? undefined : 'the planner'
  if (isBeforeResearch && ofResearch.has(field)) return 'the start of research'
  const answering = state.question.depth === 'quick' ? 'the researcher' : 'the expert'
  return isBeforeAnswer && ofAnswer.has(field) ? answering : undefined
}

const ofInput: ReadonlySet<string> = new Set(['question.sourceIds', 'control.atAgent'])
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

/** Whether no role reads a field after this place. */
function isBehindUse(field: string, { control: { atAgent } }: AskState, node: string): boolean {
  if (field === 'question.files' || field === 'question.filesWithin') return node !== ''
  if (isWritten(node) && ofWriting.has(field)) return true
  return atAgent === 'finalizer' && ofCritique.has(field)
}

/** Whether the answer is final at a node's end, except for the check of its claims. */
export function isWritten(node: string): boolean {
  return node === 'finalizer'
}

/** The roles whose models may be called after a place. */
export function rolesAhead(state: AskState, node: string): readonly Role[] {
  const roles = teamRolesAhead(state, node)
  return state.question.depth === 'quick' ? roles.filter((role) => quickRoles.has(role)) : roles
}

const quickRoles: ReadonlySet<Role> = new Set(['researcher', 'finalizer', 'verifier'])

function teamRolesAhead(state: AskState, node: string): readonly Role[] {
  // The finalizer rewrites unsupported sentences.
  if (node === 'finalizer')
    return state.question.claims === 'strict' ? ['verifier', 'finalizer'] : ['verifier']
  const { atAgent, error, limit } = state.control
  const stage = parseStage(atAgent)
  if (error !== null || limit !== null || stage === 'finalizer') return ['finalizer', 'verifier']
  const isApproved = node === 'critic' && decisionOf(state, stage) === 'approve'
  const from = stage === 'expert' ? 2 : stage === 'researcher' ? 1 : 0
  const own = stage === 'researcher' || !isApproved ? from : from + 1
  return [...workers.slice(own), ...(own < workers.length ? critics : []), 'finalizer', 'verifier']
}

const workers = ['planner', 'researcher', 'expert'] as const
const critics = ['critic'] as const

/** The worker whose stage an agent belongs to. */
function parseStage(agent: string): string {
  if (agent === 'approval') return 'planner'
  return agent === 'research' ? 'researcher' : agent.replace('critic_', '')
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
  'control.rejectionCount',
  'control.retryLimit',
  'control.retryLimits',
  'answer.conversation',
  'plan.decision',
  'plan.feedback',
  'research.decision',
  'research.feedback',
  'answer.feedback',
])
