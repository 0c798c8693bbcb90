import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { readContentWords } from '../../../retrieval/words.ts'
import type { ToolAction } from '../action.ts'
import type { MemoryEntry } from './agent-memory.ts'
import { isSame } from './json-values.ts'
import { needed, notDone, type ToolActionServices, toolAction } from './tool-action.ts'

const maxValueCharacters = 1_000_000
const longTerm = 'ltm'

/** What it is kept under. */
export const key = z
  .string()
  .min(1)
  .max(500)
  .describe('What it is kept under, at most 500 characters.')
const value = z.json().describe('The value, at most 1,000,000 characters as JSON.')
const metadata = z
  .record(z.string(), z.json())
  .default({})
  .describe('What is to be known of it: facts by name, for searches.')
const fallback = z
  .json()
  .default(null)
  .describe('What to give when it is not there; null by default.')

/** Keeps values from run to run: short ones by namespace, and what is to be remembered for long. */
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
  .describe('Keeps keys apart: letters, digits, "_", "-" and "."; default by default.')

/** The namespace of the memory that a file's namespace is. */
function spaceOf(name: string): string {
  return `memory:${name}`
}

function isTooLarge(given: Json): boolean {
  return JSON.stringify(given).length > maxValueCharacters
}

const tooLarge = (): JsonObject =>
  notDone(`The value has more than ${maxValueCharacters} characters.`, 'too_large')

function storeAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'memory.store',
    description: 'Keeps a value under a key, in place of the one that is there.',
    input: z.strictObject({
      key,
      value,
      ttl: z
        .number()
        .positive()
        .max(3_153_600_000)
        .nullable()
        .default(null)
        .describe('Seconds until it is forgotten; null: never.'),
      namespace,
      metadata,
    }),
    effect: 'write',
    keeps: true,
    result: '{stored, key, namespace, success}',
    async execute({ key, value, ttl, namespace, metadata }): Promise<Json> {
      if (isTooLarge(value)) return tooLarge()
      const addition = { value, metadata, ...(ttl === null ? {} : { ttlSeconds: ttl }) }
      const memory = needed(services, 'memory')()
      const { refused } = await memory.set(spaceOf(namespace), key, addition)
      if (refused !== undefined) return notDone(refused, 'secret')
      return { stored: true, key, namespace, success: true }
    },
  })
}

function retrieveAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'memory.retrieve',
    description: 'Gives the value that is kept under a key.',
    input: z.strictObject({ key, default: fallback, namespace }),
    effect: 'read',
    untrusted: 'results',
    result: '{value, found, key, success}',
    async execute({ key, default: otherwise, namespace }): Promise<Json> {
      const found = await needed(services, 'memory')().get(spaceOf(namespace), key)
      return { value: found?.value ?? otherwise, found: found !== undefined, key, success: true }
    },
  })
}

function storeLongAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'ltm.store',
    description: 'Remembers a value for good, so that ltm.search finds it.',
    input: z.strictObject({ key, value, metadata }),
    effect: 'write',
    keeps: true,
    result: '{stored, key, created, success}',
    async execute({ key, value, metadata }): Promise<Json> {
      if (isTooLarge(value)) return tooLarge()
      const memory = needed(services, 'memory')()
      const { isNew, refused } = await memory.set(longTerm, key, { value, metadata })
      if (refused !== undefined) return notDone(refused, 'secret')
      return { stored: true, key, created: isNew, success: true }
    },
  })
}

function retrieveLongAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'ltm.retrieve',
    description: 'Gives what is remembered under a key.',
    input: z.strictObject({ key, default: fallback }),
    effect: 'read',
    untrusted: 'results',
    result: '{value, found, metadata, success}',
    async execute({ key, default: otherwise }): Promise<Json> {
      const found = await needed(services, 'memory')().get(longTerm, key)
      const { value = otherwise, metadata = {} } = found ?? {}
      return { value, found: found !== undefined, metadata, success: true }
    },
  })
}

function deleteLongAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'ltm.delete',
    description: 'Forgets what is remembered under a key.',
    input: z.strictObject({ key }),
    effect: 'write',
    result: '{deleted, key, success}',
    async execute({ key }): Promise<Json> {
      const deleted = await needed(services, 'memory')().delete(longTerm, [key])
      return { deleted: deleted.length > 0, key, success: true }
    },
  })
}

function searchLongAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'ltm.search',
    description: 'Finds what is remembered by its words, by facts about it, or by both.',
    input: z
      .strictObject({
        query: z
          .string()
          .trim()
          .min(1)
          .max(400)
          .optional()
          .describe('Words that stand in the key or the value.'),
        limit: z.int().min(1).max(100).default(10).describe('How many, 1 to 100; 10 by default.'),
        metadata_filter: z
          .record(z.string(), z.json())
          .default({})
          .describe('Facts that it must have.'),
      })
      .refine(
        ({ query, metadata_filter: filter }) =>
          query !== undefined || Object.keys(filter).length > 0,
        'Give query or metadata_filter.',
      ),
    effect: 'read',
    untrusted: 'results',
    result:
      '{results: [{key, value, metadata, score}], count, success}; score: the part of the words that it has, 0 to 1',
    async execute({ query, limit, metadata_filter: filter }): Promise<Json> {
      const entries = await needed(services, 'memory')().list(longTerm)
      const words = query === undefined ? undefined : [...new Set(readContentWords(query))]
      const results = entries
        .filter((entry) => hasFacts(entry, filter))
        .map((entry) => ({ entry, score: words === undefined ? 1 : shareOf(words, entry) }))
        .filter(({ score }) => score > 0)
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)
        .map(({ entry: { key, value, metadata }, score }) => ({ key, value, metadata, score }))
      return { results, count: results.length, success: true }
    },
  })
}

/** Whether an entry has all of some facts. */
export function hasFacts({ metadata }: Pick<MemoryEntry, 'metadata'>, facts: JsonObject): boolean {
  return Object.entries(facts).every(([name, fact = null]) =>
    isSame(Object.hasOwn(metadata, name) ? (metadata[name] ?? null) : null, fact),
  )
}

function shareOf(words: readonly string[], { key, value }: MemoryEntry): number {
  if (words.length === 0) return 0
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const there = new Set(readContentWords(`${key} ${text}`))
  return words.filter((word) => there.has(word)).length / words.length
}
