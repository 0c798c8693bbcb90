import type { ReadPassage } from './claim.ts'

/** What the analyzer works on: passages of one paper. */
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

/** What the analyzer answers: sentences that the passages say. */
export type AnalyzerOutput = {
  readonly methodology: readonly string[]
  readonly key_findings: readonly string[]
  readonly conclusions: readonly string[]
  readonly limitations: readonly string[]
  readonly contributions: readonly string[]
}

/** The lists of an analysis, in the order in which people read them. */
export const analysisTopics = [
  'methodology',
  'key_findings',
  'conclusions',
  'limitations',
  'contributions',
] as const satisfies readonly (keyof AnalyzerOutput)[]

/** Something that an analysis says of a paper, with the words of the page where they are known. */
export type AnalysedFinding = {
  readonly text: string
  readonly quote?: string
  readonly page?: number
  /** What the check of it left open; absent where its page bears it out. */
  readonly check?: 'partial' | 'unchecked'
}

/** A paper as the synthesizer gets it. */
export type AnalysedPaper = {
  readonly n: number
  readonly id: string
  readonly title: string
} & { readonly [topic in keyof AnalyzerOutput]: readonly AnalysedFinding[] }

/** What the synthesizer works on. */
export type SynthesizerInput = {
  readonly question: string
  readonly papers: readonly AnalysedPaper[]
}

/** Words of a paper that show a point. A paper is named by its number or its id. */
export type DraftQuote = { readonly paper: string; readonly quote: string }

/** Papers with the words that show what they say. */
export type DraftSupport = {
  readonly papers: readonly string[]
  readonly quotes: readonly DraftQuote[]
}

/** What the synthesizer answers, before anything of it is checked. */
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
