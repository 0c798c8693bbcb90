import type { Passage, Source, SourceId } from '../citations/source.ts'
import type { AddOutcome, ListRequest } from './library.ts'

/** A passage as it is indexed. Words are separated by spaces. */
export interface IndexedPassage extends Omit<Passage, 'id' | 'sourceId' | 'text'> {
  /** Words of the source's title and the section's heading. */
  readonly titleWords: string
  /** Words of its text; absent if no search should find it. */
  readonly bodyWords?: string
}

/** A source with its text, before it is kept. */
export interface Snapshot {
  readonly source: Omit<Source, 'path'>
  readonly text: string
  /** In reading order; only white space is between them. */
  readonly passages: readonly IndexedPassage[]
}

/** The snapshot to find at a path from now on. */
export interface SnapshotAddition {
  readonly sourceId: SourceId
  readonly path: string
  /** Whether searches find it without naming it. */
  readonly isListed: boolean
  /** Called only if no snapshot with this id is stored. */
  readonly snapshot: () => Snapshot
}

/** A query to the index. */
export interface IndexQuery {
  /** Distinct words; a passage must contain at least one. */
  readonly words: readonly string[]
  /** How many passages at most. */
  readonly limit: number
  /** How many of one source at most. */
  readonly perSource: number
  readonly sourceIds?: readonly SourceId[]
  readonly alsoSourceIds?: readonly SourceId[]
}

/** A passage found by the index. Its key is never reused. */
export interface IndexMatch {
  readonly key: number
  readonly sourceId: SourceId
}

/** The index's matches, and its statistics about the words. */
export interface IndexAnswer {
  /** The best matches by BM25 with the title counted twice, best first. Very common words may be ignored. */
  readonly matches: readonly IndexMatch[]
  /** In how many passages each word or another form of it occurs, listed or not. */
  readonly counts: ReadonlyMap<string, number>
  /** How many passages are in the index. */
  readonly total: number
}

/** A stored passage and its source. */
export interface KeptPassage {
  readonly passage: Passage
  readonly source: Source
}

/** Stores a library's snapshots and their full-text index. */
export interface LibraryStore {
  /** Stores snapshots, each atomically; outcomes in order. */
  add(additions: readonly SnapshotAddition[]): Promise<readonly AddOutcome[]>
  /** Listed sources, or those of a folder, by title. */
  list(request: ListRequest): Promise<readonly Source[]>
  /** The paths of the source with this id, at this path or in this folder. */
  paths(idOrPath: string): Promise<readonly string[]>
  /** Deletes what has this id, is at this path or in this folder; returns the number of files. */
  remove(idOrPath: string): Promise<number>
  /** Unlists what is at this path or in this folder, except some paths; returns the paths that were listed, in order. */
  unlist(path: string, except: readonly string[]): Promise<readonly string[]>
  find(query: IndexQuery): Promise<IndexAnswer>
  /** The passages with these keys, in their order, without those deleted. */
  read(keys: readonly number[]): Promise<ReadonlyMap<number, KeptPassage>>
  source(id: SourceId): Promise<Source | undefined>
  text(id: SourceId): Promise<string | undefined>
  passages(id: SourceId): Promise<readonly Passage[]>
  close(): Promise<void>
}
