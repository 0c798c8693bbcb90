import type {
  AnalysedFinding,
  AnalysedPaper,
  AnalyzerOutput,
} from '../citations/papers-role-input.ts'
import type { Analysis, Finding } from './result.ts'
import { isRefuted } from './stances.ts'
import type { KeptPaper } from './state.ts'

/** What the synthesizer is shown of all papers at most, in bytes as a message keeps them: some 25,000 tokens, shared evenly by the papers. */
export const mostShownBytes = 96_000
/** Of the words of a page at most, in UTF-16 code units: what a sentence needs, and not a whole table. */
const maxQuote = 600
const maxTitle = 300

/** What the synthesizer gets. */
export interface ShownPapers {
  readonly papers: readonly AnalysedPaper[]
  /** How many findings hold and were left out for want of room. */
  readonly leftOut: number
  /** Whether no finding is shown. */
  readonly isEmpty: boolean
}

/**
 * The papers' findings as the synthesizer gets them: only what stood the check, or what nobody decided, which is marked, and no more
 * than it can take in. Where there is no room for all, the first of each list come before the second of any.
 * @param roomBytes for all papers. Default 96,000
 */
export function shownPapers(kept: readonly KeptPaper[], roomBytes = mostShownBytes): ShownPapers {
  const room = Math.floor(roomBytes / Math.max(1, kept.length))
  const shown = kept.map((one) => shownPaper(one, room))
  return {
    papers: shown.map(({ paper }) => paper),
    leftOut: shown.reduce((sum, { leftOut }) => sum + leftOut, 0),
    isEmpty: shown.every(({ count }) => count === 0),
  }
}

/** The lists in the order in which they bear on a question. */
const lists: readonly (readonly [keyof AnalyzerOutput, (of: Analysis) => readonly Finding[]])[] = [
  ['key_findings', ({ keyFindings }) => keyFindings],
  ['conclusions', ({ conclusions }) => conclusions],
  ['limitations', ({ limitations }) => limitations],
  ['contributions', ({ contributions }) => contributions],
  ['methodology', ({ methodology }) => methodology],
]

function shownPaper({ n, paper, analysis }: KeptPaper, room: number) {
  const about = { n, id: paper.id, title: paper.title.slice(0, maxTitle) }
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

/** As text in a message, which is JSON itself. */
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

/** What is left of a quotation still stands on its page, so that it can be looked up. */
function cutQuote(quote: string): string {
  const line = quote.replaceAll(/\s+/g, ' ')
  return line.length <= maxQuote ? line : line.slice(0, maxQuote).replace(/\s\S*$/, '')
}
