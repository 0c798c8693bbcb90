import { ScholiumError } from '../../kernel/errors.ts'
import { canonicalJson, type JsonObject } from '../../kernel/json.ts'
import { canonicalUrl } from '../markup/canonical-url.ts'
import { type CitedNumbers, type IndexEntry, type NewEntry, requireEntry } from './index-entry.ts'

/**
 * Citation numbers and what they stand for. A URL, in any spelling, and a source's id have one number each, which never
 * changes; the same additions in the same order give the same numbers. Its JSON can be part of a run's state.
 */
export class CitationIndex implements CitedNumbers {
  private readonly minted: IndexEntry[] = []
  /** The number of each address and source id. */
  private readonly numbers = new Map<string, number>()

  /** Restores an index from its JSON. @throws `invalid_input` if the numbers are not 1, 2, 3 … */
  static fromJSON(entries: readonly IndexEntry[]): CitationIndex {
    const index = new CitationIndex()
    for (const { n, ...given } of entries) {
      if (n !== index.size + 1) {
        const text = `A citation index cannot continue with number ${n} after ${index.size}.`
        throw new ScholiumError('invalid_input', text, { details: { n } })
      }
      index.mint(given)
    }
    return index
  }

  get size(): number {
    return this.minted.length
  }

  /** All entries in the order of their numbers. */
  get entries(): readonly IndexEntry[] {
    return [...this.minted]
  }

  entry(n: number): IndexEntry | undefined {
    return this.minted[n - 1]
  }

  /** The number of a URL, an alias or a source's id. */
  lookup(urlOrSourceId: string): number | undefined {
    return this.numbers.get(sourceKey(urlOrSourceId)) ?? this.numbers.get(urlKey(urlOrSourceId))
  }

  /**
   * Adds an entry: returns the existing one, completed with what it lacked, or a new one with the next number. An address
   * keeps the first number it had even if the page's bytes have changed: that is another source, which keeps the address
   * as its `url`.
   *
   * @throws `invalid_input` without a URL or source id
   */
  add(given: NewEntry): IndexEntry {
    const n = this.numberOf(given)
    return n === undefined ? this.mint(given) : this.enrich(n, given)
  }

  /**
   * Adds another address to a number.
   * @throws `invalid_input` for a number that was not minted, or a URL that has another number
   */
  alias(n: number, url: string): IndexEntry {
    requireEntry(this, n)
    const other = this.numbers.get(urlKey(url))
    if (other !== undefined && other !== n) {
      const text = `The address ${url} has the number ${other} and cannot be one of ${n}.`
      throw new ScholiumError('invalid_input', text, { details: { n, other } })
    }
    return this.enrich(n, { url })
  }

  /**
   * Sets an entry's title, record or metadata members, replacing existing ones, and adds tags.
   * @throws `invalid_input` for a number that was not minted
   */
  annotate(
    n: number,
    { title, csl, tags, metadata }: Pick<NewEntry, 'title' | 'csl' | 'tags' | 'metadata'>,
  ): IndexEntry {
    const entry = requireEntry(this, n)
    return this.set({
      ...entry,
      ...(title === undefined ? {} : { title }),
      ...(csl === undefined ? {} : { csl }),
      ...(tags === undefined ? {} : { tags: union(entry.tags, tags) }),
      ...(metadata === undefined ? {} : { metadata: { ...entry.metadata, ...metadata } }),
    })
  }

  /** The entries with a tag. */
  findByTag(tag: string): readonly IndexEntry[] {
    return this.findByTags([tag])
  }

  /** The entries with all the tags. */
  findByTags(tags: readonly string[]): readonly IndexEntry[] {
    return this.minted.filter((entry) => tags.every((tag) => entry.tags?.includes(tag)))
  }

  /** The entries whose metadata has all the given members with equal values. */
  findByMetadata(wanted: JsonObject): readonly IndexEntry[] {
    const members = Object.entries(wanted)
    return this.minted.filter(({ metadata = {} }) =>
      members.every(
        ([key, value]) =>
          Object.hasOwn(metadata, key) && canonicalJson(metadata[key]) === canonicalJson(value),
      ),
    )
  }

  /**
   * Merges another index in its order, and returns the number here for each number there. Existing information about a
   * source is kept. Merging three indexes gives the same result in either grouping, unless they disagree about an address.
   */
  merge(other: CitationIndex): ReadonlyMap<number, number> {
    return new Map(other.minted.map(({ n, ...given }) => [n, this.add(given).n] as const))
  }

  /** A copy with the same numbers. */
  copy(): CitationIndex {
    return CitationIndex.fromJSON(this.minted)
  }

  /** The entries as JSON. */
  toJSON(): readonly IndexEntry[] {
    return this.entries
  }

  /** A source is identified by its id; by its address only if nothing else was read there. */
  private numberOf({ url, sourceId }: NewEntry): number | undefined {
    if (url === undefined && sourceId === undefined)
      throw new ScholiumError('invalid_input', 'A citation needs a URL or a source id.')
    const byId = sourceId === undefined ? undefined : this.numbers.get(sourceKey(sourceId))
    if (byId !== undefined || url === undefined) return byId
    const byUrl = this.numbers.get(urlKey(url))
    if (byUrl === undefined || sourceId === undefined) return byUrl
    return this.entry(byUrl)?.sourceId === undefined ? byUrl : undefined
  }

  private mint(given: NewEntry): IndexEntry {
    const n = this.size + 1
    this.minted.push({ n })
    return this.enrich(n, given)
  }

  private enrich(n: number, given: NewEntry): IndexEntry {
    const entry = this.minted[n - 1] as IndexEntry
    const added = listAddresses(given).filter((address) => this.claim(n, urlKey(address)))
    // A page that was read again keeps its address, although the address belongs to the first number.
    const known = entry.url === undefined && given.url !== undefined ? [given.url] : []
    const [url, ...aliases] = new Set([...listAddresses(entry), ...known, ...added])
    const { sourceId = given.sourceId } = entry
    if (sourceId !== undefined) this.claim(n, sourceKey(sourceId))
    const { title = given.title, csl = given.csl } = entry
    const metadata = { ...given.metadata, ...entry.metadata }
    return this.set({
      n,
      ...(url === undefined ? {} : { url }),
      ...(sourceId === undefined ? {} : { sourceId }),
      ...(title === undefined ? {} : { title }),
      ...(csl === undefined ? {} : { csl }),
      ...addToList('aliases', aliases),
      ...addToList('tags', union(entry.tags, given.tags)),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    })
  }

  /** Assigns a key to a number, unless it is taken. */
  private claim(n: number, key: string): boolean {
    if (this.numbers.has(key)) return false
    this.numbers.set(key, n)
    return true
  }

  private set(entry: IndexEntry): IndexEntry {
    this.minted[entry.n - 1] = entry
    return entry
  }
}

/** Merges two indexes and keeps the first one's numbers: for a state field that parallel branches add to. */
export function mergeIndexes(
  first: readonly IndexEntry[],
  second: readonly IndexEntry[],
): readonly IndexEntry[] {
  const index = CitationIndex.fromJSON(first)
  index.merge(CitationIndex.fromJSON(second))
  return index.toJSON()
}

function sourceKey(sourceId: string): string {
  return `source ${sourceId}`
}

function urlKey(url: string): string {
  return `url ${canonicalUrl(url) ?? url}`
}

function listAddresses({ url, aliases = [] }: NewEntry): readonly string[] {
  return url === undefined ? aliases : [url, ...aliases]
}

function union(first: readonly string[] = [], second: readonly string[] = []): readonly string[] {
  return [...new Set([...first, ...second])]
}

function addToList<K extends string>(name: K, list: readonly string[]) {
  return list.length === 0 ? {} : ({ [name]: list } as { readonly [key in K]: readonly string[] })
}
