import { rewriteInstruction } from '../../ask/orchestrate.ts'
import { type AskState, channels } from '../../ask/state.ts'
import { changedFields, type StateChange } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Place } from '../../kernel/run/fork.ts'
import { nearest } from '../../kernel/text/nearest.ts'
import type { Gap } from '../../team/gap.ts'
import { answerFormats, claimPolicies } from '../options.ts'
import type { ForkChanges } from '../workflows/bound-workflow.ts'
import { isWritten, parseNode, remarkOn } from './fork-effects.ts'

/**
 * The fields that changes make other at a place. What the orchestrator has told the next agent there is told of the changed
 * state: an agent works on its instruction.
 *
 * @throws `invalid_input` for a path that leads nowhere, or a value of another kind than stands there
 */
export function forkChanges(
  state: JsonObject,
  place: Pick<Place, 'boundary'>,
  changes: readonly StateChange[],
): ForkChanges {
  for (const change of changes) checkChange(state, change)
  const changed = changedFields(state, changes)
  const before = state as unknown as AskState
  const after = { ...state, ...changed } as unknown as AskState
  checkResearch(after)
  const node = parseNode(place)
  const fields = { ...changed, ...questionGaps(before, after, node) }
  const remarks = changes.flatMap(({ path }) => remarkOn(path, state, fields, node))
  if (isForOther(before, after, node))
    remarks.push(
      'Everything planned, found and written before this step was for the original question and is reused; the answer says so.',
    )
  const isInstructed = node === 'orchestrator' && Object.keys(fields).length > 0
  if (!isInstructed || fields.agentMessages !== undefined) return { fields, remarks }
  const messages = rewriteInstruction(before, after)
  return { fields: { ...fields, ...(messages && { agentMessages: messages as Json }) }, remarks }
}

function checkChange(state: JsonObject, { path, value }: StateChange): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  let found: Json | undefined = state
  for (const [depth, name] of names.entries()) {
    if (isObject(found) && !Object.hasOwn(found, name) && !isNewKey(names, depth, name))
      throw unknownName(path, names.slice(0, depth), name, Object.keys(found))
    found = (found as JsonObject | null | undefined)?.[name]
  }
  if (value === null && names.length === 1 && found !== null) checkNull(path)
  else if (names.length > 1) checkKind(path, found, value)
  checkMembers(names[0] ?? '', path, found, value)
}

const workers = Object.keys(channels.retries.initial)
const steps = [
  'input',
  ...workers,
  ...workers.map((worker) => `critic_${worker}`),
  'approval',
  'research',
  'finalizer',
]

const decisions = ['', 'approve', 'reject']

/** The fields that take only certain words; a policy for claims is held to what the command line takes. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  claims: claimPolicies,
  answerFormat: ['', ...answerFormats],
  currentStep: steps,
  nextStep: steps,
  criticPlannerDecision: decisions,
  criticResearcherDecision: decisions,
  criticExpertDecision: decisions,
  malformed: ['', ...workers],
}

const listsOfText: ReadonlySet<string> = new Set([
  'files',
  'sourceIds',
  'researchSteps',
  'expertSteps',
])

/** Every number of the state counts something; the index of research is -1 before it begins. */
function checkMembers(field: string, path: string, before: Json | undefined, after: Json): void {
  const least = field === 'currentResearchIndex' ? -1 : 0
  const isCount = typeof before === 'number' || path.startsWith('retryLimits.')
  if (isCount && !(Number.isSafeInteger(after) && (after as number) >= least))
    throw refused(path, `a whole number of at least ${least}`, after)
  const words = wordsOf[path]
  if (words !== undefined && !words.includes(String(after)))
    throw refused(path, `one of ${words.map((word) => word || '""').join(', ')}`, after)
  if (path === 'retries' || path === 'retryLimits')
    for (const [name, count] of Object.entries(after as Readonly<Record<string, Json>>)) {
      if (!workers.includes(name)) throw unknownName(`${path}.${name}`, [path], name, workers)
      checkMembers(path, `${path}.${name}`, 0, count)
    }
  const isOfText = listsOfText.has(field) && Array.isArray(after)
  if (isOfText && !after.every((member) => typeof member === 'string'))
    throw refused(path, 'a list of texts', after)
}

function refused(path: string, wanted: string, given: Json): ScholiumError {
  const message = `"${path}" must be ${wanted}, not ${JSON.stringify(given)}.`
  return new ScholiumError('invalid_input', message, {
    hint: 'Give the value as JSON, such as 3, "text" or ["a","b"].',
  })
}

/** Whoever researches, or judges it, does so for a step of the plan. */
function checkResearch({ currentStep, currentResearchIndex: index, researchSteps }: AskState) {
  const isResearch = currentStep === 'researcher' || currentStep === 'critic_researcher'
  if (!isResearch || researchSteps[index] !== undefined) return
  const known = `${researchSteps.length} research ${researchSteps.length === 1 ? 'step' : 'steps'}`
  throw new ScholiumError(
    'invalid_input',
    `With these changes the plan has ${known}, but the run would be at step ${index + 1}.`,
    { hint: 'Make sure that currentResearchIndex is within researchSteps.' },
  )
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Objects that hold something by a role or a number have not all keys at once. */
function isNewKey([field = '']: readonly string[], depth: number, name: string): boolean {
  if (depth !== 1) return false
  if (field === 'retryLimits') return workers.includes(name)
  return field === 'researcherStates' && /^\d+$/.test(name)
}

function unknownName(
  path: string,
  above: readonly string[],
  name: string,
  known: readonly string[],
): ScholiumError {
  const candidates = known.length > 0 ? known : workers
  const meant = nearest(name, candidates)
  const guess = meant === undefined ? '' : `Did you mean "${[...above, meant].join('.')}"? `
  const message =
    above.length === 0
      ? `The state has no field "${path}".`
      : `The state has no field "${path}": "${above.join('.')}" has no "${name}".`
  const what = above.length === 0 ? 'Its fields' : 'It can have'
  return new ScholiumError('invalid_input', message, {
    hint: `${guess}${what}: ${candidates.join(', ')}.`,
  })
}

function checkNull(field: string): void {
  if (channels[field as keyof AskState].initial === null) return
  throw new ScholiumError('invalid_input', `"${field}" cannot be null.`, {
    hint: `Give it a value of its type, such as ${JSON.stringify(channels[field as keyof AskState].initial)}.`,
  })
}

function checkKind(path: string, before: Json | undefined, after: Json): void {
  if (before === undefined || before === null) return
  if (describeKind(before) === describeKind(after)) return
  throw refused(path, describeKind(before), after)
}

function describeKind(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Whether a fork asks another question than the one for which what it takes over was made. */
function isForOther(before: AskState, after: AskState, node: string): boolean {
  if (before.question === after.question) return false
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan = !isBegun || (node === 'orchestrator' && before.currentStep === 'planner')
  const isPlannedAnew =
    before.researchResults.length === 0 && before.researchSteps !== after.researchSteps
  return !isBeforePlan && !isPlannedAnew
}

/**
 * The gaps of a fork that asks another question, with the one that says so; nothing where it needs none.
 * @throws `invalid_input` where nobody works on the question any more
 */
function questionGaps(before: AskState, after: AskState, node: string): JsonObject {
  if (before.question === after.question) return {}
  if (isWritten(node)) throw tooLate()
  const own = createGap(after, after.question).detail
  // A fork of a fork takes over what was made for the first question.
  const earlier = before.gaps.find(({ kind }) => kind === 'forked_question')
  const others = after.gaps.filter((gap) => gap !== earlier)
  const gap = earlier ?? createGap(before, before.question)
  const gaps = isForOther(before, after, node) && gap.detail !== own ? [...others, gap] : others
  return gaps.length === after.gaps.length ? {} : { gaps: gaps as Json }
}

function createGap(state: AskState, question: string): Gap {
  const { currentStep, researchResults } = state
  const isAnswered = currentStep === 'critic_expert' || currentStep === 'finalizer'
  const what = isAnswered
    ? 'The answer was worked out'
    : researchResults.length > 0
      ? 'The research was done'
      : 'The plan was made'
  return { kind: 'forked_question', detail: `${what} for another question: ${question}` }
}

function tooLate(): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    'The question is not used after this step: the answer has already been written.',
    { hint: "Ask it from an earlier step, such as --at 'planner[1]', or from the beginning." },
  )
}
