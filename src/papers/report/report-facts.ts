import type { Analysis, Finding, PaperEntry, PaperStance, PapersResult } from '../result.ts'
import type { Tone } from './report-words.ts'

/**
 * What a report is made from: a result and figures from the log. A paper's path may be absolute, or relative to the
 * report's folder.
 */
export type ReportInput = PapersResult & {
  readonly schema: 'scholium.papers/1'
  readonly runId: string
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly embeddingTokens: number
    readonly modelCalls: number
    readonly toolCalls: number
  }
  /** null if the price of a model is unknown. */
  readonly costUsd: number | null
  readonly timings: { readonly wallMs: number; readonly modelMs: number }
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
  /** Only if the result of an earlier run was reused. */
  readonly reused?: {
    readonly by: 'same' | 'meaning'
    readonly query: string
    readonly createdAt: string
    readonly similarity?: number
  }
}

/** A statement that papers support or dispute: a row of the matrix. A contradiction has two, one for each side. */
export interface ReportPoint {
  /** Its anchor: `c1`, `x1a`, `x1b`, `g1`. */
  readonly id: string
  readonly kind: 'consensus' | 'contradiction' | 'gap'
  /** `Consensus 1`, `Contradiction 1, side A`, `Gap 1`. */
  readonly label: string
  readonly text: string
  readonly stances: readonly PaperStance[]
}

/** All points in the order of the report. */
export function reportPoints({ synthesis }: ReportInput): readonly ReportPoint[] {
  const { consensus, contradictions, gaps } = synthesis
  return [
    ...consensus.map(({ point, stances }, index): ReportPoint => {
      return { ...named('consensus', 'Consensus', `c${index + 1}`, index), text: point, stances }
    }),
    ...contradictions.flatMap(({ sideA, sideB }, index) =>
      ([sideA, sideB] as const).map(({ says, stances }, side): ReportPoint => {
        const { id, kind, label } = named('contradiction', 'Contradiction', `x${index + 1}`, index)
        return {
          id: `${id}${side === 0 ? 'a' : 'b'}`,
          kind,
          label: `${label}, side ${side === 0 ? 'A' : 'B'}`,
          text: says,
          stances,
        }
      }),
    ),
    ...gaps.map(({ text, stances }, index): ReportPoint => {
      return { ...named('gap', 'Gap', `g${index + 1}`, index), text, stances }
    }),
  ]
}

function named(kind: ReportPoint['kind'], word: string, id: string, index: number) {
  return { id, kind, label: `${word} ${index + 1}` }
}

/** The stances of one paper on a point, with their indexes. */
export function findStances(
  { stances }: ReportPoint,
  paperId: string,
): readonly { readonly stance: PaperStance; readonly index: number }[] {
  return stances.flatMap((stance, index) => (stance.paperId === paperId ? [{ stance, index }] : []))
}

/** The papers with a number, by number. */
export function numberedPapers({
  papers,
}: ReportInput): readonly (PaperEntry & { readonly n: number })[] {
  return papers
    .flatMap((paper) => (paper.n === undefined ? [] : [{ ...paper, n: paper.n }]))
    .sort((one, other) => one.n - other.n)
}

/** The kept papers, by number. */
export function keptByNumber(input: ReportInput): readonly PaperEntry[] {
  const kept = input.papers.filter(({ status }) => status === 'kept')
  return kept.toSorted((one, other) => (one.n ?? Infinity) - (other.n ?? Infinity))
}

/** The parts of an analysis, in display order. */
export const analysisParts: readonly {
  readonly name: string
  of(analysis: Analysis): readonly Finding[]
}[] = [
  { name: 'Methodology', of: ({ methodology }) => methodology },
  { name: 'Key findings', of: ({ keyFindings }) => keyFindings },
  { name: 'Conclusions', of: ({ conclusions }) => conclusions },
  { name: 'Limitations', of: ({ limitations }) => limitations },
  { name: 'Contributions', of: ({ contributions }) => contributions },
]

/** How the run ended, in words. */
export function describeOutcome({ status, stopReason }: ReportInput): {
  readonly word: string
  readonly sign: string
  readonly tone: Tone
} {
  if (status === 'answered') return { word: 'Answered', sign: '✓', tone: 'good' }
  const why = stopWords[stopReason]
  if (status === 'partial') return { word: `Answered in part${why}`, sign: '½', tone: 'part' }
  if (status === 'unanswered') return { word: `Not answered${why}`, sign: '∅', tone: 'open' }
  return { word: `Failed${why}`, sign: '✕', tone: 'bad' }
}

const stopWords: Readonly<Record<ReportInput['stopReason'], string>> = {
  answered: '',
  gaps: ': something is missing',
  no_papers: ': no papers were found',
  none_kept: ': no paper was above the threshold',
  no_evidence: ': the papers do not say',
  limit: ': a limit was reached',
  ended_early: ': the run was ended early',
  error: ': an error occurred',
}

/** Who wrote the report, so that quotations picked by code are not taken for a language model's work. */
export function engineText({ models, reused }: ReportInput): string {
  const roles = Object.entries(models).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const byCode = roles.filter(([, name]) => name === 'extractive').map(([role]) => role)
  const named = [...new Set(roles.map(([, name]) => name))].filter((name) => name !== 'extractive')
  const again = reused === undefined ? '' : ` Reused from a run of ${reused.createdAt}.`
  if (named.length === 0)
    return `Quoted by the extractive engine, which is not a language model: it selects sentences from the papers and misses what a reader would notice.${again}`
  const both =
    byCode.length === 0
      ? ''
      : ` The extractive engine, which is not a language model, did the work of: ${byCode.join(', ')}.`
  return `Written by ${named.join(', ')}.${both}${again}`
}

/** What the figure next to a paper means. */
export const confidenceText =
  'Confidence is the share of the passages available to an analysis that were found in the paper. It does not say whether the paper is right or how well it fits the topic.'

/** States that papers were compared and nothing was found; `undefined` if something was, or if there was nothing to compare. */
export function nothingBetween({
  status,
  synthesis,
  papers,
  models,
}: ReportInput): string | undefined {
  const { consensus, contradictions } = synthesis
  const kept = papers.filter((paper) => paper.status === 'kept')
  const isAnswer = status === 'answered' || status === 'partial'
  if (!isAnswer || kept.length < 2 || consensus.length + contradictions.length > 0) return undefined
  const why =
    models.synthesizer === 'extractive'
      ? ' The extractive engine only compares words: it finds sentences that are nearly identical.'
      : ''
  return `No agreements or contradictions between the papers were found.${why}`
}

/** Names and figures of the run. */
export function statistics(input: ReportInput): readonly (readonly [string, string])[] {
  const { papers, usage, costUsd, timings, models, synthesis, category } = input
  const read = papers.filter(({ chunkCount }) => chunkCount !== undefined)
  const sum = (field: 'pageCount' | 'chunkCount' | 'referenceCount') =>
    read.reduce((total, paper) => total + (paper[field] ?? 0), 0)
  const seen = input.analyses.reduce((total, { chunks }) => total + chunks, 0)
  const roles = Object.entries(models).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    ['Papers found', grouped(papers.length)],
    ['Papers read', grouped(read.length)],
    ['Papers kept', grouped(keptByNumber(input).length)],
    ['Pages read', grouped(sum('pageCount'))],
    ['Passages of text', grouped(sum('chunkCount'))],
    ['Passages analysed', grouped(seen)],
    ['References in the papers', grouped(sum('referenceCount'))],
    ['Confidence of the synthesis', percent(synthesis.confidence)],
    ...(category === '' ? [] : ([['Category', category]] as const)),
    ['Model calls', grouped(usage.modelCalls)],
    ['Tool calls', grouped(usage.toolCalls)],
    ['Tokens in', grouped(usage.inputTokens)],
    ['Tokens out', grouped(usage.outputTokens)],
    ['Tokens embedded', grouped(usage.embeddingTokens)],
    ['Cost', costText(costUsd)],
    ['Time', secondsText(timings.wallMs)],
    ['Time in models', secondsText(timings.modelMs)],
    ...roles.map(([role, name]) => [`Model: ${role}`, name] as const),
    ['Run', input.runId],
  ]
}

/** A share from 0 to 1 as `72 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}\u202f%`
}

/** `$0.4200`, or that the cost is unknown. */
export function costText(costUsd: number | null): string {
  if (costUsd === null) return 'unknown: no price known for the model'
  return costUsd === 0 ? 'nothing' : `$${costUsd.toFixed(4)}`
}

/** A duration in milliseconds as `0.4 s`, `12 s`, `3 min 5 s`. */
export function secondsText(timeMs: number): string {
  if (timeMs < 9_950) return `${(timeMs / 1_000).toFixed(1)} s`
  const seconds = Math.round(timeMs / 1_000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A whole number with thin spaces between thousands. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')
}

/** The papers that are not part of the synthesis, each with the reason. */
export function leftOut({ papers, dropped }: ReportInput) {
  const reasons = new Map(dropped.map(({ paperId, reason }) => [paperId, reason]))
  return papers
    .filter(({ status }) => status !== 'kept')
    .map((paper) => ({
      paper,
      reason: paper.reason ?? reasons.get(paper.id) ?? 'No reason given.',
    }))
}

/** What could not be done, as sentences. */
export function listFailures({ gaps, errors, error }: ReportInput): readonly string[] {
  const told = gaps.map(({ detail, source }) =>
    source === undefined ? detail : `${source}: ${detail}`,
  )
  const failed =
    error === null ? [] : [`${error.message}${error.hint === null ? '' : ` ${error.hint}`}`]
  return [...new Set([...failed, ...told, ...errors])]
}

/** Names of refused points. */
export const refusedWords: Readonly<Record<ReportInput['refused'][number]['kind'], string>> = {
  consensus: 'Consensus',
  contradiction: 'Contradiction',
  gap: 'Gap',
}

/** Outcomes of a search, in words. */
export const tierWords: Readonly<Record<ReportInput['search'][number]['outcome'], string>> = {
  used: 'used',
  empty: 'found nothing',
  failed: 'failed',
  'not asked': 'not asked',
}
