import type { PaperEntry, PaperStance } from '../result.ts'
import type { ReportInput } from './report-input.ts'

/** One thing that papers support or dispute: a row of the matrix. A contradiction is two of them, one for each side. */
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

/** The stances of one paper on a point, with their places in the list of all. */
export function stancesOf(
  { stances }: ReportPoint,
  paperId: string,
): readonly { readonly stance: PaperStance; readonly index: number }[] {
  return stances.flatMap((stance, index) => (stance.paperId === paperId ? [{ stance, index }] : []))
}

/** The papers that have a number, by number. */
export function numberedPapers({
  papers,
}: ReportInput): readonly (PaperEntry & { readonly n: number })[] {
  return papers
    .flatMap((paper) => (paper.n === undefined ? [] : [{ ...paper, n: paper.n }]))
    .sort((one, other) => one.n - other.n)
}

/** The papers that were kept, by number. */
export function keptPapers(input: ReportInput): readonly PaperEntry[] {
  const kept = input.papers.filter(({ status }) => status === 'kept')
  return kept.toSorted((one, other) => (one.n ?? Infinity) - (other.n ?? Infinity))
}
