import { toInitialPatch } from '../../ask/ask-definition.ts'
import { classifyText, createResult } from '../../ask/outcome.ts'
import type { AskInput } from '../../ask/question.ts'
import { withBasis } from '../../ask/short-answer.ts'
import { type AskPatch, type AskState, channels, findInvalidFields } from '../../ask/state.ts'
import { foldState } from '../../graph/fold-state.ts'
import { canonicalJson, isJsonObject, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { StateEvent } from '../../kernel/run/rewind.ts'
import { readClaims } from '../../observe/bundle/evidence.ts'
import { maxAnswerLength, maxComparedLength, maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { citedNumbers } from '../../team/evidence.ts'
import {
  differencesFromNode,
  isSame,
  openResult,
  readEnds,
  rebuildSafely,
  unmadeResult,
  unsound,
} from '../runs/rebuild-result.ts'

/** Rebuilds the result of an `ask` run with the workflow's own code from its final state. */
export async function rebuildAskResult(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RebuiltResult> {
  const isOfLast = ({ key }: RunEvent) => lastSteps.test(key)
  const { input = {}, ends, others } = await readEnds(events, isOfLast, withoutMessages)
  const last = ends.at(-1)
  if (last === undefined || !lastNode.test(last.key)) return unmadeResult(result)
  return rebuildSafely(() => {
    const first = toInitialPatch(input as AskInput)
    const state = foldState(channels, first, ends)
    const invalid = findInvalidFields(state)
    if (invalid.length > 0) return unsound(`${invalid[0]}.`)
    if (isTooMuch(state, result)) return openResult('it would take too long')
    const within = others.filter(({ key }) => key.startsWith(`${last.key}/final/`))
    const { verdicts = {}, control = {} } = last.output as AskPatch & JsonObject
    const { result: made = null } = verdicts
    const { error, limit } = control
    const hasFailed = isJsonObject(error) || isJsonObject(limit)
    const rebuilt = hasFailed ? rebuildFailure(state) : rebuild(state, within, result)
    return { ...rebuilt, problems: [...differencesFromNode(made, result), ...rebuilt.problems] }
  })
}

const lastNode = /^ask\/verify\[\d+\]$/
const lastSteps = /^ask\/verify\[\d+\]\/final\/(?:limits|citations)$/

/** Whether comparing would take minutes, which no real answer does. */
function isTooMuch(state: AskState, result: JsonObject): boolean {
  const { answer, research } = withBasis(state)
  const { text: finalAnswer, calculations } = answer
  const { citations } = research
  const { claims } = readClaims(result)
  const cited = claims.reduce((sum, claim) => sum + claim.citations.length, finalAnswer.length)
  const length = claims.reduce((sum, { text }) => sum + text.length, finalAnswer.length)
  return (
    finalAnswer.length > maxAnswerLength ||
    cited * citations.length > maxLookups ||
    length * calculations.length > maxComparedLength
  )
}

/** The agents' messages are most of a state and not part of a result. */
function withoutMessages(event: StateEvent): StateEvent {
  if (!isJsonObject(event.output)) return event
  const { control } = event.output
  if (!isJsonObject(control)) return event
  const { messages: _messages, ...others } = control
  return { ...event, output: { ...event.output, control: others } }
}

/** The parts of a result that follow from the state. Claims are taken as they are: they are checked elsewhere. */
function rebuild(state: AskState, within: readonly RunEvent[], result: JsonObject): RebuiltResult {
  const isAnswer = classifyText(state) === 'answer'
  const claims = isAnswer ? readClaims(result).claims : []
  const exceeded = within.findLast((event) => event.type === 'notice')?.data.text
  const made = createResult(state, { claims, citations: [], exceeded })
  const { question, plan, retries, reasoning, figures, coverage: _, ...others } = made
  const { claims: _claims, citations: _citations, ...ofAnswer } = others
  const recorded = { question, plan, retries, reasoning, ...(figures && { figures }) }
  const problems = isAnswer ? misdescribed(withBasis(state), within, result) : []
  return { recorded, judged: isAnswer ? ofAnswer : others, problems } as RebuiltResult
}

/** The result of a run whose last node failed: its output has the failure. */
function rebuildFailure({ question, plan, control }: AskState): RebuiltResult {
  const { researchSteps, expertSteps } = plan
  const recorded = {
    question: question.text,
    plan: { researchSteps, expertSteps },
    retries: control.rejections,
  }
  const judged = { status: 'failed', stopReason: 'error', claims: [], citations: [] }
  return { recorded, judged, problems: [] }
}

/** Cited sources that do not match the text's numbers, or their description in the step that looked them up. */
function misdescribed(
  { answer, research }: AskState,
  within: readonly RunEvent[],
  result: JsonObject,
): readonly string[] {
  const numbers = new Set(citedNumbers(answer.text))
  const minted = research.citations.filter(({ n }) => numbers.has(n))
  const given = Array.isArray(result.citations) ? result.citations.filter(isJsonObject) : []
  const wanted = minted.map(({ n }) => n)
  if (canonicalJson(given.map(({ n }) => n ?? null)) !== canonicalJson(wanted))
    return [`its citations do not match its text: ${wanted.join(', ') || 'none'}.`]
  const output = within.findLast(({ type }) => type === 'step.done')?.output
  const described = Array.isArray(output) ? output : []
  return given.flatMap((citation, index) => {
    const source = described[index]
    if (!isJsonObject(source)) return []
    return ['url', 'path', 'csl']
      .filter((name) => !isSame(citation[name], source[name]))
      .map((name) => `the ${name} of [${citation.n}] is not the one the run looked up.`)
  })
}
