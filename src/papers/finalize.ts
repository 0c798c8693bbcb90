import type { CitedSource, Claim } from '../citations/claim.ts'
import { noEvidenceText, nothingFoundText } from '../citations/role-input.ts'
import { measureCoverage } from '../claims/check/check-claim.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import { noticeOvershoot } from '../kernel/limits/with-limits.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { AskError } from '../team/gap.ts'
import { adviceFor } from './advice.ts'
import { findingsOf } from './filter.ts'
import { finalShare } from './final-share.ts'
import { findGaps, kindOfEnd, outcomeOf } from './outcome.ts'
import { paperEntries } from './paper-entries.ts'
import type { Finding, PaperStance, PapersResult, Synthesis } from './result.ts'
import { fieldsBeside, keptPapers, type PapersState } from './state.ts'

/** The end of a run: what it came to, what is missing, and why it stopped. */
export async function finalizePapers(
  state: PapersState,
  node: RunContext,
): Promise<Patch<PapersState>> {
  const context = node.child('final', { share: finalShare, isTimeless: true })
  const passed = await noticeOvershoot(context)
  const isBuiltIn = node.services.models.forRole('synthesizer').effect === 'pure'
  return { result: resultOf(state, passed, isBuiltIn) }
}

/**
 * The result that a state gives at the end of a run.
 * @param passed what limits were passed, in words
 * @param isBuiltIn whether the synthesizer is no language model
 */
export function resultOf(
  state: PapersState,
  passed: string | undefined,
  isBuiltIn: boolean,
): PapersResult {
  const gaps = [
    ...state.gaps,
    ...(passed === undefined ? [] : [{ kind: 'limit' as const, detail: passed }]),
    ...findGaps(state),
  ]
  const kind = kindOfEnd(state)
  const synthesis = (kind === 'no_evidence' ? null : state.synthesis) ?? emptySynthesis
  const isAnswer = kind === 'answer'
  const claims = isAnswer ? state.summaryClaims : []
  return {
    ...outcomeOf(state, kind, gaps),
    question: state.query,
    category: state.category,
    answer: isAnswer ? synthesis.summary : endText(state, kind),
    reasoning: reasoningOf(state, isBuiltIn),
    citations: citedSources(state),
    claims,
    coverage: measureCoverage(claims),
    coverageOfPoints: measureCoverage(claimsOfPoints(state, synthesis)),
    papers: paperEntries(state),
    analyses: state.analyses,
    dropped: state.dropped,
    synthesis,
    refused: state.refused,
    references: state.references,
    search: state.search,
    gaps,
    errors: state.errors,
    error: errorOf(state.error),
    ...moreOf(state),
  }
}

/** The result of a run that ended outside of its nodes. */
export function failedResult(state: PapersState, failure: Failure): PapersResult {
  const text = toInertMarkdown(`papers failed: ${failure.message}`)
  return {
    status: 'failed',
    stopReason: 'error',
    question: state.query,
    category: state.category,
    answer: text,
    reasoning: text,
    citations: [],
    claims: [],
    coverage: measureCoverage([]),
    coverageOfPoints: measureCoverage([]),
    papers: paperEntries(state),
    analyses: state.analyses,
    dropped: state.dropped,
    synthesis: emptySynthesis,
    refused: [],
    references: [],
    search: state.search,
    gaps: [...state.gaps, { kind: 'error', detail: failure.message }],
    errors: [...state.errors, failure.message],
    error: errorOf(failure),
    ...moreOf(state),
  }
}

function moreOf(state: PapersState): Pick<PapersResult, 'more'> {
  const more = fieldsBeside(state)
  return more === undefined ? {} : { more }
}

const emptySynthesis: Synthesis = {
  consensus: [],
  contradictions: [],
  gaps: [],
  summary: '',
  confidence: 0,
}

function endText(state: PapersState, kind: ReturnType<typeof kindOfEnd>): string {
  // Titles and reasons are of others.
  if (kind === 'no_papers' || kind === 'none_kept') return toInertMarkdown(adviceFor(state, kind))
  if (kind === 'failed') return toInertMarkdown(`No synthesis: ${state.error?.message ?? ''}`)
  return kind === 'cut_off' ? nothingFoundText : noEvidenceText
}

/** How the synthesis came about, in sentences. */
function reasoningOf(state: PapersState, isBuiltIn: boolean): string {
  const { papers, readings, analyses, kept, threshold, draft, limit, topK } = state
  const read = papers.filter(({ id }) => readings[id] !== undefined).length
  const analysed = analyses.filter(({ error }) => error === undefined).length
  return [
    `Of ${papers.length} papers ${read} could be read, ${analysed} were analysed from up to ${topK} passages each, and ${kept.length} kept with a confidence of at least ${threshold}.`,
    ...(limit === null ? [] : [limit.message]),
    ...(isBuiltIn ? [builtInText] : []),
    ...(kept.length > 0 && draft === null
      ? [
          'The synthesizer gave no synthesis, so the summary is what code put together of findings that hold.',
        ]
      : []),
  ].join(' ')
}

const builtInText =
  'The built-in engine is no language model: it copied sentences that have certain words, and compared those of different papers by their words alone; what is said in other words it does not see.'

/** The kept papers as sources of the result. */
function citedSources(state: PapersState): readonly CitedSource[] {
  return keptPapers(state)
    .map(({ n, paper }): CitedSource => {
      const { title, url, path, csl, id } = paper
      const sourceId = state.readings[id]?.sourceId as CitedSource['sourceId']
      const place = {
        ...(url === undefined ? {} : { url }),
        ...(path === undefined ? {} : { path }),
      }
      return { n, sourceId, title, ...place, csl }
    })
    .toSorted((one, other) => one.n - other.n)
}

/** Every finding and every stance as a claim, to be counted. */
function claimsOfPoints(state: PapersState, synthesis: Synthesis): readonly Claim[] {
  const findings = keptPapers(state).flatMap(({ n, analysis }) =>
    findingsOf(analysis).map((finding) => toClaim(finding, n)),
  )
  const { consensus, contradictions, gaps } = synthesis
  const stances = [
    ...consensus.flatMap((point) => point.stances),
    ...contradictions.flatMap(({ sideA, sideB }) => [...sideA.stances, ...sideB.stances]),
    ...gaps.flatMap((gap) => gap.stances),
  ]
  return [...findings, ...stances.map((stance) => toClaim({ ...stance, text: '' }, stance.n))]
}

function toClaim(
  { text, verdict, evidence, judge, reason }: Finding | (PaperStance & { readonly text: string }),
  n: number,
): Claim {
  return { text, citations: [n], verdict, evidence, judge, reason }
}

function errorOf(failure: Failure | null): AskError | null {
  if (failure === null) return null
  const { code, message, hint = null, retryable } = failure
  return { code, message, hint, retryable }
}
