import type { SourceId } from '../../../citations/source.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { Addition, Hit } from '../../../retrieval/library.ts'
import { getMember, isSame } from './json-values.ts'
import { requireService, type ToolActionServices } from './tool-action.ts'

/** The default collection. */
export const defaultCollection = 'default'

/** A document to be added to a collection. */
export interface CollectionAddition extends Pick<Addition, 'document' | 'path'> {
  readonly metadata: JsonObject
}

/** A passage of a collection. */
export interface CollectionHit extends Hit {
  /** Metadata of its document. */
  readonly metadata: JsonObject
}

/** What is searched, and in which collection. */
export interface CollectionSearch {
  readonly query: string
  readonly limit: number
  /** Absent: the user's library and the default collection. */
  readonly collection?: string | undefined
  readonly filter: JsonObject
}

/**
 * Adds documents to the library for one collection only; the memory records which ones. No other search finds them.
 * @returns the sources in order, and which of them are new or changed
 */
export async function addToCollection(
  services: ToolActionServices,
  collection: string,
  additions: readonly CollectionAddition[],
): Promise<{ readonly sourceIds: readonly SourceId[]; readonly changed: readonly SourceId[] }> {
  const library = requireService(services, 'library')()
  const memory = requireService(services, 'memory')()
  const known = new Set((await memory.list(getNamespace(collection))).map(({ key }) => key))
  await library.addAll(additions.map(({ document, path }) => ({ document, path, isListed: false })))
  for (const { document, metadata } of additions)
    await memory.set(getNamespace(collection), document.contentHash, { value: metadata })
  const sourceIds = additions.map(({ document }) => document.contentHash as SourceId)
  return { sourceIds, changed: [...new Set(sourceIds)].filter((id) => !known.has(id)) }
}

/** The sources of a collection with their metadata. */
export async function collectionSources(
  services: ToolActionServices,
  collection: string,
): Promise<ReadonlyMap<SourceId, JsonObject>> {
  const entries = await requireService(services, 'memory')().list(getNamespace(collection))
  return new Map(
    entries.map(({ key, value }) => [key as SourceId, isJsonObject(value) ? value : {}]),
  )
}

/** The best passages, each with its document's metadata. */
export async function searchCollection(
  services: ToolActionServices,
  { query, limit, collection, filter }: CollectionSearch,
): Promise<readonly CollectionHit[]> {
  const library = requireService(services, 'library')()
  const isKept = collection !== undefined || services.memory !== undefined
  const all = isKept
    ? await collectionSources(services, collection ?? defaultCollection)
    : new Map<SourceId, JsonObject>()
  const isFiltered = Object.keys(filter).length > 0
  const sources = [...all].flatMap(([id, metadata]) =>
    matchesFilter(metadata, filter) ? [id] : [],
  )
  const isOnly = collection !== undefined || isFiltered
  if (isOnly && sources.length === 0) return []
  const where = isOnly ? { sourceIds: sources } : { alsoSourceIds: sources }
  const hits = await library.search({ query, limit, ...where })
  return hits.map((hit) => ({ ...hit, metadata: all.get(hit.source.id) ?? {} }))
}

function getNamespace(collection: string): string {
  return `collection:${collection}`
}

const comparisons: Readonly<
  Record<string, (one: number | string, other: number | string) => boolean>
> = {
  gte: (one, other) => one >= other,
  lte: (one, other) => one <= other,
  gt: (one, other) => one > other,
  lt: (one, other) => one < other,
}

/**
 * Whether metadata matches a filter: `name` equal, `name_ne` different, `name_in` one of a list, `name_gt` and similar
 * by order.
 */
function matchesFilter(metadata: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([written, wanted = null]) => {
    const [, name = written, rule] = /^(.+)_(gte|lte|gt|lt|ne|in)$/.exec(written) ?? []
    const fact = getMember(metadata, rule === undefined ? written : name)
    if (rule === undefined) return isSame(fact, wanted)
    if (rule === 'ne') return !isSame(fact, wanted)
    if (rule === 'in') return Array.isArray(wanted) && wanted.some((one) => isSame(fact, one))
    const isOrdered =
      typeof fact === typeof wanted && (typeof fact === 'number' || typeof fact === 'string')
    return isOrdered && (comparisons[rule]?.(fact, wanted as number | string) ?? false)
  })
}
