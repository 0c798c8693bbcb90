import type { PassageReference } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { sumAccounts } from '../../kernel/run/accounts.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { effectiveEvents, isStateEvent } from '../../kernel/run/rewind.ts'
import { toRunAnswer } from '../run-answer.ts'
import type { BundledEvent, Manifest } from './form.ts'

/** What reading a run's log needs to know about its workflow. */
export interface AnswerForm {
  /** The schema of its public answers: `scholium.papers/1`. */
  readonly answerSchema: string
  /**
   * Whether the ends of its nodes add to earlier citations, starting with the input's `earlier`, instead of replacing them.
   * Default: false.
   */
  readonly addsCitations?: boolean
}

/** The settings of a run's last execution. */
export interface Conditions {
  readonly versions: Manifest['versions']
  readonly promptHashes: JsonObject
  readonly configuration: JsonObject
  readonly limits: JsonObject
  /** The price of each role's model, null if unknown; absent if the log does not say. */
  readonly prices?: JsonObject
}

/** State fields that citations depend on, with the event from which they hold. */
interface Patch {
  readonly seq: number
  readonly fields: JsonObject
  /** Whether it adds to the earlier values, as the nodes of a synthesis do, instead of replacing them. */
  readonly isAddition: boolean
}

/** Facts about a run, collected from its events in order. */
export class RunFacts {
  runId = ''
  workflow = ''
  events = 0
  conditions: Conditions = noConditions
  /** The run's result, if it has ended. */
  result: JsonObject | undefined
  status = 'unfinished'
  private readonly members: { runId: string; throughSeq: number }[] = []
  private patches: Patch[] = []
  private readonly workflows: ReadonlyMap<string, AnswerForm>

  /**
   *
   * @param workflows known workflows, by name
   */
  constructor(workflows: ReadonlyMap<string, AnswerForm>) {
    this.workflows = workflows
  }

  record(event: BundledEvent): void {
    const { runId, seq, type, data, output } = event
    this.events++
    this.runId = runId
    this.recordMember(runId, seq)
    if (event.type === 'run.started') this.recordStart(event.seq, event.data, output)
    if (sessionStarts.has(type)) this.recordConditions(data)
    this.patches = effectiveEvents(this.patches, event)
    const isPatch = isStateEvent(event)
    const isAddition = type === 'node.done' && this.addsCitations
    if (isPatch && isJsonObject(output)) this.recordPatch(seq, output, isAddition)
    if (type !== 'run.finished') return
    this.status = String(data.status)
    this.result = isJsonObject(output) ? output : {}
  }

  /** The runs that these events belong to, oldest first. */
  get family(): Manifest['family'] {
    return this.members
  }

  /** The run's citation index at its end: the source of each number. */
  get citations(): readonly MintedNumber[] {
    return this.field('citations').filter(isMinted)
  }

  /** The passages that were read, each with its source's number. */
  get passages(): readonly PassageReference[] {
    return this.field('passages').filter(isReference)
  }

  /** The schema of the run's public answer; `undefined` for an unknown workflow. */
  get answerSchema(): string | undefined {
    return this.workflows.get(this.workflow)?.answerSchema
  }

  private get addsCitations(): boolean {
    return this.workflows.get(this.workflow)?.addsCitations === true
  }

  private field(name: (typeof fields)[number]): readonly Json[] {
    const known = this.patches.filter((patch) => patch.fields[name] !== undefined)
    const from = known.findLastIndex(({ isAddition }) => !isAddition)
    return known.slice(Math.max(0, from)).flatMap(({ fields }) => {
      const value = fields[name]
      return Array.isArray(value) ? value : []
    })
  }

  /** A continued synthesis starts with the state in its input. */
  private recordStart(seq: number, { workflow }: JsonObject, output: Json | undefined): void {
    this.workflow = String(workflow)
    const earlier = isJsonObject(output) ? output.earlier : undefined
    if (this.addsCitations && isJsonObject(earlier)) this.recordPatch(seq, earlier, false)
  }

  private recordMember(runId: string, seq: number): void {
    const last = this.members.at(-1)
    if (last?.runId === runId) last.throughSeq = seq
    else this.members.push({ runId, throughSeq: seq })
  }

  private recordConditions(data: JsonObject): void {
    const known = ['versions', 'promptHashes', 'configuration', 'limits', 'prices'] as const
    const said = known.filter((name) => isJsonObject(data[name])).map((name) => [name, data[name]])
    this.conditions = { ...this.conditions, ...Object.fromEntries(said) }
    this.status = 'unfinished'
    this.result = undefined
  }

  private recordPatch(seq: number, output: JsonObject, isAddition: boolean): void {
    // The findings of a question's research are one stage of its state.
    const found = this.workflow === 'ask' ? output.research : output
    const kept = isJsonObject(found) ? fields.filter((name) => found[name] !== undefined) : []
    if (!isJsonObject(found) || kept.length === 0) return
    this.patches.push({
      seq,
      fields: Object.fromEntries(kept.map((name) => [name, found[name]])),
      isAddition,
    })
  }
}

const fields = ['citations', 'passages'] as const
const noConditions: Conditions = {
  versions: { package: '', workflow: '' },
  promptHashes: {},
  configuration: {},
  limits: {},
}
const sessionStarts: ReadonlySet<string> = new Set(['run.started', 'run.resumed', 'run.forked'])

function isMinted(value: Json): value is MintedNumber {
  return (
    isJsonObject(value) &&
    typeof value.n === 'number' &&
    typeof value.sourceId === 'string' &&
    typeof value.title === 'string'
  )
}

function isReference(value: Json): value is PassageReference {
  return (
    isJsonObject(value) &&
    typeof value.n === 'number' &&
    typeof value.passageId === 'string' &&
    typeof value.sourceId === 'string' &&
    Number.isSafeInteger(value.start) &&
    Number.isSafeInteger(value.end)
  )
}

/** The public answer of a finished run: its result, with usage and models from its log. */
export async function deriveAnswer(
  facts: RunFacts,
  events: AsyncIterable<RunEvent>,
): Promise<JsonObject | undefined> {
  const { result, conditions, runId, workflow, answerSchema: schema } = facts
  if (result === undefined) return undefined
  const models = (conditions.configuration.models ?? {}) as JsonObject
  const accounts = await sumAccounts(events)
  return toRunAnswer({ schema, runId, workflow, result, accounts, models })
}

/** Members derived from the answer and the log, by name. */
export function derivedMembers(
  facts: RunFacts,
  answer: JsonObject | undefined,
): Readonly<Record<string, Json>> {
  const { prices, ...configuration } = facts.conditions
  const given = prices === undefined ? {} : { 'prices.json': prices }
  const always = { 'configuration.json': configuration as unknown as JsonObject, ...given }
  if (answer === undefined) return always
  const { claims = [], coverage = null, citations = [] } = answer
  const said = Array.isArray(claims) ? claims.flatMap(numbersOf) : []
  const cited = new Set([...said, ...numbersOfPoints(answer)])
  const passages = facts.passages.filter(({ n }) => cited.has(n))
  const csl = Array.isArray(citations)
    ? citations.flatMap((item) => (isJsonObject(item) && isJsonObject(item.csl) ? [item.csl] : []))
    : []
  return {
    ...always,
    'answer.json': answer,
    'claims.json': { claims, coverage, passages, citations: facts.citations },
    'csl.json': csl,
  }
}

function numbersOf(claim: Json): readonly number[] {
  return isJsonObject(claim) && Array.isArray(claim.citations) ? (claim.citations as number[]) : []
}

/** The numbers of the papers that a synthesis discusses; empty for other answers. */
function numbersOfPoints({ schema, citations }: JsonObject): readonly number[] {
  if (schema !== 'scholium.papers/1' || !Array.isArray(citations)) return []
  return citations.flatMap((item) => (isJsonObject(item) ? [Number(item.n)] : []))
}

/** What an answer says of one of the sources that it cites; `undefined` when it cites it not. */
export function citedSource(answer: JsonObject | undefined, id: string): JsonObject | undefined {
  const citations = Array.isArray(answer?.citations) ? answer.citations : []
  return citations.filter(isJsonObject).find(({ sourceId }) => sourceId === id)
}
