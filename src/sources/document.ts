import type { CslItem, Source } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'

/** A half-open span of a document's text in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a reader makes of a file: its text, once, with where pages and sections lie in it. */
export interface Document {
  /** SHA-256 of the file's bytes. */
  readonly contentHash: Hash
  readonly kind: Source['kind']
  readonly sizeBytes: number
  readonly title: string
  readonly text: string
  /** Page n is at index n - 1; empty for what has no pages. */
  readonly pages: readonly Span[]
  /** Headings in order; a section runs to the next heading. */
  readonly sections: readonly {
    readonly title: string
    readonly level: number
    readonly start: number
  }[]
  readonly csl: CslItem
  /** What the reader could not make out, one line each ("page 7 has no text: a scan?"). */
  readonly notes: readonly string[]
}

/** Why a file gave no document. `detail` says what was found, `hint` what the person can do: a sentence each. */
export interface Unreadable {
  readonly reason:
    | 'not_found'
    | 'no_permission'
    | 'unsupported_kind'
    | 'empty'
    | 'encrypted'
    | 'broken'
    | 'no_text'
    | 'too_large'
    | 'timed_out'
    | 'not_text'
  readonly detail: string
  readonly hint: string
}

/** A reader's outcome: a value either way, so that one bad file never ends the rest. */
export type ReadOutcome =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly path: string; readonly unreadable: Unreadable }
