import type { ErrorCode } from '../kernel/errors.ts'

/** What the run could not do or read, for the answer's list of gaps. */
export type Gap = {
  readonly kind:
    | 'unreadable_source'
    /** A remark about a source that was read, such as invisible text left out. Nothing need be missing. */
    | 'source_note'
    /** What an earlier answer rests on has changed since, or is gone. */
    | 'changed_source'
    /** A web source was unavailable; another one may have answered. */
    | 'source_unavailable'
    /** Of a picture only the metadata was read. */
    | 'image_not_read'
    | 'no_evidence'
    | 'tool_failed'
    | 'limit'
    | 'uncited_answer'
    | 'unsupported_answer'
    | 'claim_dropped'
    | 'claims_unverified'
    | 'forked_question'
    /** An answer of a model is used although it was cut off at its maximum length. */
    | 'cut_off'
    | 'error'
  readonly detail: string
  readonly source?: string
  /** For an unavailable source: why, as one word for programs. */
  readonly reason?: string
}

/** The gap for a truncated answer that is used; none if it was not truncated. @param what whose answer, with its article */
export function cutGaps(isCut: boolean, what: string): readonly Gap[] {
  const detail = `${what} was cut off at its maximum length; the rest is missing.`
  return isCut ? [{ kind: 'cut_off', detail }] : []
}

/** The same gap as a patch of a state. */
export function cutPatch(isCut: boolean, what: string): { readonly gaps?: readonly Gap[] } {
  return isCut ? { gaps: cutGaps(isCut, what) } : {}
}

/** Adds gaps to a list. A source that is unavailable for one reason is listed once. */
export function withGaps(known: readonly Gap[], more: readonly Gap[]): readonly Gap[] {
  const gaps = [...known]
  for (const gap of more) {
    const isSame = ({ kind, source, reason }: Gap) =>
      kind === gap.kind && source === gap.source && reason === gap.reason
    if (gap.kind !== 'source_unavailable' || !gaps.some(isSame)) gaps.push(gap)
  }
  return gaps
}

/** A failure, for programs: its kind, what can be done about it, and whether resuming the run can help. */
export type AskError = {
  readonly code: ErrorCode
  readonly message: string
  /** null: no advice is known. */
  readonly hint: string | null
  readonly retryable: boolean
}
