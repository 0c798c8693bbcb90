import type { ReadPassage } from './claim.ts'

/** The analyzer's input: passages of one paper. */
export type AnalyzerInput = {
  readonly question: string
  readonly paper: {
    readonly n: number
    readonly title: string
    readonly authors: readonly string[]
  }
  /** In reading order. */
  readonly passages: readonly ReadPassage[]
}

/** The analyzer's output: sentences that the passages support. */
export type AnalyzerOutput = {
  readonly methodology: readonly string[]
  readonly key_findings: readonly string[]
  readonly conclusions: readonly string[]
  readonly limitations: readonly string[]
  readonly contributions: readonly string[]
}

/** The lists of an analysis, in reading order. */
export const analysisTopics = [
  'methodology',
  'key_findings',
  'conclusions',
  'limitations',
  'contributions',
] as const satisfies readonly (keyof AnalyzerOutput)[]

/** A finding about a paper, with its words on the page where known. */
export type AnalysedFinding = {
  readonly text: string
  readonly quote?: string
  readonly page?: number
  /** What its check left open; absent if the page supports it. */
  readonly check?: 'partial' | 'unchecked'
}

/** A paper as the synthesizer receives it. */
export type AnalysedPaper = {
  readonly n: number
  readonly id: string
  readonly title: string
} & { readonly [topic in keyof AnalyzerOutput]: readonly AnalysedFinding[] }

/** The synthesizer's input. */
export type SynthesizerInput = {
  readonly question: string
  readonly papers: readonly AnalysedPaper[]
}

/** Words of a paper that support a point. Papers are named by number or id. */
export type DraftQuote = { readonly paper: string; readonly quote: string }

/** Papers with their supporting words. */
export type DraftSupport = {
  readonly papers: readonly string[]
  readonly quotes: readonly DraftQuote[]
}

/** The synthesizer's output, before it is checked. */
export type SynthesizerOutput = {
  readonly consensus: readonly ({ readonly point: string } & DraftSupport)[]
  readonly contradictions: readonly {
    readonly description: string
    readonly context: string
    readonly a: { readonly says: string } & DraftSupport
    readonly b: { readonly says: string } & DraftSupport
  }[]
  readonly gaps: readonly ({ readonly text: string } & DraftSupport)[]
  /** Markdown, citations as `[n]`. */
  readonly summary: string
}
