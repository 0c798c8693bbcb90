import type { Passage, Source, SourceId } from '../citations/source.ts'
import type { Document } from '../sources/document.ts'

/** One passage that matches, with its source. `score` is unbounded; larger is better; comparable within one search only. */
export interface Hit {
  readonly passage: Passage
  readonly source: Source
  readonly score: number
}

/** What adding a document did: `updated` when another snapshot of the same path was there before. */
export type AddOutcome = 'added' | 'unchanged' | 'updated'

/** A document to add. `isListed` false: only searches that name it in `alsoSourceIds` or `sourceIds` find it. Default `true`. */
export interface Addition {
  readonly document: Document
  /** Absolute; of what was read on the web its address. */
  readonly path: string
  readonly isListed?: boolean
}

/** What a search looks for and where. */
export interface SearchRequest {
  readonly query: string
  /** How many hits at most, 1 to 100. */
  readonly limit: number
  /** Only passages of these sources; all of the library when absent. */
  readonly sourceIds?: readonly SourceId[]
  /** The run's own sources, searched beside the listed ones. Ignored with `sourceIds`. */
  readonly alsoSourceIds?: readonly SourceId[]
  /** How many hits of one source at most; no bound when absent. */
  readonly perSource?: number
}

/** What the user has added: snapshots of sources and their passages, searchable. */
export interface Library {
  /** Adds a document's snapshot and its passages in one transaction; the older snapshot of `path` stays but is no longer searched. */
  add(document: Document, path: string): Promise<AddOutcome>
  /** Adds many in as few transactions as makes sense; outcomes in order. */
  addAll(additions: readonly Addition[]): Promise<readonly AddOutcome[]>
  /** Sources that every search goes through, by title. */
  list(): Promise<readonly Source[]>
  /** Takes out for good what has this id, or what is and was at this path or in this folder; how many files. */
  remove(idOrPath: string): Promise<number>
  /**
   * What is listed at this path or in this folder is no longer searched, but for the paths in `except`: it is not there any
   * more. Its snapshots stay for the answers that cite them. The paths, in order.
   */
  unlist(path: string, except?: readonly string[]): Promise<readonly string[]>
  /**
   * Passages that share a word with the query, best first; none when nothing but stop words is asked for.
   * @throws {@link ScholiumError} `invalid_input` for a limit that is out of range
   */
  search(request: SearchRequest): Promise<readonly Hit[]>
  source(id: SourceId): Promise<Source | undefined>
  /** The snapshot's whole text, or `undefined` when it is not here. */
  text(id: SourceId): Promise<string | undefined>
  /** The passages of a source in reading order. */
  passages(id: SourceId): Promise<readonly Passage[]>
  close(): Promise<void>
}
