import type { CitedSource, Claim, Coverage, Evidence, Verdict } from '../citations/claim.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { AskError, Gap } from '../team/gap.ts'
import type { Paper } from './paper.ts'

/** Where a paper is on its way. */
export type PaperStatus = 'found' | 'unreadable' | 'failed' | 'dropped' | 'kept'

/** One thing that an analysis says of a paper, checked against that paper's pages. */
export type Finding = {
  readonly text: string
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  readonly judge: string
  readonly reason: string
}

/** What one paper says. */
export type Analysis = {
  readonly paperId: string
  readonly title: string
  readonly methodology: readonly Finding[]
  readonly keyFindings: readonly Finding[]
  readonly conclusions: readonly Finding[]
  readonly limitations: readonly Finding[]
  readonly contributions: readonly Finding[]
  /** 0 to 1: how much of the paper the analysis saw; 0: it failed. */
  readonly confidence: number
  /** How many stretches of the paper it saw. */
  readonly chunks: number
  /** Why it failed; absent where it did not. */
  readonly error?: string
}

/** A paper of the result. */
export type PaperEntry = Paper & {
  /** Its number in citations; absent where it was not read. */
  readonly n?: number
  readonly status: PaperStatus
  readonly confidence?: number
  readonly pageCount?: number
  readonly chunkCount?: number
  readonly referenceCount?: number
  /** Why it is not `kept`. */
  readonly reason?: string
}

/**
 * What one paper has to do with a point: its stance, and the place that shows it. A paper that `differs` says nearly that, with
 * another number, name, direction or without its negation: it is no support.
 */
export type PaperStance = {
  readonly paperId: string
  readonly n: number
  readonly stance: 'supports' | 'differs' | 'disputes'
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  readonly judge: string
  readonly reason: string
}

/** What several papers say alike. */
export type ConsensusPoint = {
  readonly point: string
  readonly stances: readonly PaperStance[]
}

/** What papers say against each other: both sides, each with its papers and their places. */
export type Contradiction = {
  readonly description: string
  readonly context: string
  readonly sideA: { readonly says: string; readonly stances: readonly PaperStance[] }
  readonly sideB: { readonly says: string; readonly stances: readonly PaperStance[] }
}

/** A question that the papers leave open, with the papers that say so; none where only the synthesis does. */
export type ResearchGap = {
  readonly text: string
  readonly stances: readonly PaperStance[]
}

/** What the papers say together. */
export type Synthesis = {
  readonly consensus: readonly ConsensusPoint[]
  readonly contradictions: readonly Contradiction[]
  readonly gaps: readonly ResearchGap[]
  /** Markdown; citations as `[n]`. */
  readonly summary: string
  /** 0 to 1. */
  readonly confidence: number
}

/** A point that was not taken over, and why. */
export type RefusedPoint = {
  readonly kind: 'consensus' | 'contradiction' | 'gap'
  readonly text: string
  readonly reason: string
}

/** A line of the list of references. */
export type PaperReference = {
  readonly n: number
  readonly paperId: string
  /** `Authors. (Year). Title. arXiv:ID. URL` */
  readonly line: string
  /** What identity and retraction checks found; empty where nothing was. */
  readonly remarks: readonly string[]
}

/** How a search went, place by place. */
export type SearchTier = {
  readonly place: string
  readonly outcome: 'used' | 'empty' | 'failed' | 'not asked'
  readonly found: number
  readonly detail: string
}

/** Why a run of papers stopped. */
export type PapersStop =
  | 'answered'
  | 'gaps'
  | 'no_papers'
  | 'none_kept'
  | 'no_evidence'
  | 'limit'
  | 'error'

/** What the workflow itself knows of a synthesis; usage, cost and times are added from the log. */
export type PapersResult = {
  readonly status: 'answered' | 'partial' | 'unanswered' | 'failed'
  readonly stopReason: PapersStop
  /** The query; named as in a result of `ask`, so that what reads one reads the other. */
  readonly question: string
  readonly category: string
  /** The summary; Markdown, citations as `[n]`. */
  readonly answer: string
  readonly reasoning: string
  readonly citations: readonly CitedSource[]
  /** The claims of the summary. */
  readonly claims: readonly Claim[]
  /** Over the claims of the summary, and over all that is said of papers: findings, points, gaps. */
  readonly coverage: Coverage
  readonly coverageOfPoints: Coverage
  readonly papers: readonly PaperEntry[]
  readonly analyses: readonly Analysis[]
  readonly dropped: readonly { readonly paperId: string; readonly reason: string }[]
  readonly synthesis: Synthesis
  readonly refused: readonly RefusedPoint[]
  readonly references: readonly PaperReference[]
  readonly search: readonly SearchTier[]
  readonly gaps: readonly Gap[]
  /** What failed on the way, in order: the run went on without it. */
  readonly errors: readonly string[]
  readonly error: AskError | null
  /** The fields that nodes of an app's own have in the state, as they gave them; absent without such nodes. */
  readonly more?: JsonObject
}
