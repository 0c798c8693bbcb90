import type { Passage, Source, SourceId } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Document } from '../sources/document.ts'
import { isSignpost, splitPassages } from './chunk.ts'
import type { Dictionary } from './dictionary.ts'
import type { Addition, AddOutcome, Hit, Library, ListRequest, SearchRequest } from './library.ts'
import type { IndexedPassage, IndexMatch, LibraryStore, Snapshot } from './library-store.ts'
import { type IndexedWords, type Query, readPassage, rerank } from './rerank.ts'
import { readContentWords } from './words.ts'

/** How many distinct words of a query are searched; the first ones count. */
const maxQueryWords = 64
/** How many of the index's matches are reranked; with fewer, good passages are lost. */
const poolSize = 150
/** How many candidates of one source are allowed per requested hit. */
const poolPerHit = 4
/** The cache limit for passages and words, about 30 MB; then the cache is cleared. */
const maxReadings = 10_000
const mostWords = 100_000

/**
 * Creates a library over a store: splits documents into passages and reranks the index's matches.
 * @param isPrivate the paths that are only told to who lists their folder. Default: none
 */
export function createLibrary(
  store: LibraryStore,
  isPrivate: (path: string) => boolean = () => false,
): Library {
  return new SearchedLibrary(store, isPrivate)
}

class SearchedLibrary implements Library {
  private readonly store: LibraryStore
  private readonly isPrivate: (path: string) => boolean
  private memory: Memory | undefined

  constructor(store: LibraryStore, isPrivate: (path: string) => boolean) {
    this.store = store
    this.isPrivate = isPrivate
  }

  async add(document: Document, path: string): Promise<AddOutcome> {
    const [outcome] = await this.addAll([{ document, path }])
    return outcome as AddOutcome
  }

  async addAll(additions: readonly Addition[]): Promise<readonly AddOutcome[]> {
    return this.store.add(
      additions.map(({ document, path, isListed = true }) => ({
        sourceId: document.contentHash,
        path,
        isListed,
        snapshot: () => toSnapshot(document),
      })),
    )
  }

  async search(request: SearchRequest): Promise<readonly Hit[]> {
    const { query, limit, perSource = poolSize, ...scope } = requireLimit(request)
    const words = queryWords(query)
    if (words.length === 0) return []
    const { matches, ...known } = await this.store.find({
      ...scope,
      words: [...new Set(words)],
      limit: poolSize,
      perSource: perSource * poolPerHit,
    })
    const all = await this.rank({ words, ...known }, matches)
    const ranked = limitPerSource(all, perSource).slice(0, limit)
    const kept = await this.store.read(ranked.map(({ key }) => key))
    return ranked.flatMap(({ key, score }) => {
      const found = kept.get(key)
      return found === undefined ? [] : [{ ...found, source: this.toShown(found.source), score }]
    })
  }

  private async rank(query: Query, matches: readonly IndexMatch[]): Promise<Ranked[]> {
    if (matches.length === 0) return []
    const { dictionary, readings } = await this.openMemory()
    const missing = matches.map(({ key }) => key).filter((key) => !readings.has(key))
    for (const [key, kept] of await this.store.read(missing)) {
      const heading = joinHeading(kept.source.title, kept.passage.section)
      readings.set(key, readPassage(heading, kept.passage.text, dictionary))
    }
    const candidates = matches.flatMap((match) => {
      const reading = readings.get(match.key)
      return reading === undefined ? [] : [{ ...match, reading }]
    })
    const scores = rerank(
      query,
      candidates.map(({ reading }) => reading),
      dictionary,
    )
    return candidates
      .map(({ key, sourceId }, index) => ({ key, sourceId, score: scores[index] as number }))
      .sort((left, right) => right.score - left.score || left.key - right.key)
  }

  /** The dictionary, with its stemmer, is loaded when something is to be ranked: most commands rank nothing. */
  private async openMemory(): Promise<Memory> {
    const { createDictionary } = await import('./dictionary.ts')
    const { memory } = this
    const isFull =
      memory !== undefined &&
      (memory.readings.size > maxReadings || memory.dictionary.size() > mostWords)
    if (memory !== undefined && !isFull) return memory
    this.memory = { dictionary: createDictionary(), readings: new Map() }
    return this.memory
  }

  list(request: ListRequest = {}): ReturnType<Library['list']> {
    return this.store.list(request)
  }

  paths(idOrPath: string): Promise<readonly string[]> {
    return this.store.paths(idOrPath)
  }

  remove(idOrPath: string): Promise<number> {
    return this.store.remove(idOrPath)
  }

  unlist(path: string, except: readonly string[] = []): Promise<readonly string[]> {
    return this.store.unlist(path, except)
  }

  async source(id: SourceId): Promise<Source | undefined> {
    const source = await this.store.source(id)
    return source && this.toShown(source)
  }

  private toShown({ path, ...source }: Source): Source {
    return path === undefined || this.isPrivate(path) ? source : { ...source, path }
  }

  text(id: SourceId): Promise<string | undefined> {
    return this.store.text(id)
  }

  passages(id: SourceId): ReturnType<Library['passages']> {
    return this.store.passages(id)
  }

  close(): Promise<void> {
    return this.store.close()
  }
}

/** Passages by key, as numbers of the dictionary. Keys are never reused, so entries never become stale. */
interface Memory {
  readonly dictionary: Dictionary
  readonly readings: Map<number, IndexedWords>
}

interface Ranked {
  readonly key: number
  readonly sourceId: SourceId
  readonly score: number
}

function requireLimit(request: SearchRequest): SearchRequest {
  const { limit, perSource = 1 } = request
  const refuse = (name: string, range: string): never => {
    throw new ScholiumError('invalid_input', `A search's ${name} must be a whole number ${range}.`)
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) refuse('limit', 'from 1 to 100')
  if (!Number.isInteger(perSource) || perSource < 1) refuse('perSource', 'of 1 or more')
  return request
}

/** The words of a query, up to {@link maxQueryWords} distinct ones. */
function queryWords(query: string): readonly string[] {
  const different = new Set<string>()
  const words: string[] = []
  for (const word of readContentWords(query)) {
    if (different.size === maxQueryWords && !different.has(word)) break
    different.add(word)
    words.push(word)
  }
  return words
}

function limitPerSource(ranked: readonly Ranked[], perSource: number): readonly Ranked[] {
  const taken = new Map<SourceId, number>()
  return ranked.filter(({ sourceId }) => {
    const count = (taken.get(sourceId) ?? 0) + 1
    taken.set(sourceId, count)
    return count <= perSource
  })
}

/** A document as it is stored. Null bytes, which not every SQLite binding reads back, become replacement characters. */
function toSnapshot(given: Document): Snapshot {
  const document = { ...given, text: given.text.replaceAll('\0', '\ufffd') }
  const { contentHash, kind, sizeBytes, title, text, csl, pages } = document
  const pageCount = pages.length === 0 ? {} : { pageCount: pages.length }
  return {
    source: { id: contentHash, kind, sizeBytes, title, csl, ...pageCount },
    text,
    passages: toIndexedPassages(splitPassages(document, contentHash), title),
  }
}

/** Passages of headings and links are not indexed; a heading's words are indexed with the passages below it. */
function toIndexedPassages(passages: readonly Passage[], title: string): readonly IndexedPassage[] {
  const isSaid = passages.map((passage) => !isSignpost(passage))
  const hasOnlySignposts = !isSaid.includes(true)
  return passages.map(({ id: _id, sourceId: _sourceId, text, ...place }, index) => {
    const titleWords = readContentWords(joinHeading(title, place.section)).join(' ')
    if (!isSaid[index] && !hasOnlySignposts) return { ...place, titleWords }
    return { ...place, titleWords, bodyWords: readContentWords(text).join(' ') }
  })
}

function joinHeading(title: string, section: string | undefined): string {
  return section === undefined || section === title ? title : `${title} ${section}`
}
