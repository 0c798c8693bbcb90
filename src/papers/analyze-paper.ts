import * as z from 'zod'
import type { Claim, PassageReference, ReadPassage } from '../citations/claim.ts'
import { type AnalyzerOutput, analysisTopics } from '../citations/papers-role-requests.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { isSupported } from '../claims/verify/opinions.ts'
import { type Failure, ScholiumError } from '../kernel/errors.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import { callModelForObject, type ObjectReply } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { openConversation } from '../team/conversation.ts'
import { readEvidence } from '../team/evidence.ts'
import { cutGaps, type Gap } from '../team/gap.ts'
import { type Attempt, attempt, isRunLimit } from './attempt.ts'
import {
  type CheckSources,
  checkStatements,
  markUnchecked,
  stripCitations,
  verifyOpenClaims,
} from './check-statements.ts'
import { type ChosenChunks, chooseChunks, type QueryVectors, type Wanted } from './choose-chunks.ts'
import { textsSchema } from './lenient-schemas.ts'
import type { Paper } from './paper.ts'
import type { PapersParts } from './parts.ts'
import type { Analysis, Finding } from './result.ts'
import type { PapersClaimPolicy, PapersState, StoredReading } from './state.ts'

const analysisSchema = z.object({
  methodology: textsSchema.default([]),
  key_findings: textsSchema,
  conclusions: textsSchema.default([]),
  limitations: textsSchema.default([]),
  contributions: textsSchema.default([]),
})

/** A paper to analyse. */
export interface PaperToAnalyze {
  readonly paper: Paper
  readonly n: number
  readonly reading: StoredReading
}

/** The outcome of analysing one paper. */
export interface AnalysisOutcome {
  readonly analysis: Analysis
  readonly passages: readonly PassageReference[]
  readonly gaps: readonly Gap[]
  /** Why the analysis failed; absent if it succeeded. */
  readonly failure?: Failure
  /** Whether the failure is the run's limit, not the paper's own. */
  readonly isLimit?: boolean
}

/** The passages that the analysis of a paper is given. */
export interface SelectedPassages {
  readonly chosen: ChosenChunks
  readonly passages: readonly ReadPassage[]
}

/** Chooses and reads the passages for the analysis of a paper. A failure is a value. */
export function selectPassages(
  parts: PapersParts,
  wanted: Wanted,
  { paper, n, reading }: PaperToAnalyze,
  context: RunContext,
  queries: QueryVectors | undefined,
): Promise<Attempt<SelectedPassages>> {
  return attempt(async () => {
    const chosen = await chooseChunks(parts, { n, reading }, wanted, context, queries)
    const titled = [{ n, title: paper.title }]
    const passages = await readEvidence(context, parts.library, chosen.passages, titled)
    return { chosen, passages }
  })
}

/** How one paper is analysed. */
interface AnalysisOptions {
  readonly seen: Attempt<SelectedPassages>
  /** Prepares the passages for the check, or returns what was prepared earlier. */
  readonly prepare: PreparePassage
  /** Called no later than when the model is asked. */
  onAsked(): void
}

/** Analyses one paper. A failure leaves an analysis with confidence 0 and the reason. */
export async function analyzePaper(
  parts: PapersParts,
  state: PapersState,
  one: PaperToAnalyze,
  context: RunContext,
  { seen, ...how }: AnalysisOptions,
): Promise<AnalysisOutcome> {
  const done = seen.ok
    ? await attempt(() => analyze(parts, state, one, context, { ...seen.value, ...how }))
    : seen
  if (done.ok) return done.value
  const { failure } = done
  const isLimit = isRunLimit(failure, context)
  const { message } = failure
  if (!isLimit) await context.notice('failed', 'error', `${one.paper.title}: ${message}`)
  const analysis = failedAnalysis(one.paper, message)
  return { analysis, passages: [], gaps: [], failure, isLimit }
}

/** The analysis of a paper that could not be analysed. */
export function failedAnalysis(paper: Pick<Paper, 'id' | 'title'>, error: string): Analysis {
  return { ...emptyAnalysis(paper), error }
}

function emptyAnalysis({ id, title }: Pick<Paper, 'id' | 'title'>): Analysis {
  const none: readonly Finding[] = []
  return {
    paperId: id,
    title,
    methodology: none,
    keyFindings: none,
    conclusions: none,
    limitations: none,
    contributions: none,
    confidence: 0,
    chunks: 0,
  }
}

async function analyze(
  parts: PapersParts,
  state: PapersState,
  { paper, n, reading }: PaperToAnalyze,
  context: RunContext,
  { chosen, passages, prepare, onAsked }: SelectedPassages & Omit<AnalysisOptions, 'seen'>,
): Promise<AnalysisOutcome> {
  if (passages.length === 0) return { analysis: emptyAnalysis(paper), passages: [], gaps: [] }
  if (passages.every(({ text }) => text.trim() === ''))
    throw new ScholiumError('tool_failed', 'The text that was read is no longer available.')
  const asking = { passages, onAsked }
  const written = await askAnalyzer(parts, state, { paper, n, reading }, asking, context)
  const citations = [{ n, sourceId: reading.sourceId, title: paper.title }]
  const read = { n, title: paper.title, passages, citations, prepare }
  const checked = await checkFindings(parts, state.claims, written.value, read, context)
  const { id, title } = paper
  const analysis = {
    paperId: id,
    title,
    ...checked.findings,
    confidence: chosen.confidence,
    chunks: passages.length,
  }
  const gaps = [...cutGaps(written.isCut, `The analysis of “${title}”`), ...checked.gaps]
  return { analysis, passages: chosen.passages, gaps }
}

/** Authors shown to the model: some papers have thousands. */
const maxAuthors = 12

async function askAnalyzer(
  { prompts }: PapersParts,
  { query }: PapersState,
  { paper, n }: PaperToAnalyze,
  { passages, onAsked }: Pick<SelectedPassages, 'passages'> & Pick<AnalysisOptions, 'onAsked'>,
  context: RunContext,
): Promise<ObjectReply<AnalyzerOutput>> {
  const { title, published } = paper
  const authors = paper.authors.slice(0, maxAuthors)
  const about = {
    n,
    title,
    ...(authors.length > 0 ? { authors } : {}),
    ...(published && { published }),
  }
  const values = {
    question: JSON.stringify(query),
    paper: JSON.stringify(about),
    passages: joinNeighbours(passages).map(describePassage).join('\n'),
  }
  const stage = context.child('analyzer')
  const messages = openConversation(stage, prompts.analyzer, values, 'Analyse this paper.')
  const roleRequest = { question: query, paper: { n, title, authors }, passages }
  const model = notifyOnLoad(stage.services.models.forRole('analyzer'), onAsked)
  const request = { messages, roleRequest }
  return callModelForObject(stage, 'model', model, request, analysisSchema)
}

/** A model is loaded right before a request is sent, and not when the answer comes from the log. */
function notifyOnLoad(model: ModelBinding, onAsked: () => void): ModelBinding {
  const load = () => {
    onAsked()
    return model.load()
  }
  return { ...model, load }
}

type ShownPassage = Pick<ReadPassage, 'start' | 'end' | 'page' | 'section' | 'text'>

/**
 * Joins passages that overlap or follow each other in a section of a page, so that no text is shown twice and no table in two
 * parts.
 */
function joinNeighbours(passages: readonly ReadPassage[]): readonly ShownPassage[] {
  const joined: ShownPassage[] = []
  for (const passage of passages) {
    const { start, end, page, section, text } = passage
    const last = joined.at(-1)
    if (last === undefined || page !== last.page || start > last.end + maxGapUnits) {
      joined.push(passage)
      continue
    }
    const rest = text.slice(Math.max(0, last.end - start))
    if (section !== last.section) {
      joined.push({ ...passage, text: rest.trimStart() })
      continue
    }
    const between = start < last.end ? '' : '\n'
    joined[joined.length - 1] = { ...last, end, text: last.text + between + rest }
  }
  return joined
}

/** White space that chunks leave out between them, in UTF-16 code units. */
const maxGapUnits = 3

/** A passage as JSON for the prompt; unknown fields are omitted. */
function describePassage({ page, section, text }: ShownPassage): string {
  return JSON.stringify({
    ...(section === undefined || section === '' ? {} : { section }),
    ...(page === undefined ? {} : { page }),
    text,
  })
}

/** Findings accepted per list: a model that writes more repeats itself. */
const maxFindings = 12

/** The lists of an analysis. */
type Findings = Pick<
  Analysis,
  'methodology' | 'keyFindings' | 'conclusions' | 'limitations' | 'contributions'
>

/** The sources of one paper's analysis. */
interface ReadPaper extends CheckSources {
  readonly n: number
  readonly title: string
}

/**
 * Checks what the analyzer wrote against the pages of its paper. Under `strict`, unsupported findings are dropped and
 * reported as gaps.
 */
async function checkFindings(
  parts: PapersParts,
  policy: PapersClaimPolicy,
  written: AnalyzerOutput,
  read: ReadPaper,
  context: RunContext,
): Promise<{ readonly findings: Findings; readonly gaps: readonly Gap[] }> {
  const { n, title } = read
  const lists = analysisTopics.map((topic) => cleanFindings(written[topic]))
  const statements = lists.flat().map((text) => ({ text, n }))
  const byCode = checkStatements(statements, read)
  const checked =
    policy === 'off'
      ? { claims: markUnchecked(byCode), gaps: [] }
      : await verifyOpenClaims(parts, context, byCode, read)
  const findings = statements.map(({ text }, index) =>
    toFinding(text, checked.claims[index] as Claim),
  )
  const isHeld = (finding: Finding) => policy !== 'strict' || isSupported(finding)
  const starts = lists.map((_, index) => lists.slice(0, index).flat().length)
  const of = (index: number) => {
    const from = starts[index] ?? 0
    return findings.slice(from, from + (lists[index]?.length ?? 0)).filter(isHeld)
  }
  return {
    findings: {
      methodology: of(0),
      keyFindings: of(1),
      conclusions: of(2),
      limitations: of(3),
      contributions: of(4),
    },
    gaps: [
      ...checked.gaps,
      ...findings
        .filter((finding) => !isHeld(finding))
        .map((finding) => toDroppedGap(finding, title)),
    ],
  }
}

function cleanFindings(texts: readonly string[]): readonly string[] {
  const bare = texts.map((text) => toInertMarkdown(stripCitations(text)))
  return [...new Set(bare.filter((text) => text !== ''))].slice(0, maxFindings)
}

function toFinding(text: string, { verdict, evidence, judge, reason }: Claim): Finding {
  return { text, verdict, evidence, judge, reason }
}

function toDroppedGap({ text, reason }: Finding, source: string): Gap {
  return { kind: 'claim_dropped', detail: `Left out: “${text}” ${reason}`, source }
}
