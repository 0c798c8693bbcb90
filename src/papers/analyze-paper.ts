import * as z from 'zod'
import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import type { AnalyzerOutput } from '../citations/papers-role-input.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { type Failure, ScholiumError } from '../kernel/errors.ts'
import { withLimits } from '../kernel/limits/with-limits.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import { callModelForObject, type ObjectReply } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { openConversation } from '../team/conversation.ts'
import { readEvidence } from '../team/evidence.ts'
import { cutGaps, type Gap } from '../team/gap.ts'
import { type Attempted, attempted, isLimitOf } from './branches.ts'
import { checkFindings } from './check-findings.ts'
import { type ChosenChunks, chooseChunks, type QueryVectors } from './choose-chunks.ts'
import { textsSchema } from './normalize.ts'
import type { PapersParts } from './parts.ts'
import type { Paper } from './places/paper.ts'
import type { Analysis, Finding } from './result.ts'
import type { PapersState, StoredReading } from './state.ts'

/** How long the analyzer may take for one paper, with all attempts. */
const stageMs = 60_000

const analysisSchema = z.object({
  methodology: textsSchema.default([]),
  key_findings: textsSchema,
  conclusions: textsSchema.default([]),
  limitations: textsSchema.default([]),
  contributions: textsSchema.default([]),
})

/** A paper that is to be analysed. */
export interface PaperToAnalyze {
  readonly paper: Paper
  readonly n: number
  readonly reading: StoredReading
}

/** What came of analysing one paper. */
export interface Analysed {
  readonly analysis: Analysis
  readonly passages: readonly PassageReference[]
  readonly gaps: readonly Gap[]
  /** Why it failed, where it did. */
  readonly failure?: Failure
  /** Whether that is the run's limit, and not the paper's own failure. */
  readonly isLimit?: boolean
}

/** What an analysis sees of a paper. */
export interface Seen {
  readonly chosen: ChosenChunks
  readonly passages: readonly ReadPassage[]
}

/** Chooses and reads what the analysis of a paper sees. Its failure is a value. */
export function seePaper(
  parts: PapersParts,
  { topK }: PapersState,
  { n, reading }: PaperToAnalyze,
  context: RunContext,
  queries: QueryVectors | undefined,
): Promise<Attempted<Seen>> {
  return attempted(async () => {
    const chosen = await chooseChunks(parts, { n, reading }, topK, context, queries)
    const passages = await readEvidence(context, parts.library, chosen.passages)
    return { chosen, passages }
  })
}

/** How one paper is analysed. */
interface Analyzing {
  readonly seen: Attempted<Seen>
  /** Makes its passages ready for the check, or has done so. */
  readonly prepare: PreparePassage
  /** Called when the model is asked, at the latest. */
  onAsked(): void
}

/** What one paper says. A failure leaves an analysis with confidence 0 that says why. */
export async function analyzePaper(
  parts: PapersParts,
  state: PapersState,
  one: PaperToAnalyze,
  context: RunContext,
  { seen, ...how }: Analyzing,
): Promise<Analysed> {
  const done = seen.ok
    ? await attempted(() => analyze(parts, state, one, context, { ...seen.value, ...how }))
    : seen
  if (done.ok) return done.value
  const { failure } = done
  const isLimit = isLimitOf(failure, context)
  const message =
    failure.code === 'limit_reached' && !isLimit
      ? `The analysis took longer than ${stageMs / 1000} seconds.`
      : failure.message
  if (!isLimit) await context.notice('failed', 'error', `${one.paper.title}: ${message}`)
  const analysis = minimalAnalysis(one.paper, message)
  return { analysis, passages: [], gaps: [], failure, isLimit }
}

/** An analysis that failed, and why. */
export function minimalAnalysis(paper: Pick<Paper, 'id' | 'title'>, error: string): Analysis {
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
  { chosen, passages, prepare, onAsked }: Seen & Omit<Analyzing, 'seen'>,
): Promise<Analysed> {
  if (passages.length === 0) return { analysis: emptyAnalysis(paper), passages: [], gaps: [] }
  if (passages.every(({ text }) => text.trim() === ''))
    throw new ScholiumError('tool_failed', 'The text that was read of it is not there any more.')
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

/** Of authors no more are shown: some papers have thousands. */
const mostAuthors = 12

async function askAnalyzer(
  { prompts }: PapersParts,
  { query }: PapersState,
  { paper, n }: PaperToAnalyze,
  { passages, onAsked }: Pick<Seen, 'passages'> & Pick<Analyzing, 'onAsked'>,
  context: RunContext,
): Promise<ObjectReply<AnalyzerOutput>> {
  const { title, published } = paper
  const authors = paper.authors.slice(0, mostAuthors)
  const about = {
    n,
    title,
    ...(authors.length > 0 ? { authors } : {}),
    ...(published && { published }),
  }
  const values = {
    question: JSON.stringify(query),
    paper: JSON.stringify(about),
    passages: passages.map(describePassage).join('\n'),
  }
  const stage = await withLimits(context, 'analyzer', { maxWallMs: stageMs })
  const messages = openConversation(stage, prompts.analyzer, values, 'Analyse this paper.')
  const roleInput = { question: query, paper: { n, title, authors }, passages }
  const model = tellingWhenAsked(stage.services.models.forRole('analyzer'), onAsked)
  const request = { messages, roleInput }
  return callModelForObject(stage, 'model', model, request, analysisSchema)
}

/** A model is loaded when a request is about to be sent to it, and not where the answer is in the log. */
function tellingWhenAsked(model: ModelBinding, onAsked: () => void): ModelBinding {
  const load = () => {
    onAsked()
    return model.load()
  }
  return { ...model, load }
}

/** A passage as the prompt shows it; what is not known of it is left out. */
function describePassage({ page, section, text }: ReadPassage): string {
  return JSON.stringify({
    ...(section === undefined || section === '' ? {} : { section }),
    ...(page === undefined ? {} : { page }),
    text,
  })
}
