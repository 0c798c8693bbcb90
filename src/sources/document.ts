import type { CslItem, Source } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'

/** A half-open span of a document's text in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A heading and where its section's text starts. */
export interface Section {
  readonly title: string
  /** 1 is the highest. */
  readonly level: number
  readonly start: number
}

/** What a reader makes of a file: its text, once, with where pages and sections lie in it. */
export interface Document {
  /** SHA-256 of the file's bytes. */
  readonly contentHash: Hash
  readonly kind: Source['kind']
  readonly sizeBytes: number
  readonly title: string
  readonly text: string
  /** Page n is at index n - 1; empty for what has no pages. A presentation's slides are its pages. */
  readonly pages: readonly Span[]
  /** Headings in order; a section runs to the next heading. */
  readonly sections: readonly Section[]
  readonly csl: CslItem
  /** What the reader could not make out, one line each ("page 7 has no text: a scan?"). */
  readonly notes: readonly string[]
}

/** A {@link Document} without what the bytes tell before they are read. */
export type Content = Omit<Document, 'contentHash' | 'kind' | 'sizeBytes'>

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
    | 'reader_died'
  readonly detail: string
  readonly hint: string
}

/** What one reader makes of a file's bytes. */
export type ReadResult =
  | { readonly ok: true; readonly content: Content }
  | { readonly ok: false; readonly unreadable: Unreadable }

/** What a reader is told of a file beside its bytes. */
export interface ReadRequest {
  readonly kind: Source['kind']
  readonly contentHash: Hash
  readonly path: string
  /** The title where the file gives none. */
  readonly fallbackTitle: string
  readonly timeoutMs: number
}

/**
 * Reads the files of one kind; what it throws means that the file is broken. `allowMs` asks for more time than
 * `request.timeoutMs` once the file has shown that it needs it.
 */
export type Reader = (
  bytes: Uint8Array,
  request: ReadRequest,
  allowMs: (limitMs: number) => void,
) => Promise<ReadResult>

/** A file's outcome: a value either way, so that one bad file never ends the rest. The path is absolute. */
export type ReadOutcome =
  | { readonly ok: true; readonly path: string; readonly document: Document }
  | { readonly ok: false; readonly path: string; readonly unreadable: Unreadable }

/** A reading that gave nothing. */
export function refuse(unreadable: Unreadable): ReadResult {
  return { ok: false, unreadable }
}

/** UTF-16 code units of one file's text that are read at most; a note says so when there is more. */
export const maxTextUnits = 20_000_000
/** UTF-16 code units of the texts of all files that are read at once, some 250,000 pages; the rest is passed over. */
export const maxTextUnitsAtOnce = 500_000_000
/** A longer title is cut: none has more characters. */
export const maxTitleUnits = 1_000
