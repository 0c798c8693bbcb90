import type { SourceId } from '../../../citations/source.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { Addition, Hit } from '../../../retrieval/library.ts'
import { isSame, memberOf } from './json-values.ts'
import { needed, type ToolActionServices } from './tool-action.ts'

/** Where things go and are looked for that say nothing else. */
export const usualCollection = 'default'

/** A document that goes to a collection, with what is known of it. */
export interface CollectionAddition extends Pick<Addition, 'document' | 'path'> {
  readonly metadata: JsonObject
}

/** A passage of a collection. */
export interface CollectionHit extends Hit {
  /** What its document was stored with. */
  readonly metadata: JsonObject
}

/** Which collection is searched and for what. */
export interface CollectionSearch {
  readonly query: string
  readonly limit: number
  /** Absent: the user's library and the usual collection. */
  readonly collection?: string | undefined
  readonly filter: JsonObject
}

/**
 * Adds documents to the library for one collection: no other search finds them. Which they are stands in the memory.
 * @returns the sources, in order, and how many of them are new or changed
 */
export async function addToCollection(
  services: ToolActionServices,
  collection: string,
  additions: readonly CollectionAddition[],
): Promise<{ readonly sourceIds: readonly SourceId[]; readonly changed: readonly SourceId[] }> {
  const library = needed(services, 'library')()
  const memory = needed(services, 'memory')()
  const known = new Set((await memory.list(spaceOf(collection))).map(({ key }) => key))
  await library.addAll(additions.map(({ document, path }) => ({ document, path, isListed: false })))
  for (const { document, metadata } of additions)
    await memory.set(spaceOf(collection), document.contentHash, { value: metadata })
  const sourceIds = additions.map(({ document }) => document.contentHash as SourceId)
  return { sourceIds, changed: [...new Set(sourceIds)].filter((id) => !known.has(id)) }
}

/** The sources of a collection with what they were stored with. */
export async function collectionSources(
  services: ToolActionServices,
  collection: string,
): Promise<ReadonlyMap<SourceId, JsonObject>> {
  const entries = await needed(services, 'memory')().list(spaceOf(collection))
  return new Map(
    entries.map(({ key, value }) => [key as SourceId, isJsonObject(value) ? value : {}]),
  )
}

/** The best passages, each with what its document was stored with. */
export async function searchCollection(
  services: ToolActionServices,
  { query, limit, collection, filter }: CollectionSearch,
): Promise<readonly CollectionHit[]> {
  const library = needed(services, 'library')()
  const isKept = collection !== undefined || services.memory !== undefined
  const all = isKept
    ? await collectionSources(services, collection ?? usualCollection)
    : new Map<SourceId, JsonObject>()
  const isFiltered = Object.keys(filter).length > 0
  const sources = [...all].flatMap(([id, metadata]) => (fits(metadata, filter) ? [id] : []))
  const isOnly = collection !== undefined || isFiltered
  if (isOnly && sources.length === 0) return []
  const where = isOnly ? { sourceIds: sources } : { alsoSourceIds: sources }
  const hits = await library.search({ query, limit, ...where })
  return hits.map((hit) => ({ ...hit, metadata: all.get(hit.source.id) ?? {} }))
}

function spaceOf(collection: string): string {
  return `collection:${collection}`
}

const tests: Readonly<Record<string, (one: number | string, other: number | string) => boolean>> = {
  gte: (one, other) => one >= other,
  lte: (one, other) => one <= other,
  gt: (one, other) => one > other,
  lt: (one, other) => one < other,
}

/** Whether facts fit a filter: `name` the same, `name_ne` another, `name_in` one of a list, `name_gt` and the like in order. */
function fits(metadata: JsonObject, filter: JsonObject): boolean {
  return Object.entries(filter).every(([written, wanted = null]) => {
    const [, name = written, rule] = /^(.+)_(gte|lte|gt|lt|ne|in)$/.exec(written) ?? []
    const fact = memberOf(metadata, rule === undefined ? written : name)
    if (rule === undefined) return isSame(fact, wanted)
    if (rule === 'ne') return !isSame(fact, wanted)
    if (rule === 'in') return Array.isArray(wanted) && wanted.some((one) => isSame(fact, one))
    const isOrdered =
      typeof fact === typeof wanted && (typeof fact === 'number' || typeof fact === 'string')
    return isOrdered && (tests[rule]?.(fact, wanted as number | string) ?? false)
  })
}
