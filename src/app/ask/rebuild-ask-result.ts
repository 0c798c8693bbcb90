import { toInitialPatch } from '../../ask/ask-definition.ts'
import { classifyText, determineOutcome, finalText, findGaps } from '../../ask/outcome.ts'
import type { AskInput } from '../../ask/question.ts'
import { withBasis } from '../../ask/short-answer.ts'
import { type AskPatch, type AskState, channels, findInvalidFields } from '../../ask/state.ts'
import { foldState } from '../../graph/fold-state.ts'
import { toFailure } from '../../kernel/errors.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { isOfState, type StateEvent, stillCounting } from '../../kernel/run/rewind.ts'
import { claimsOf } from '../../observe/bundle/evidence.ts'
import { maxAnswerLength, maxComparedLength, maxLookups } from '../../observe/bundle/limits.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { isObject } from '../../observe/bundle/run-facts.ts'
import { citedNumbers } from '../../team/evidence.ts'
import type { Gap } from '../../team/gap.ts'

/** The result of an `ask` run as the state says it in which its last node found it; by the code that the workflow runs. */
export async function rebuildAskResult(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RebuiltResult> {
  const { input, ends, beside } = await readEnds(events)
  const last = ends.at(-1)
  if (last === undefined || !lastNode.test(last.key)) return unmade(result)
  try {
    const first = toInitialPatch(input as AskInput)
    const state = foldState(channels, first, ends.slice(0, -1))
    const invalid = findInvalidFields(state as unknown as JsonObject)
    if (invalid.length > 0) return nothing(`the state it is based on is invalid: ${invalid[0]}.`)
    if (isTooMuch(state, result)) return unknown('it would take too long')
    const within = beside.filter(({ key }) => key.startsWith(`${last.key}/final/`))
    const { verdicts = {}, control = {} } = last.output as AskPatch & JsonObject
    const { result: made = null } = verdicts
    const { error, limit } = control
    const hasFailed = isObject(error) || isObject(limit)
    const drawn = hasFailed ? drawFailure(state) : draw(state, within, result)
    return { ...drawn, problems: [...partings(made, result), ...drawn.problems] }
  } catch (error) {
    return nothing(`the state it is based on is invalid: ${toFailure(error).message}`)
  }
}

const lastNode = /^ask\/verify\[\d+\]$/

/** A run that failed outside of its nodes has the failure in its result alone. */
function unmade({ status }: JsonObject): RebuiltResult {
  if (status !== 'failed')
    return nothing('the log does not contain the end of the node that produced it.')
  return unknown('the run failed outside its nodes')
}

/** Whether comparing would take minutes, as no answer of a run does. */
function isTooMuch(state: AskState, result: JsonObject): boolean {
  const { answer, research } = withBasis(state)
  const { text: finalAnswer, calculations } = answer
  const { citations } = research
  const { claims } = claimsOf(result)
  const cited = claims.reduce((sum, claim) => sum + claim.citations.length, finalAnswer.length)
  const length = claims.reduce((sum, { text }) => sum + text.length, finalAnswer.length)
  return (
    finalAnswer.length > maxAnswerLength ||
    cited * citations.length > maxLookups ||
    length * calculations.length > maxComparedLength
  )
}

interface Ends {
  /** What was asked. */
  readonly input: JsonObject
  /** The ends of nodes, and forks, that still count. */
  readonly ends: StateEvent[]
  /** What the last node noted and read. */
  readonly beside: readonly RunEvent[]
}

async function readEnds(events: AsyncIterable<RunEvent>): Promise<Ends> {
  let input: JsonObject = {}
  let ends: StateEvent[] = []
  let beside: RunEvent[] = []
  for await (const event of events) {
    const { type, output, key } = event
    if (type === 'run.started' && isObject(output)) input = output
    ends = stillCounting(ends, event)
    beside = stillCounting(beside, event)
    if (isOfState(event)) ends.push(withoutMessages(event))
    else if (/^ask\/verify\[\d+\]\/final\/(?:limits|citations)$/.test(key)) beside.push(event)
  }
  return { input, ends, beside }
}

/** What agents said to each other is most of a state, and nothing of a result. */
function withoutMessages(event: StateEvent): StateEvent {
  if (!isObject(event.output)) return event
  const { control } = event.output
  if (!isObject(control)) return event
  const { messages: _messages, ...others } = control
  return { ...event, output: { ...event.output, control: others } }
}

function draw(state: AskState, within: readonly RunEvent[], result: JsonObject): RebuiltResult {
  const kind = classifyText(state)
  const { claims } = claimsOf(result)
  const passed = within.findLast((event) => event.type === 'notice')?.data.text
  const passedGap: Gap[] = passed === undefined ? [] : [{ kind: 'limit', detail: passed }]
  const gaps = [...state.control.gaps, ...passedGap, ...findGaps(state, kind, claims)]
  const { error } = state.control
  const { code, message, hint = null, retryable } = error ?? {}
  const recorded = {
    ...askedAndPlanned(state),
    reasoning: state.answer.reasoning,
    ...(state.answer.figures.length === 0 ? {} : { figures: state.answer.figures }),
  }
  const judged = {
    ...determineOutcome(state, kind, gaps),
    answer: finalText(state, kind),
    gaps,
    ...(kind === 'answer' && state.answer.basis !== '' ? { basis: state.answer.basis } : {}),
    error: error === null ? null : { code, message, hint, retryable },
    ...(kind === 'answer' ? {} : { claims: [], citations: [] }),
  }
  const problems = kind === 'answer' ? misdescribed(withBasis(state), within, result) : []
  return { recorded, judged, problems } as unknown as RebuiltResult
}

/** The result of a run whose last node failed: what failed is in what that node gave. */
function drawFailure(state: AskState): RebuiltResult {
  const judged = { status: 'failed', stopReason: 'error', claims: [], citations: [] }
  return { recorded: askedAndPlanned(state), judged, problems: [] }
}

function askedAndPlanned({ question, plan: { researchSteps, expertSteps }, control }: AskState) {
  return { question: question.text, plan: { researchSteps, expertSteps }, retries: control.retries }
}

/** Where a result parts from the one that its node gave. */
function partings(made: Json, result: JsonObject): readonly string[] {
  if (!isObject(made)) return ['the node that produced it returned no result.']
  return [...new Set([...Object.keys(made), ...Object.keys(result)])]
    .filter((name) => canonicalJson(made[name] ?? null) !== canonicalJson(result[name] ?? null))
    .map((name) => `its ${name} is not what the node that produced it returned.`)
}

/** Cited sources that are not those of the text's numbers, or other than the step described them that looked them up. */
function misdescribed(
  { answer, research }: AskState,
  within: readonly RunEvent[],
  result: JsonObject,
): readonly string[] {
  const numbers = new Set(citedNumbers(answer.text))
  const minted = research.citations.filter(({ n }) => numbers.has(n))
  const given = Array.isArray(result.citations) ? result.citations.filter(isObject) : []
  const wanted = minted.map(({ n }) => n)
  if (canonicalJson(given.map(({ n }) => n ?? null)) !== canonicalJson(wanted))
    return [`its citations do not match its text: ${wanted.join(', ') || 'none'}.`]
  const output = within.findLast(({ type }) => type === 'step.done')?.output
  const described = Array.isArray(output) ? output : []
  return given.flatMap((citation, index) => {
    const source = described[index]
    if (!isObject(source)) return []
    return ['url', 'path', 'csl']
      .filter(
        (name) => canonicalJson(citation[name] ?? null) !== canonicalJson(source[name] ?? null),
      )
      .map((name) => `the ${name} of [${citation.n}] is not the one the run looked up.`)
  })
}

function unknown(open: string): RebuiltResult {
  return { recorded: {}, judged: {}, problems: [], open }
}

function nothing(problem: string): RebuiltResult {
  return { recorded: {}, judged: {}, problems: [problem] }
}
