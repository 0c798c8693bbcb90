import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { matchesWildcard } from '../../../kernel/text/wildcard.ts'
import type { ToolAction } from '../action.ts'
import { hasFacts, key } from './memory-actions.ts'
import { needed, type ToolActionServices, toolAction } from './tool-action.ts'

/** The namespace of the memory in which results are kept that would cost to make again. */
export const cacheNamespace = 'cache'

/** Looks into the kept results of actions, and forgets them. */
export function cacheActions(services: ToolActionServices): readonly ToolAction[] {
  return [getAction(services), invalidateAction(services)]
}

function getAction(services: ToolActionServices): ToolAction {
  return toolAction({
    name: 'cache.get',
    description: 'Gives a kept result by its key, and does nothing when there is none.',
    input: z.strictObject({
      key,
      include_metadata: z.boolean().default(false).describe('Whether to tell what is known of it.'),
    }),
    effect: 'read',
    untrusted: 'results',
    result: '{found, value, expired, metadata, success}; what is too old is not found',
    async execute({ key, include_metadata: isTold }): Promise<Json> {
      const found = await needed(services, 'memory')().get(cacheNamespace, fullKey(key))
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
  return toolAction({
    name: 'cache.invalidate',
    description:
      'Forgets kept results: one by its key, or all that fit a pattern or have some facts.',
    input: z
      .strictObject({
        key: key.optional(),
        pattern: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe('Keys with * for any characters: cache:my_agent:*'),
        metadata_filter: z
          .record(z.string(), z.json())
          .optional()
          .describe('Facts that the results have.'),
      })
      .refine(
        (given) => Object.values(given).filter((one) => one !== undefined).length === 1,
        'Give one of key, pattern and metadata_filter.',
      ),
    effect: 'write',
    result: '{deleted_count, deleted_keys, success}',
    async execute({ key, pattern, metadata_filter: filter }): Promise<Json> {
      const memory = needed(services, 'memory')()
      const entries =
        key === undefined
          ? await memory.list(cacheNamespace)
          : [{ key: fullKey(key), metadata: {} }]
      const chosen = entries
        .filter((entry) => pattern === undefined || matchesWildcard(pattern, entry.key))
        .filter((entry) => filter === undefined || hasFacts(entry, filter))
      const deleted = await memory.delete(
        cacheNamespace,
        chosen.map((entry) => entry.key),
      )
      return { deleted_count: deleted.length, deleted_keys: deleted, success: true }
    },
  })
}

/** A key as results are kept under it: what stands before it may be left out. */
function fullKey(key: string): string {
  return key.startsWith('cache:') ? key : `cache:${key}`
}
