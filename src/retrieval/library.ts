import type { Passage, Source, SourceId } from '../citations/source.ts'
import type { Document } from '../sources/document.ts'

/** A matching passage with its source. `score` is unbounded; higher is better; comparable within one search only. */
export interface Hit {
  readonly passage: Passage
  readonly source: Source
  readonly score: number
}

/** The outcome of adding a document: `updated` if the path had another snapshot before. */
export type AddOutcome = 'added' | 'unchanged' | 'updated'

/**
 * A document to add. With `isListed: false` only searches that name it in `alsoSourceIds` or `sourceIds` find it. Default
 * `true`.
 */
export interface Addition {
  readonly document: Document
  /** An absolute path, or an address for web pages. */
  readonly path: string
  readonly isListed?: boolean
}

/** What a search looks for and where. */
export interface SearchRequest {
  readonly query: string
  /** How many hits at most, 1 to 100. */
  readonly limit: number
  /** Only passages of these sources; by default the whole library. */
  readonly sourceIds?: readonly SourceId[]
  /** The run's own sources, searched along with the listed ones. Ignored with `sourceIds`. */
  readonly alsoSourceIds?: readonly SourceId[]
  /** The maximum number of hits per source; unlimited by default. */
  readonly perSource?: number
}

/** Which sources are listed. */
export interface ListRequest {
  /** Only what was read at a path in this folder, listed or not, with that path. Default: the listed sources. */
  readonly folder?: string
  /** Only the source with this id. */
  readonly id?: SourceId
}

/** The user's library: searchable snapshots of sources and their passages. */
export interface Library {
  /** Adds a document's snapshot and passages in one transaction; an older snapshot of `path` is kept but no longer searched. */
  add(document: Document, path: string): Promise<AddOutcome>
  /** Adds many documents in few transactions; outcomes in order. */
  addAll(additions: readonly Addition[]): Promise<readonly AddOutcome[]>
  /** The listed sources, or those of a folder, by title. */
  list(request?: ListRequest): Promise<readonly Source[]>
  /** The paths of the source with this id, or what is or was at this path or in this folder; listed or not. */
  paths(idOrPath: string): Promise<readonly string[]>
  /** Deletes what has this id, or what is or was at this path or in this folder; returns the number of files. */
  remove(idOrPath: string): Promise<number>
  /**
   * Unlists what is at this path or in this folder, except the paths in `except`. Snapshots are kept for the answers that
   * cite them. Returns the paths, in order.
   */
  unlist(path: string, except?: readonly string[]): Promise<readonly string[]>
  /**
   * Passages that share a word with the query, best first; none if the query has only stop words.
   * @throws {@link ScholiumError} `invalid_input` for a limit out of range
   */
  search(request: SearchRequest): Promise<readonly Hit[]>
  source(id: SourceId): Promise<Source | undefined>
  /** The snapshot's whole text, or `undefined` if it is not stored. */
  text(id: SourceId): Promise<string | undefined>
  /** The passages of a source in reading order. */
  passages(id: SourceId): Promise<readonly Passage[]>
  close(): Promise<void>
}
