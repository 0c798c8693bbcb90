import type { Claim, PassageReference } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import type { SynthesizerOutput } from '../citations/papers-role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import { append, type Channels, replace } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { addTokens, noTokens, type TokenUsage } from '../kernel/limits/token-usage.ts'
import { type Gap, withGaps } from '../team/gap.ts'
import type { Chunk, Paper, SearchedPlace } from './paper.ts'
import type { Analysis, PaperReference, PapersResult, RefusedPoint, Synthesis } from './result.ts'

/** What to do with unsupported claims. `mark`: keep them with their verdict; `strict`: leave them out; `off`: check nothing. */
export type PapersClaimPolicy = 'mark' | 'strict' | 'off'

/** The outcome of reading a paper; the text itself is in the library, under its source. */
export type StoredReading = {
  readonly sourceId: SourceId
  /** From the file; empty if it has none. */
  readonly title: string
  readonly authors: readonly string[]
  readonly pageCount: number
  readonly referenceCount: number
  readonly chunks: readonly Chunk[]
  /** Doubts raised while reading it. */
  readonly notes: readonly string[]
}

/** A paper that could not be downloaded or read, and why. */
export type UnreadPaper = {
  readonly paperId: string
  readonly status: 'unreadable' | 'failed'
  readonly reason: string
}

/** The pipeline's state, all JSON: papers by id, chunks by place, no text of a paper. */
export type PapersState = {
  readonly query: string
  /** Search terms; empty if nothing is searched. */
  readonly searchFor: string
  readonly category: string
  readonly count: number
  readonly files: readonly string[]
  readonly filesWithin: string
  /** Names of places by tier: a tier's places are searched together, the next tier only if none of them found a paper. */
  readonly tiers: readonly (readonly string[])[]
  readonly threshold: number
  /** Maximum number of chunks analysed per paper; null: as many as the analyzer's model has room for. */
  readonly topK: number | null
  readonly concurrency: number
  readonly claims: PapersClaimPolicy
  /** The run that this one continues; empty if none. */
  readonly earlierRun: string
  readonly papers: readonly Paper[]
  readonly search: readonly SearchedPlace[]
  readonly readings: { readonly [paperId: string]: StoredReading }
  readonly unread: readonly UnreadPaper[]
  readonly citations: readonly MintedNumber[]
  readonly analyses: readonly Analysis[]
  /** The chunks that the analyses saw. */
  readonly passages: readonly PassageReference[]
  /** The ids of papers above the threshold, in order. */
  readonly kept: readonly string[]
  readonly dropped: PapersResult['dropped']
  /** The synthesizer's output; null before it ran or if it failed. */
  readonly draft: SynthesizerOutput | null
  readonly synthesis: Synthesis | null
  readonly refused: readonly RefusedPoint[]
  /** The claims of the summary. */
  readonly summaryClaims: readonly Claim[]
  readonly references: readonly PaperReference[]
  readonly errors: readonly string[]
  readonly gaps: readonly Gap[]
  /** Tokens used by the models of all nodes so far, as logged. */
  readonly tokenUsage: TokenUsage
  /** The limit at which the run stopped. */
  readonly limit: Failure | null
  /** The permanent failure of a role. */
  readonly error: Failure | null
  readonly result: PapersResult | null
}

/** Initial value and reducer of each field. */
export const channels: Channels<PapersState> = {
  query: replace(''),
  searchFor: replace(''),
  category: replace(''),
  count: replace(5),
  files: replace<readonly string[]>([]),
  filesWithin: replace(''),
  tiers: replace<PapersState['tiers']>([]),
  threshold: replace(0.7),
  topK: replace<number | null>(null),
  concurrency: replace(4),
  claims: replace<PapersClaimPolicy>('mark'),
  earlierRun: replace(''),
  papers: replace<readonly Paper[]>([]),
  search: append<SearchedPlace>(),
  readings: { initial: {}, reduce: (current, given) => ({ ...current, ...given }) },
  unread: replace<readonly UnreadPaper[]>([]),
  citations: append<MintedNumber>(),
  analyses: append<Analysis>(),
  passages: append<PassageReference>(),
  kept: replace<readonly string[]>([]),
  dropped: replace<PapersResult['dropped']>([]),
  draft: replace<SynthesizerOutput | null>(null),
  synthesis: replace<Synthesis | null>(null),
  refused: replace<readonly RefusedPoint[]>([]),
  summaryClaims: replace<readonly Claim[]>([]),
  references: replace<readonly PaperReference[]>([]),
  errors: append<string>(),
  gaps: { initial: [], reduce: withGaps },
  tokenUsage: { initial: noTokens, reduce: addTokens },
  limit: replace<Failure | null>(null),
  error: replace<Failure | null>(null),
  result: replace<PapersResult | null>(null),
}

/** State fields of an app's own nodes; `undefined` if there are none. */
export function extraFields(state: PapersState): JsonObject | undefined {
  const beside = Object.entries(state).filter(([field]) => !Object.hasOwn(channels, field))
  return beside.length === 0 ? undefined : (Object.fromEntries(beside) as JsonObject)
}

/** The citation number of a paper; `undefined` if it was not read. */
export function findNumber(
  { readings, citations }: Pick<PapersState, 'readings' | 'citations'>,
  paperId: string,
): number | undefined {
  const sourceId = readings[paperId]?.sourceId
  return citations.find((minted) => minted.sourceId === sourceId)?.n
}

/** A kept paper with its number and analysis. */
export interface KeptPaper {
  readonly n: number
  readonly paper: Paper
  readonly analysis: Analysis
}

/** The papers above the threshold, with number and analysis, in order. */
export function keptPapers(state: PapersState): readonly KeptPaper[] {
  return state.kept.flatMap((id) => {
    const paper = state.papers.find((one) => one.id === id)
    const analysis = state.analyses.find(({ paperId }) => paperId === id)
    const n = findNumber(state, id)
    return paper && analysis && n !== undefined ? [{ n, paper, analysis }] : []
  })
}
