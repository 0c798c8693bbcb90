import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { readContentWords } from '../../../retrieval/words.ts'
import type { ToolAction } from '../action.ts'
import type { MemoryEntry } from './agent-memory.ts'
import { isSame } from './json-values.ts'
import {
  defineToolAction,
  failedResult,
  requireService,
  type ToolActionServices,
} from './tool-action.ts'

const maxValueCharacters = 1_000_000
const longTerm = 'ltm'

/** The key it is stored under. */
export const key = z.string().min(1).max(500).describe('The key, at most 500 characters.')
const value = z.json().describe('The value, at most 1,000,000 characters as JSON.')
const metadata = z
  .record(z.string(), z.json())
  .default({})
  .describe('Metadata by name, for searches.')
const fallback = z.json().default(null).describe('The value if there is none; null by default.')

/** Stores values across runs: by namespace, or as long-term memories. */
export function memoryActions(services: ToolActionServices): readonly ToolAction[] {
  return [
    storeAction(services),
    retrieveAction(services),
    storeLongAction(services),
    retrieveLongAction(services),
    deleteLongAction(services),
    searchLongAction(services),
  ]
}

const namespace = z
  .string()
  .regex(/^[\w.-]{1,100}$/)
  .default('default')
  .describe('The namespace of the key: letters, digits, "_", "-" and "."; "default" by default.')

/** The memory's namespace for a file's namespace. */
function getNamespace(name: string): string {
  return `memory:${name}`
}

function isTooLarge(given: Json): boolean {
  return JSON.stringify(given).length > maxValueCharacters
}

const refuseSize = (): JsonObject =>
  failedResult(`The value has more than ${maxValueCharacters} characters.`, 'too_large')

function storeAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'memory.store',
    description: 'Stores a value under a key, replacing an existing one.',
    input: z.strictObject({
      key,
      value,
      ttl: z
        .number()
        .positive()
        .max(3_153_600_000)
        .nullable()
        .default(null)
        .describe('Seconds until it expires; null: never.'),
      namespace,
      metadata,
    }),
    effect: 'write',
    keeps: true,
    result: '{stored, key, namespace, success}',
    async execute({ key, value, ttl, namespace, metadata }): Promise<Json> {
      if (isTooLarge(value)) return refuseSize()
      const addition = { value, metadata, ...(ttl === null ? {} : { ttlSeconds: ttl }) }
      const memory = requireService(services, 'memory')()
      const { refused } = await memory.set(getNamespace(namespace), key, addition)
      if (refused !== undefined) return failedResult(refused, 'secret')
      return { stored: true, key, namespace, success: true }
    },
  })
}

function retrieveAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'memory.retrieve',
    description: 'Returns the value stored under a key.',
    input: z.strictObject({ key, default: fallback, namespace }),
    effect: 'read',
    untrusted: 'results',
    result: '{value, found, key, success}',
    async execute({ key, default: otherwise, namespace }): Promise<Json> {
      const found = await requireService(services, 'memory')().get(getNamespace(namespace), key)
      return { value: found?.value ?? otherwise, found: found !== undefined, key, success: true }
    },
  })
}

function storeLongAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'ltm.store',
    description: 'Stores a value permanently, searchable with ltm.search.',
    input: z.strictObject({ key, value, metadata }),
    effect: 'write',
    keeps: true,
    result: '{stored, key, created, success}',
    async execute({ key, value, metadata }): Promise<Json> {
      if (isTooLarge(value)) return refuseSize()
      const memory = requireService(services, 'memory')()
      const { isNew, refused } = await memory.set(longTerm, key, { value, metadata })
      if (refused !== undefined) return failedResult(refused, 'secret')
      return { stored: true, key, created: isNew, success: true }
    },
  })
}

function retrieveLongAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'ltm.retrieve',
    description: 'Returns the value stored under a key.',
    input: z.strictObject({ key, default: fallback }),
    effect: 'read',
    untrusted: 'results',
    result: '{value, found, metadata, success}',
    async execute({ key, default: otherwise }): Promise<Json> {
      const found = await requireService(services, 'memory')().get(longTerm, key)
      const { value = otherwise, metadata = {} } = found ?? {}
      return { value, found: found !== undefined, metadata, success: true }
    },
  })
}

function deleteLongAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'ltm.delete',
    description: 'Deletes the value stored under a key.',
    input: z.strictObject({ key }),
    effect: 'write',
    result: '{deleted, key, success}',
    async execute({ key }): Promise<Json> {
      const deleted = await requireService(services, 'memory')().delete(longTerm, [key])
      return { deleted: deleted.length > 0, key, success: true }
    },
  })
}

function searchLongAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'ltm.search',
    description: 'Searches stored values by words, metadata or both.',
    input: z
      .strictObject({
        query: z
          .string()
          .trim()
          .min(1)
          .max(400)
          .optional()
          .describe('Words in the key or the value.'),
        limit: z
          .int()
          .min(1)
          .max(100)
          .default(10)
          .describe('Maximum number of results, 1 to 100; 10 by default.'),
        metadata_filter: z
          .record(z.string(), z.json())
          .default({})
          .describe('Metadata that it must have.'),
      })
      .refine(
        ({ query, metadata_filter: filter }) =>
          query !== undefined || Object.keys(filter).length > 0,
        'Give query or metadata_filter.',
      ),
    effect: 'read',
    untrusted: 'results',
    result:
      '{results: [{key, value, metadata, score}], count, success}; score: the share of the words that it contains, 0 to 1',
    async execute({ query, limit, metadata_filter: filter }): Promise<Json> {
      const entries = await requireService(services, 'memory')().list(longTerm)
      const words = query === undefined ? undefined : [...new Set(readContentWords(query))]
      const results = entries
        .filter((entry) => hasMetadata(entry, filter))
        .map((entry) => ({ entry, score: words === undefined ? 1 : computeShare(words, entry) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)
        .map(({ entry: { key, value, metadata }, score }) => ({ key, value, metadata, score }))
      return { results, count: results.length, success: true }
    },
  })
}

/** Whether an entry has all of this metadata. */
export function hasMetadata(
  { metadata }: Pick<MemoryEntry, 'metadata'>,
  facts: JsonObject,
): boolean {
  return Object.entries(facts).every(([name, fact = null]) =>
    isSame(Object.hasOwn(metadata, name) ? (metadata[name] ?? null) : null, fact),
  )
}

function computeShare(words: readonly string[], { key, value }: MemoryEntry): number {
  if (words.length === 0) return 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const there = new Set(readContentWords(`${key} ${text}`))
  return words.filter((word) => there.has(word)).length / words.length
}
