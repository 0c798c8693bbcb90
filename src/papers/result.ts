import type { CitedSource, Claim, Coverage, Evidence, Verdict } from '../citations/claim.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { AskError, Gap } from '../team/gap.ts'
import type { Paper, SearchedPlace } from './paper.ts'

/** The final status of a paper. */
export type PaperStatus = 'found' | 'unreadable' | 'failed' | 'dropped' | 'kept'

/** A statement of an analysis, checked against the paper's pages. */
export type Finding = {
  readonly text: string
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  readonly judge: string
  readonly reason: string
}

/** The analysis of one paper. */
export type Analysis = {
  readonly paperId: string
  readonly title: string
  readonly methodology: readonly Finding[]
  readonly keyFindings: readonly Finding[]
  readonly conclusions: readonly Finding[]
  readonly limitations: readonly Finding[]
  readonly contributions: readonly Finding[]
  /** 0 to 1: how much of the paper was seen; 0 if the analysis failed. */
  readonly confidence: number
  /** Number of chunks seen. */
  readonly chunks: number
  /** Why it failed; absent if it succeeded. */
  readonly error?: string
}

/** A paper in the result. */
export type PaperEntry = Paper & {
  /** Its citation number; absent if it was not read. */
  readonly n?: number
  readonly status: PaperStatus
  readonly confidence?: number
  readonly pageCount?: number
  readonly chunkCount?: number
  readonly referenceCount?: number
  /** Why it was not `kept`. */
  readonly reason?: string
}

/**
 * A paper's stance on a point, with evidence. A paper that `differs` says nearly the same, but with another number, name
 * or direction, or with or without a negation: it does not support the point.
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

/** A point on which several papers agree. */
export type ConsensusPoint = {
  readonly point: string
  readonly stances: readonly PaperStance[]
}

/** A point on which papers disagree: both sides, each with its papers and evidence. */
export type Contradiction = {
  readonly description: string
  readonly context: string
  readonly sideA: { readonly says: string; readonly stances: readonly PaperStance[] }
  readonly sideB: { readonly says: string; readonly stances: readonly PaperStance[] }
}

/** A question the papers leave open, with the papers that say so; none if only the synthesis does. */
export type ResearchGap = {
  readonly text: string
  readonly stances: readonly PaperStance[]
}

/** What the papers jointly say. */
export type Synthesis = {
  readonly consensus: readonly ConsensusPoint[]
  readonly contradictions: readonly Contradiction[]
  readonly gaps: readonly ResearchGap[]
  /** Markdown with citations as `[n]`. */
  readonly summary: string
  /** 0 to 1. */
  readonly confidence: number
}

/** A point that was refused, and why. */
export type RefusedPoint = {
  readonly kind: 'consensus' | 'contradiction' | 'gap'
  readonly text: string
  readonly reason: string
}

/** An entry of the reference list. */
export type PaperReference = {
  readonly n: number
  readonly paperId: string
  /** `Authors. (Year). Title. arXiv:ID. URL` */
  readonly line: string
  /** Findings of the identity and retraction checks; empty if there are none. */
  readonly remarks: readonly string[]
}

/** Why a run of `papers` stopped. `ended_early`: a person wanted the result so far. */
export type PapersStop =
  | 'answered'
  | 'gaps'
  | 'no_papers'
  | 'none_kept'
  | 'no_evidence'
  | 'limit'
  | 'ended_early'
  | 'error'

/** The workflow's own result; usage, cost and times are added from the log. */
export type PapersResult = {
  readonly status: 'answered' | 'partial' | 'unanswered' | 'failed'
  readonly stopReason: PapersStop
  /** The query, named as in a result of `ask`. */
  readonly question: string
  readonly category: string
  /** The summary: Markdown with citations as `[n]`. */
  readonly answer: string
  readonly reasoning: string
  readonly citations: readonly CitedSource[]
  /** The claims of the summary. */
  readonly claims: readonly Claim[]
  /** `coverage`: over the claims of the summary. `coverageOfPoints`: over all findings, points and gaps. */
  readonly coverage: Coverage
  readonly coverageOfPoints: Coverage
  readonly papers: readonly PaperEntry[]
  readonly analyses: readonly Analysis[]
  readonly dropped: readonly { readonly paperId: string; readonly reason: string }[]
  readonly synthesis: Synthesis
  readonly refused: readonly RefusedPoint[]
  readonly references: readonly PaperReference[]
  readonly search: readonly SearchedPlace[]
  readonly gaps: readonly Gap[]
  /** Failures during the run, in order. */
  readonly errors: readonly string[]
  readonly error: AskError | null
  /** The extra state fields of an app's own nodes; absent without such nodes. */
  readonly more?: JsonObject
}
