import type { Passage, Source, SourceId } from '../../citations/source.ts'
import type { AddOutcome, ListRequest } from '../../retrieval/library.ts'
import type {
  IndexAnswer,
  IndexQuery,
  KeptPassage,
  LibraryStore,
  SnapshotAddition,
} from '../../retrieval/library-store.ts'
import { isAbsent } from './is-absent.ts'
import { openLibraryStore } from './library.ts'
import { closedLibrary } from './library-failure.ts'

/**
 * A library store in a SQLite file that is opened on first use and created with its folder by the first addition; until then it
 * reads as empty. `prepare` is called before the file is created. Its methods reject with `store_failed` like {@link
 * openLibraryStore}.
 */
export function createLazyLibraryStore(path: string, prepare: () => void = () => {}): LibraryStore {
  return new LazyLibraryStore(path, prepare)
}

class LazyLibraryStore implements LibraryStore {
  private readonly path: string
  private readonly prepare: () => void
  private opened: LibraryStore | undefined
  private empty: LibraryStore | undefined
  private isClosed = false

  constructor(path: string, prepare: () => void) {
    this.path = path
    this.prepare = prepare
  }

  async add(additions: readonly SnapshotAddition[]): Promise<readonly AddOutcome[]> {
    if (this.isClosed) throw closedLibrary(this.path)
    if (this.opened === undefined) this.prepare()
    this.opened ??= openLibraryStore(this.path)
    return this.opened.add(additions)
  }

  async remove(idOrPath: string): Promise<number> {
    return this.there().remove(idOrPath)
  }

  async unlist(path: string, except: readonly string[]): Promise<readonly string[]> {
    return this.there().unlist(path, except)
  }

  async list(request: ListRequest): Promise<readonly Source[]> {
    return this.there().list(request)
  }

  async paths(idOrPath: string): Promise<readonly string[]> {
    return this.there().paths(idOrPath)
  }

  async find(query: IndexQuery): Promise<IndexAnswer> {
    return this.there().find(query)
  }

  async read(keys: readonly number[]): Promise<ReadonlyMap<number, KeptPassage>> {
    return this.there().read(keys)
  }

  async source(id: SourceId): Promise<Source | undefined> {
    return this.there().source(id)
  }

  async text(id: SourceId): Promise<string | undefined> {
    return this.there().text(id)
  }

  async passages(id: SourceId): Promise<readonly Passage[]> {
    return this.there().passages(id)
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.opened?.close()
    await this.empty?.close()
  }

  /** The store, if its file now exists (another process may have created it), otherwise an empty one. */
  private there(): LibraryStore {
    if (this.isClosed) throw closedLibrary(this.path)
    if (this.opened !== undefined) return this.opened
    if (isAbsent(this.path)) {
      this.empty ??= openLibraryStore(':memory:')
      return this.empty
    }
    this.opened = openLibraryStore(this.path)
    return this.opened
  }
}
