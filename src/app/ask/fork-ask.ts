import { rewriteInstruction } from '../../ask/orchestrate.ts'
import { cleanQuestion, toTitle } from '../../ask/question.ts'
import { type AskPatch, type AskState, channels, withFields } from '../../ask/state.ts'
import { changedFields, type StateChange } from '../../graph/change-state.ts'
import { initialState } from '../../graph/graph.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Place } from '../../kernel/run/place.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type { Gap } from '../../team/gap.ts'
import { answerFormats, claimPolicies, depths } from '../options.ts'
import type { ForkChanges, ForkRequest } from '../workflows/bound-workflow.ts'
import { isWritten, parseNode, remarkOn } from './fork-effects.ts'

/**
 * The changes that a fork makes to a question. @throws `invalid_input` for what cannot be changed, and for two
 * questions
 */
export function askForkChanges(state: JsonObject, place: Place, request: ForkRequest): ForkChanges {
  const { fields, remarks } = forkChanges(state, place, collectChanges(request))
  // A fork from before its parent's own change asks the earlier question.
  const { text } = { ...(state as AskState).question, ...(fields as AskPatch).question }
  return { fields, remarks, title: toTitle(String(text)) }
}

const textPath = 'question.text'

/** @throws `invalid_input` for two questions */
function collectChanges({ changes = [], question }: ForkRequest): readonly StateChange[] {
  if (question !== undefined && changes.some(({ path }) => path === textPath)) {
    throw new ScholiumError('invalid_input', 'The question was given twice.', {
      hint: 'Give --question, or --set question.text=…, not both.',
    })
  }
  const all = question === undefined ? changes : [...changes, { path: textPath, value: question }]
  return all.map((change) =>
    change.path === textPath && typeof change.value === 'string'
      ? { ...change, value: cleanQuestion(change.value) }
      : change,
  )
}

/**
 * The fields changed at a place. The orchestrator's instruction to the next agent is rewritten for the changed state,
 * since an agent works on its instruction.
 *
 * @throws `invalid_input` for an unknown path, or a value of another type
 */
function forkChanges(
  state: JsonObject,
  place: Pick<Place, 'boundary'>,
  changes: readonly StateChange[],
): ForkChanges {
  for (const change of changes) checkChange(state, change)
  const changed = changedFields(state, changes, channels) as AskPatch
  const before = state as AskState
  const after = withFields(before, changed)
  checkResearch(after)
  const node = parseNode(place)
  checkDepthChange(before, after, node)
  const fields = withControl(changed, questionGaps(before, after, node))
  const remarks = changes.flatMap(({ path }) => remarkOn(path, before, after, node))
  if (isForOther(before, after, node))
    remarks.push(
      'Everything planned, found and written before this step was for the original question and is reused; the answer says so.',
    )
  const isInstructed = node === 'orchestrator' && Object.keys(fields).length > 0
  const isTold = !isInstructed || fields.control?.messages !== undefined
  const messages = isTold ? undefined : rewriteInstruction(before, after)
  const all = messages === undefined ? fields : withControl(fields, { messages })
  return { fields: all as JsonObject, remarks }
}

/** The fields that a fork sets, with changes to the stage `control`. */
function withControl(fields: AskPatch, control: AskPatch['control'] = {}): AskPatch {
  return Object.keys(control).length === 0
    ? fields
    : { ...fields, control: { ...fields.control, ...control } }
}

function checkChange(state: JsonObject, { path, value }: StateChange): void {
  const names = path.split(/[.[\]]+/).filter((name) => name !== '')
  const [stage = '', field] = names
  if (!Object.hasOwn(initial, stage)) throw unknownField(path)
  if (field === undefined) throw wholeStage(stage)
  let found: Json | undefined = state
  for (const [depth, name] of names.entries()) {
    if (isJsonObject(found) && !Object.hasOwn(found, name) && !isNewKey(names, depth, name))
      throw unknownName(path, names.slice(0, depth), name, Object.keys(found))
    found = (found as JsonObject | null | undefined)?.[name]
  }
  if (value === null && names.length === 2 && found !== null) checkNull(path)
  checkMembers(`${stage}.${field}`, path, found, value)
  checkKind(path, found, value)
}

const initial = initialState<AskState>(channels, {})
const workers = Object.keys(initial.control.rejections)
const agents = [
  'input',
  ...workers,
  ...workers.map((worker) => `critic_${worker}`),
  'approval',
  'research',
  'finalizer',
]

const decisions = ['', 'approve', 'reject']

/** Fields with a fixed set of values; a claim policy must be one that the command line accepts. */
const wordsOf: Readonly<Record<string, readonly string[]>> = {
  'question.claims': claimPolicies,
  'question.depth': depths,
  'question.answerFormat': ['', ...answerFormats],
  'control.atAgent': agents,
  'plan.decision': decisions,
  'research.decision': decisions,
  'answer.decision': decisions,
  'control.malformed': ['', ...workers],
}

const listsOfText: ReadonlySet<string> = new Set([
  'question.files',
  'question.sourceIds',
  'plan.researchSteps',
  'plan.expertSteps',
])

/** Every number of the state counts something; the research index is -1 before research starts. */
function checkMembers(field: string, path: string, before: Json | undefined, after: Json): void {
  const least = field === 'research.index' ? -1 : 0
  const isCount = typeof before === 'number' || path.startsWith('control.retryLimits.')
  if (isCount && !(Number.isSafeInteger(after) && (after as number) >= least))
    throw refused(path, `a whole number of at least ${least}`, after)
  const words = wordsOf[path]
  if (words !== undefined && !words.includes(String(after)))
    throw refused(path, `one of ${words.map((word) => word || '""').join(', ')}`, after)
  if (path === 'control.rejections' || path === 'control.retryLimits')
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

/** At depth `quick` a run takes another way from the beginning. */
function checkDepthChange(before: AskState, after: AskState, node: string): void {
  const isQuick = ({ question }: AskState) => question.depth === 'quick'
  if (isQuick(before) === isQuick(after) || node === '' || node === 'input') return
  throw new ScholiumError(
    'invalid_input',
    'The depth can be changed from or to "quick" only before the work begins.',
    { hint: "Fork from the beginning: --at 'orchestrator[1]'. Or ask again with --depth." },
  )
}

/** A researcher, or its critic, works on a step of the plan. */
function checkResearch({ plan: { researchSteps }, research: { index }, control }: AskState) {
  const { atAgent } = control
  const isResearch = atAgent === 'researcher' || atAgent === 'critic_researcher'
  if (!isResearch || researchSteps[index] !== undefined) return
  const known = `${researchSteps.length} research ${researchSteps.length === 1 ? 'step' : 'steps'}`
  throw new ScholiumError(
    'invalid_input',
    `With these changes the plan has ${known}, but the run would be at step ${index + 1}.`,
    { hint: 'Make sure that research.index is within plan.researchSteps.' },
  )
}

/** Objects keyed by role or number do not have all keys from the start. */
function isNewKey([stage, field]: readonly string[], depth: number, name: string): boolean {
  if (depth !== 2) return false
  if (stage === 'control' && field === 'retryLimits') return workers.includes(name)
  return stage === 'research' && field === 'researchers' && /^\d+$/.test(name)
}

const allFields = Object.entries(initial).flatMap(([stage, fields]) =>
  Object.keys(fields).map((field) => `${stage}.${field}`),
)

function unknownField(path: string): ScholiumError {
  const name = /^[^.[]*/.exec(path)?.[0] ?? ''
  const names = allFields.map((field) => field.replace(/^.*\./, ''))
  const meant = allFields[names.indexOf(findNearest(name, names) ?? '')]
  const guess = meant === undefined ? '' : `Did you mean "${meant}"? `
  return new ScholiumError('invalid_input', `The state has no field "${path}".`, {
    hint: `${guess}Its fields: ${allFields.join(', ')}.`,
  })
}

function wholeStage(stage: string): ScholiumError {
  const fields = allFields.filter((field) => field.startsWith(`${stage}.`))
  return new ScholiumError('invalid_input', `"${stage}" has fields, which are set one by one.`, {
    hint: `Name one of them: ${fields.join(', ')}.`,
  })
}

function unknownName(
  path: string,
  above: readonly string[],
  name: string,
  known: readonly string[],
): ScholiumError {
  const candidates = known.length > 0 ? known : workers
  const meant = findNearest(name, candidates)
  const guess = meant === undefined ? '' : `Did you mean "${[...above, meant].join('.')}"? `
  const message = `The state has no field "${path}": "${above.join('.')}" has no "${name}".`
  return new ScholiumError('invalid_input', message, {
    hint: `${guess}It can have: ${candidates.join(', ')}.`,
  })
}

function checkNull(path: string): void {
  const [stage = '', field = ''] = path.split('.')
  const value = ((initial as JsonObject)[stage] as JsonObject)[field]
  if (value === null) return
  throw new ScholiumError('invalid_input', `"${path}" cannot be null.`, {
    hint: `Give it a value of its type, such as ${JSON.stringify(value)}.`,
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

/** Whether a fork asks a question other than the one for which its inherited state was made. */
function isForOther(before: AskState, after: AskState, node: string): boolean {
  if (before.question.text === after.question.text) return false
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan = !isBegun || (node === 'orchestrator' && before.control.atAgent === 'planner')
  const isPlannedAnew =
    before.research.results.length === 0 && before.plan.researchSteps !== after.plan.researchSteps
  return !isBeforePlan && !isPlannedAnew
}

/**
 * The gaps of a fork with another question, including the one that says so; nothing if none is needed.
 * @throws `invalid_input` if no agent will work on the question
 */
function questionGaps(before: AskState, after: AskState, node: string): AskPatch['control'] {
  if (before.question.text === after.question.text) return {}
  if (isWritten(node)) throw tooLate()
  const own = gapOf(after, after.question.text).detail
  // A fork of a fork inherits what was made for the first question.
  const earlier = before.control.gaps.find(({ kind }) => kind === 'forked_question')
  const others = after.control.gaps.filter((gap) => gap !== earlier)
  const gap = earlier ?? gapOf(before, before.question.text)
  const gaps = isForOther(before, after, node) && gap.detail !== own ? [...others, gap] : others
  return gaps.length === after.control.gaps.length ? {} : { gaps }
}

function gapOf(state: AskState, question: string): Gap {
  const { atAgent } = state.control
  const isAnswered = atAgent === 'critic_expert' || atAgent === 'finalizer'
  const what = isAnswered
    ? 'The answer was worked out'
    : state.research.results.length > 0
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
