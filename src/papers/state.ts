import type { Claim, PassageReference } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import type { SynthesizerOutput } from '../citations/papers-role-input.ts'
import type { SourceId } from '../citations/source.ts'
import { append, type Channels, replace } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { addTokens, noTokens, type TokenUsage } from '../kernel/limits/token-usage.ts'
import { type Gap, withGaps } from '../team/gap.ts'
import type { Chunk, Paper } from './paper.ts'
import type {
  Analysis,
  PaperReference,
  PapersResult,
  RefusedPoint,
  SearchTier,
  Synthesis,
} from './result.ts'

/** What becomes of what does not hold. `mark`: it is delivered with its verdict; `strict`: it is left out; `off`: nothing is checked. */
export type PapersClaimPolicy = 'mark' | 'strict' | 'off'

/** What reading a paper left to the run: its text is in the library, under its source. */
export type StoredReading = {
  readonly sourceId: SourceId
  /** As the file gives them; empty where it does not. */
  readonly title: string
  readonly authors: readonly string[]
  readonly pageCount: number
  readonly referenceCount: number
  readonly chunks: readonly Chunk[]
  /** What reading it raised doubts about. */
  readonly notes: readonly string[]
}

/** A paper that could not be had or read, and why. */
export type UnreadPaper = {
  readonly paperId: string
  readonly status: 'unreadable' | 'failed'
  readonly reason: string
}

/** The state of the pipeline. All of it is JSON: papers by their ids, chunks by their places, no text of a paper. */
export type PapersState = {
  readonly query: string
  /** What is searched for; empty for nothing. */
  readonly searchFor: string
  readonly category: string
  readonly count: number
  readonly files: readonly string[]
  readonly filesWithin: string
  /** The names of places: those of a tier are asked together, the next tier only where one found nothing. */
  readonly tiers: readonly (readonly string[])[]
  readonly threshold: number
  readonly topK: number
  readonly concurrency: number
  readonly claims: PapersClaimPolicy
  /** The run from which this one goes on; empty for none. */
  readonly earlierRun: string
  readonly papers: readonly Paper[]
  readonly search: readonly SearchTier[]
  readonly readings: { readonly [paperId: string]: StoredReading }
  readonly unread: readonly UnreadPaper[]
  readonly citations: readonly MintedNumber[]
  readonly analyses: readonly Analysis[]
  /** The chunks that analyses saw. */
  readonly passages: readonly PassageReference[]
  /** The ids of papers above the threshold, in order. */
  readonly kept: readonly string[]
  readonly dropped: PapersResult['dropped']
  /** What the synthesizer wrote; null before it has, and where it failed. */
  readonly draft: SynthesizerOutput | null
  readonly synthesis: Synthesis | null
  readonly refused: readonly RefusedPoint[]
  /** The claims of the summary. */
  readonly summaryClaims: readonly Claim[]
  readonly references: readonly PaperReference[]
  readonly errors: readonly string[]
  readonly gaps: readonly Gap[]
  /** What the models of all nodes have used so far, as the log has it. */
  readonly tokenUsage: TokenUsage
  /** The limit at which the run stopped. */
  readonly limit: Failure | null
  /** What a role failed with for good. */
  readonly error: Failure | null
  readonly result: PapersResult | null
}

/** How each field begins and takes what a node gives. */
export const channels: Channels<PapersState> = {
  query: replace(''),
  searchFor: replace(''),
  category: replace(''),
  count: replace(5),
  files: replace<readonly string[]>([]),
  filesWithin: replace(''),
  tiers: replace<PapersState['tiers']>([]),
  threshold: replace(0.7),
  topK: replace(10),
  concurrency: replace(4),
  claims: replace<PapersClaimPolicy>('mark'),
  earlierRun: replace(''),
  papers: replace<readonly Paper[]>([]),
  search: append<SearchTier>(),
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

/** What the nodes of an app's own gave to fields of their own; `undefined` where there are none. */
export function extraFields(state: PapersState): JsonObject | undefined {
  const beside = Object.entries(state).filter(([field]) => !Object.hasOwn(channels, field))
  return beside.length === 0 ? undefined : (Object.fromEntries(beside) as JsonObject)
}

/** The number under which a paper is cited; `undefined` where it was not read. */
export function findNumber(
  { readings, citations }: Pick<PapersState, 'readings' | 'citations'>,
  paperId: string,
): number | undefined {
  const sourceId = readings[paperId]?.sourceId
  return citations.find((minted) => minted.sourceId === sourceId)?.n
}

/** A paper that was kept, with its number and its analysis. */
export interface KeptPaper {
  readonly n: number
  readonly paper: Paper
  readonly analysis: Analysis
}

/** The papers above the threshold, joined by their ids, in order. */
export function keptPapers(state: PapersState): readonly KeptPaper[] {
  return state.kept.flatMap((id) => {
    const paper = state.papers.find((one) => one.id === id)
    const analysis = state.analyses.find(({ paperId }) => paperId === id)
    const n = findNumber(state, id)
    return paper && analysis && n !== undefined ? [{ n, paper, analysis }] : []
  })
}
