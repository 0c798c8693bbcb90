import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { matchesWildcard } from '../../../kernel/text/wildcard.ts'
import type { ToolAction } from '../action.ts'
import { hasMetadata, key } from './memory-actions.ts'
import { defineToolAction, requireService, type ToolActionServices } from './tool-action.ts'

/** The memory's namespace for cached results. */
export const cacheNamespace = 'cache'

/** Reads and invalidates cached results. */
export function cacheActions(services: ToolActionServices): readonly ToolAction[] {
  return [getAction(services), invalidateAction(services)]
}

function getAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'cache.get',
    description: 'Returns a cached result by its key, if there is one.',
    input: z.strictObject({
      key,
      include_metadata: z.boolean().default(false).describe('Whether to include its metadata.'),
    }),
    effect: 'read',
    untrusted: 'results',
    result: '{found, value, expired, metadata, success}; expired entries are not found',
    async execute({ key, include_metadata: isTold }): Promise<Json> {
      const found = await requireService(services, 'memory')().get(cacheNamespace, fullKey(key))
      const { value = null, metadata = {}, storedAtMs = 0 } = found ?? {}
      const createdAt = new Date(storedAtMs).toISOString()
      const about = found === undefined ? {} : { ...metadata, _cache_created_at: createdAt }
      return {
        found: found !== undefined,
        value: isJsonObject(value) ? (value.result ?? null) : value,
        expired: false,
        ...(isTold ? { metadata: about } : {}),
        success: true,
      }
    },
  })
}

function invalidateAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'cache.invalidate',
    description: 'Removes cached results: one by its key, or all that match a pattern or metadata.',
    input: z
      .strictObject({
        key: key.optional(),
        pattern: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe('A key pattern; * matches any characters: cache:my_agent:*'),
        metadata_filter: z
          .record(z.string(), z.json())
          .optional()
          .describe('Metadata that the results must have.'),
      })
      .refine(
        (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
        'Give one of key, pattern or metadata_filter.',
      ),
    effect: 'write',
    result: '{deleted_count, deleted_keys, success}',
    async execute({ key, pattern, metadata_filter: filter }): Promise<Json> {
      const memory = requireService(services, 'memory')()
      const entries =
        key === undefined
          ? await memory.list(cacheNamespace)
          : [{ key: fullKey(key), metadata: {} }]
      const chosen = entries
        .filter((entry) => pattern === undefined || matchesWildcard(pattern, entry.key))
        .filter((entry) => filter === undefined || hasMetadata(entry, filter))
      const deleted = await memory.delete(
        cacheNamespace,
        chosen.map((entry) => entry.key),
      )
      return { deleted_count: deleted.length, deleted_keys: deleted, success: true }
    },
  })
}

/** The full cache key; its prefix may be omitted. */
function fullKey(key: string): string {
  return key.startsWith('cache:') ? key : `cache:${key}`
}
