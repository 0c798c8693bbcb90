import type { CslItem, Source } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'

/** A half-open span of a document's text in UTF-16 code units. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A heading, and where its section starts. */
export interface Section {
  readonly title: string
  /** 1 is the highest. */
  readonly level: number
  readonly start: number
}

/** A file's text, with its pages and sections. */
export interface Document {
  /** SHA-256 of the file's bytes. */
  readonly contentHash: Hash
  readonly kind: Source['kind']
  readonly sizeBytes: number
  readonly title: string
  readonly text: string
  /** Page n is at index n - 1; empty for files without pages. The slides of a presentation are pages. */
  readonly pages: readonly TextSpan[]
  /** Headings in order; a section runs to the next heading. */
  readonly sections: readonly Section[]
  readonly csl: CslItem
  /** What the reader could not make out, one line each ("page 7 has no text: a scan?"). */
  readonly notes: readonly string[]
}

/** The part of a {@link Document} that comes from the reader. */
export type DocumentContent = Omit<Document, 'contentHash' | 'kind' | 'sizeBytes'>

/** Why a file could not be read. `detail` says what was found, `hint` what the user can do; one sentence each. */
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

/** The outcome of one reader. */
export type ReadResult =
  | { readonly ok: true; readonly content: DocumentContent }
  | { readonly ok: false; readonly unreadable: Unreadable }

/** What a reader is told about a file, apart from its bytes. */
export interface ReadRequest {
  readonly kind: Source['kind']
  readonly contentHash: Hash
  readonly path: string
  /** Title for files that have none. */
  readonly fallbackTitle: string
  readonly timeoutMs: number
}

/**
 * Reads files of one kind. An exception means that the file is broken. `allowMs` asks for more time than
 * `request.timeoutMs` once the file has shown that it needs it.
 */
export type FormatReader = (
  bytes: Uint8Array,
  request: ReadRequest,
  allowMs: (limitMs: number) => void,
) => Promise<ReadResult>

/** The outcome for a file. Failures are values, so that one bad file does not affect the others. The path is absolute. */
export type ReadOutcome =
  | { readonly ok: true; readonly path: string; readonly document: Document }
  | { readonly ok: false; readonly path: string; readonly unreadable: Unreadable }

/** A failed reading. */
export function refuse(unreadable: Unreadable): ReadResult {
  return { ok: false, unreadable }
}

/** Maximum length of a file's text in UTF-16 code units; a note says what was cut. */
export const maxTextUnits = 20_000_000
/** Maximum length of all texts read at once in UTF-16 code units, about 250,000 pages; the rest is skipped. */
export const maxTextUnitsAtOnce = 500_000_000
/** Maximum length of a title; longer ones are cut. */
export const maxTitleUnits = 1_000
