import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import { hashJson, isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { toDottedName } from '../../document/agent-document.ts'
import { type ActionCall, type ComposedAction, ignoredParam } from '../action.ts'
import type { AgentMemory } from '../tools/agent-memory.ts'
import { cacheNamespace } from '../tools/cache-actions.ts'
import { defineComposedAction, failedResult, toText } from './composed-action.ts'
import { findModelsAsked } from './model-choice.ts'
import { findFailure } from './written-work.ts'

const forgotten = 'expired entries are removed automatically'

const params = z.strictObject({
  action: z.string().describe('The action whose result is cached.'),
  args: z.record(z.string(), z.json()).nullish().describe('Its parameters.'),
  key: z.string().nullish().describe('The cache key. Default: from key_strategy.'),
  key_strategy: z
    .enum(['args', 'sha256', 'custom', 'file_content', 'file_uri'])
    .nullish()
    .describe(
      'args (the action and its parameters), sha256 (of the member of args that key_source names), custom (the key), file_content or file_uri (of the file that key_source names). Default args.',
    ),
  key_source: z
    .string()
    .nullish()
    .describe('The member of args used for the key; for files, file by default.'),
  key_prefix: z
    .boolean()
    .nullish()
    .describe('Whether the key is prefixed with the name of the agent file. Default true.'),
  ttl_days: z.number().min(0).nullish().describe('Days to keep it. Default 60.'),
  ttl_hours: z.number().min(0).nullish().describe('Hours, instead of ttl_days.'),
  ttl_seconds: z.number().min(0).nullish().describe('Seconds, instead of both.'),
  skip_cache: z
    .boolean()
    .nullish()
    .describe('Whether to ignore and replace a cached result. Default false.'),
  cache_enabled: z.boolean().nullish().describe('Whether caching is enabled. Default true.'),
  cleanup_probability: ignoredParam(forgotten),
  cleanup_limit: ignoredParam(forgotten),
})

type WrapParams = z.output<typeof params>

/** `cache.wrap`. @param memory where results are kept from run to run */
export function cacheWrapAction(memory: (() => AgentMemory) | undefined): ComposedAction {
  return defineComposedAction({
    name: 'cache.wrap',
    description: 'Runs an action, or returns its cached result for the same parameters.',
    lateParams: ['args'],
    params,
    result:
      '{result, success, _cache_hit, _cache_key, _cache_created_at (if cached)}, and the members of a result that is a map. Failures are not cached.',
    run: async (given, call) => {
      const isSecret = call.readsSecret((given.args ?? {}) as JsonObject)
      if (isSecret)
        await call.context.notice(
          'secret',
          'warning',
          `The result of ${given.action} is not cached between runs because it depends on a secret.`,
        )
      if (isSecret || given.cache_enabled === false) {
        const result = await call.performWritten(
          given.action,
          (given.args ?? {}) as JsonObject,
          call.context.child('made'),
        )
        return { ...runCached(result, null, null), success: findFailure(result) === undefined }
      }
      const key = await createKey(given, call)
      if (typeof key !== 'string') return key
      const models = findModelsAsked(
        call.actions.get(toDottedName(given.action)),
        call.context,
        call.scope,
      )
      const kept = await find(memory, call, {
        key,
        models,
        isPassedOver: given.skip_cache === true,
      })
      if (kept !== null) {
        if (kept.isTainted === true) call.taint()
        return runCached(kept.result ?? null, key, kept.createdAt ?? null)
      }
      const args = (given.args ?? {}) as JsonObject
      const result = await call.performWritten(given.action, args, call.context.child('made'))
      const error = findFailure(result)
      if (error !== undefined)
        return isJsonObject(result)
          ? { ...result, success: false, _cache_hit: false }
          : failedResult(error)
      await keep(memory, call, key, { result, isTainted: call.isTainted, models }, given)
      return runCached(result, key, null)
    },
  })
}

/** @param createdAt when it was stored; null for a new result */
function runCached(result: Json, key: string | null, createdAt: Json): JsonObject {
  const members = isJsonObject(result) ? result : {}
  const facts = { result, success: true, _cache_hit: createdAt !== null, _cache_key: key }
  return { ...members, ...facts, ...(createdAt === null ? {} : { _cache_created_at: createdAt }) }
}

/** Looks up a stored result; results made with other models do not count. */
async function find(
  memory: (() => AgentMemory) | undefined,
  { context }: ActionCall,
  asked: {
    readonly key: string
    readonly models: JsonObject | null
    readonly isPassedOver: boolean
  },
): Promise<JsonObject | null> {
  return context.step('find', 'read', asked, async () => {
    if (asked.isPassedOver) return null
    const entry = await needed(memory).get(cacheNamespace, asked.key)
    if (entry === undefined || !isJsonObject(entry.value)) return null
    if (!isDeepStrictEqual(entry.value.models, asked.models)) return null
    return { ...entry.value, createdAt: new Date(entry.storedAtMs).toISOString() }
  })
}

async function keep(
  memory: (() => AgentMemory) | undefined,
  { context }: ActionCall,
  key: string,
  value: JsonObject,
  { ttl_days: days, ttl_hours: hours, ttl_seconds: seconds, action }: WrapParams,
): Promise<void> {
  const ttlSeconds =
    seconds ?? (hours === null || hours === undefined ? (days ?? 60) * 86_400 : hours * 3_600)
  // Storing the same value twice is harmless, so this may be repeated.
  await context.step('keep', 'read', { key, ttlSeconds }, async () => {
    const metadata = { _cache_type: 'action_result', _cache_action: action, _cache_key: key }
    await needed(memory).set(cacheNamespace, key, { value, ttlSeconds, metadata })
    return null
  })
}

function needed(memory: (() => AgentMemory) | undefined): AgentMemory {
  if (memory !== undefined) return memory()
  throw new ScholiumError('invalid_configuration', 'There is no memory to cache results in.')
}

/** The cache key, or why there is none. */
async function createKey(given: WrapParams, call: ActionCall): Promise<string | JsonObject> {
  const prefix = given.key_prefix === false ? 'cache:' : `cache:${call.scope.name}:`
  if (given.key) return given.key.startsWith(prefix) ? given.key : `${prefix}${given.key}`
  // Secrets appear in it by name.
  const args = call.render((given.args ?? {}) as JsonObject) as JsonObject
  const strategy = given.key_strategy ?? 'args'
  if (strategy === 'custom') return failedResult('key_strategy custom needs a key.')
  if (strategy === 'sha256' && given.key_source)
    return `${prefix}${given.action}:${hashJson(args[given.key_source] ?? null)}`
  if (strategy === 'args' || strategy === 'sha256')
    return `${prefix}${given.action}:${hashJson(args)}`
  const source = given.key_source ?? 'file'
  const path = args[source]
  if (typeof path !== 'string')
    return failedResult(`key_strategy ${strategy} needs a path in args.${source}.`)
  if (strategy === 'file_uri') return `${prefix}${given.action}:${hashJson(path)}`
  const read = await call.perform(
    'file.read',
    { path, encoding: 'base64' },
    call.context.child('file'),
  )
  const error = findFailure(read)
  if (error !== undefined) return failedResult(error)
  const { content = null } = isJsonObject(read) ? read : {}
  return `${prefix}${given.action}:${hashJson(toText(content))}`
}
