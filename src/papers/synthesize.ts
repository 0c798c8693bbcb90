import * as z from 'zod'
import type {
  AnalysedFinding,
  AnalysedPaper,
  AnalyzerOutput,
  SynthesizerOutput,
} from '../citations/papers-role-requests.ts'
import type { Patch } from '../graph/graph.ts'
import { type Failure, ScholiumError } from '../kernel/errors.ts'
import { leavesNoShare } from '../kernel/limits/limit-reached.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { stem } from '../retrieval/stem.ts'
import { readContentWords } from '../retrieval/words.ts'
import { openConversation } from '../team/conversation.ts'
import { cutGaps, type Gap } from '../team/gap.ts'
import { listFindings } from './analyze.ts'
import { attempt, isRunLimit } from './attempt.ts'
import { finalShare, measurePapersRoom } from './final-budget.ts'
import { isRefuted } from './ground-points.ts'
import { normalizeObjects, textSchema, textsSchema } from './lenient-schemas.ts'
import type { PapersParts } from './parts.ts'
import type { Analysis, Finding } from './result.ts'
import { type KeptPaper, keptPapers, type PapersState } from './state.ts'

/** A quotation without its paper is useless. */
const quoteSchema = z.preprocess(
  (value) => (typeof value === 'object' ? value : { paper: '', quote: value }),
  z.object({ paper: textSchema.default(''), quote: textSchema.default('') }),
)
const support = {
  papers: textsSchema.default([]),
  quotes: z.preprocess(normalizeObjects, z.array(quoteSchema)).default([]),
}

/** A list of objects in which a bare text becomes an object with that text alone. */
function lenientList<Entry extends z.ZodType>(field: string, entry: Entry) {
  const normalized = (value: unknown) =>
    normalizeObjects(value).map((one) => (typeof one === 'string' ? { [field]: one } : one))
  return z.preprocess(normalized, z.array(entry)).default([])
}

const sideSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { says: value } : (value ?? {})),
  z.object({ says: textSchema.default(''), ...support }),
)

const draftSchema = z.object({
  consensus: lenientList('point', z.object({ point: textSchema.default(''), ...support })),
  contradictions: lenientList(
    'description',
    z.object({
      description: textSchema.default(''),
      context: textSchema.default(''),
      a: sideSchema.default({ says: '', papers: [], quotes: [] }),
      b: sideSchema.default({ says: '', papers: [], quotes: [] }),
    }),
  ),
  gaps: lenientList('text', z.object({ text: textSchema.default(''), ...support })),
  summary: textSchema,
})

/**
 * The synthesizer: what the kept papers jointly say. It gets their findings, not their pages, within a reserved budget;
 * if it fails, code composes what holds. The built-in engine, which goes by words, is not asked about papers without a
 * word of the query.
 */
export function synthesizeNode(parts: PapersParts) {
  return async (state: PapersState, node: RunContext): Promise<Patch<PapersState>> => {
    if (state.limit !== null && leavesNoShare(state.limit)) return {}
    const context = node.child('final', { share: finalShare })
    const written = await attempt(async () => {
      const gap = await findBuiltInGap(parts, state, context)
      if (gap?.kind === 'no_evidence') return { gaps: [gap] }
      const { draft, gaps } = await draftSynthesis(parts, state, context)
      return { draft, gaps: gap === undefined ? gaps : [gap, ...gaps] }
    })
    return written.ok ? written.value : failedPatch(written.failure, context)
  }
}

/** Only the built-in engine is bound to the words of the query; a language model recognises other wordings. */
async function findBuiltInGap(
  parts: PapersParts,
  state: PapersState,
  context: RunContext,
): Promise<Gap | undefined> {
  const isBuiltIn = context.services.models.forRole('synthesizer').effect === 'pure'
  return isBuiltIn ? findWordGap(parts, state, keptPapers(state), context) : undefined
}

async function draftSynthesis(
  { prompts }: PapersParts,
  state: PapersState,
  context: RunContext,
): Promise<{ readonly draft: SynthesizerOutput; readonly gaps: readonly Gap[] }> {
  const { query } = state
  const room = await measurePapersRoom(context, maxPapersBytes)
  const { papers, leftOut, isEmpty } = fitPapers(keptPapers(state), room)
  const lost = `For lack of space, ${describeCount(leftOut)} left out.`
  if (leftOut > 0) await context.notice('shown', 'warning', lost)
  const isCut = leftOut > 0 && room < maxPapersBytes
  if (isCut && isEmpty) throw noRoomError()
  const values = {
    question: JSON.stringify(query),
    papers: papers.map((paper) => JSON.stringify(paper)).join('\n'),
  }
  const stage = context.child('synthesizer')
  const instruction = `Compare the ${papers.length} papers.`
  const messages = openConversation(stage, prompts.synthesizer, values, instruction)
  const roleRequest = { question: query, papers }
  const model = stage.services.models.forRole('synthesizer')
  const request = { messages, roleRequest }
  const drafted = await callModelForObject(stage, 'model', model, request, draftSchema)
  const gaps: readonly Gap[] = isCut ? [{ kind: 'limit', detail: lost }] : []
  return { draft: drafted.value, gaps: [...gaps, ...cutGaps(drafted.isCut, 'The synthesis')] }
}

function noRoomError(): ScholiumError {
  const message = 'The limits leave no room for any findings, so the papers were not compared.'
  const hint = 'Allow more with --max-tokens or --max-cost-usd.'
  return new ScholiumError('limit_reached', message, { hint })
}

function describeCount(count: number): string {
  return `${count === 1 ? '1 finding' : `${count} findings`} of the papers ${count === 1 ? 'was' : 'were'}`
}

async function failedPatch(failure: Failure, context: RunContext): Promise<Patch<PapersState>> {
  const isLimit = isRunLimit(failure, context)
  const { message } = failure
  if (isLimit)
    return { limit: failure, errors: [message], gaps: [{ kind: 'limit', detail: message }] }
  await context.notice('failed', 'error', `synthesizer: ${message}`)
  return {
    error: failure,
    errors: [`synthesizer: ${message}`],
    gaps: [{ kind: 'error', detail: `synthesizer: ${message}` }],
  }
}

/**
 * Maximum size of all papers in the prompt, in bytes as a message stores them: about 25,000 tokens, shared evenly
 * between the papers.
 */
const maxPapersBytes = 96_000
/** Maximum length of a quotation in UTF-16 code units: enough for a sentence, too little for a table. */
const maxQuoteChars = 600
const maxTitleChars = 300

/** The papers that fit into the synthesizer's prompt. */
interface FittedPapers {
  readonly papers: readonly AnalysedPaper[]
  /** Number of valid findings left out for lack of room. */
  readonly leftOut: number
  /** Whether no finding fits. */
  readonly isEmpty: boolean
}

/**
 * Reduces the papers to what fits into the prompt: findings that passed the check or stayed open, which are marked as
 * such. If not all fit, the first of each list come before the second of any.
 * @param roomBytes for all papers. Default 96,000
 */
export function fitPapers(kept: readonly KeptPaper[], roomBytes = maxPapersBytes): FittedPapers {
  const room = Math.floor(roomBytes / Math.max(1, kept.length))
  const shown = kept.map((one) => fitPaper(one, room))
  return {
    papers: shown.map(({ paper }) => paper),
    leftOut: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
    isEmpty: shown.every(({ count }) => count === 0),
  }
}

/** The lists by relevance to a question. */
const lists: readonly (readonly [keyof AnalyzerOutput, (of: Analysis) => readonly Finding[]])[] = [
  ['key_findings', ({ keyFindings }) => keyFindings],
  ['conclusions', ({ conclusions }) => conclusions],
  ['limitations', ({ limitations }) => limitations],
  ['contributions', ({ contributions }) => contributions],
  ['methodology', ({ methodology }) => methodology],
]

function fitPaper({ n, paper, analysis }: KeptPaper, room: number) {
  const about = { n, id: paper.id, title: paper.title.slice(0, maxTitleChars) }
  const all = lists.flatMap(([topic, of]) =>
    of(analysis)
      .flatMap(toAnalysedFinding)
      .map((finding, rank) => ({ topic, finding, rank })),
  )
  let left = room - sizeBytes(about)
  const fitting = all
    .toSorted((one, other) => one.rank - other.rank)
    .filter(({ finding }) => {
      const size = sizeBytes(finding)
      if (size > left) return false
      left -= size
      return true
    })
  const of = (wanted: keyof AnalyzerOutput): readonly AnalysedFinding[] =>
    fitting.flatMap(({ topic, finding }) => (topic === wanted ? [finding] : []))
  const shown: AnalysedPaper = {
    ...about,
    methodology: of('methodology'),
    key_findings: of('key_findings'),
    conclusions: of('conclusions'),
    limitations: of('limitations'),
    contributions: of('contributions'),
  }
  return { paper: shown, count: fitting.length, leftOut: all.length - fitting.length }
}

/** Size as text in a message, which is itself JSON. */
function sizeBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)))
}

function toAnalysedFinding({ text, verdict, evidence }: Finding): readonly AnalysedFinding[] {
  if (isRefuted(verdict)) return []
  const check = verdict === 'partial' || verdict === 'unchecked' ? { check: verdict } : {}
  const [first] = evidence
  if (first === undefined) return [{ text, ...check }]
  const { quote, page } = first
  const place = page === undefined ? {} : { page }
  return [{ text, quote: cutQuote(quote), ...place, ...check }]
}

/** A cut quotation is still verbatim, so that it can be looked up. */
function cutQuote(quote: string): string {
  const line = quote.replaceAll(/\s+/g, ' ')
  return line.length <= maxQuoteChars ? line : line.slice(0, maxQuoteChars).replace(/\s\S*$/, '')
}

/**
 * What rules out a synthesis by the built-in engine: no word of the query occurs in any paper, or in any finding.
 * `undefined` if a finding has one. The papers' texts are read only if no finding does.
 */
async function findWordGap(
  parts: PapersParts,
  { query, readings }: PapersState,
  kept: readonly KeptPaper[],
  context: RunContext,
): Promise<Gap | undefined> {
  const wanted = new Set(toStems(query))
  if (wanted.size === 0) return { kind: 'no_evidence', detail: noWords }
  const hasOne = (text: string) => toStems(text).some((word) => wanted.has(word))
  const findings = kept.flatMap(({ analysis }) => listFindings(analysis))
  if (findings.some(({ text }) => hasOne(text))) return undefined
  const sourceIds = kept.flatMap(({ paper }) => readings[paper.id]?.sourceId ?? [])
  const input = { query, sourceIds }
  const isSaid = await context.step('words', 'read', input, async () => {
    for (const id of sourceIds) if (hasOne((await parts.library.text(id)) ?? '')) return true
    return false
  })
  return isSaid
    ? { kind: 'unsupported_answer', detail: notInFindings }
    : { kind: 'no_evidence', detail: describeNoMatch(kept.length) }
}

function toStems(text: string): readonly string[] {
  return readContentWords(text).map(stem)
}

const noWords =
  'The query has no word to search for in papers; the built-in engine works with words only.'
const notInFindings =
  "No finding contains a word of the query, so the summary reports the papers' findings in general; the built-in engine works with words only."

function describeNoMatch(count: number): string {
  const which = count === 1 ? 'the one paper' : `any of the ${count} papers`
  return `No word of the query occurs in ${which} that could be read; the built-in engine works with words only.`
}
