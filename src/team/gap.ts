import type { ErrorCode } from '../kernel/errors.ts'

/** What the run could not do or read, for the answer's list of gaps. */
export type Gap = {
  readonly kind:
    | 'unreadable_source'
    /** What is to be known of a source that was read: text of it that nobody sees was left out, say. Nothing has to be missing. */
    | 'source_note'
    /** What an earlier answer rests on has changed since, or is gone. */
    | 'changed_source'
    /** A source of the web could not be had; another one may have answered. */
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
  /** Of a source that could not be had: why, as one word for programs. */
  readonly reason?: string
}

/** The gap of an answer that is used although it was cut off; none of one that was not. @param what whose answer, with its article */
export function cutGaps(isCut: boolean, what: string): readonly Gap[] {
  const detail = `${what} was cut off at its maximum length; the rest is missing.`
  return isCut ? [{ kind: 'cut_off', detail }] : []
}

/** The same as what a node adds to a state. */
export function cutPatch(isCut: boolean, what: string): { readonly gaps?: readonly Gap[] } {
  return isCut ? { gaps: cutGaps(isCut, what) } : {}
}

/** Gaps with more of them: that a source cannot be had for a reason is told once, whoever met it. */
export function withGaps(known: readonly Gap[], more: readonly Gap[]): readonly Gap[] {
  const gaps = [...known]
  for (const gap of more) {
    const isSame = ({ kind, source, reason }: Gap) =>
      kind === gap.kind && source === gap.source && reason === gap.reason
    if (gap.kind !== 'source_unavailable' || !gaps.some(isSame)) gaps.push(gap)
  }
  return gaps
}

/** What failed, for programs: which kind it is, what can be done about it, and whether going on with the run can help. */
export type AskError = {
  readonly code: ErrorCode
  readonly message: string
  /** null: nothing is known that would help. */
  readonly hint: string | null
  readonly retryable: boolean
}
