import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { ScholiumError } from '../../../kernel/errors.ts'
import { hashJson, isJsonObject, type Json, type JsonObject } from '../../../kernel/json.ts'
import { dottedName } from '../../document/agent-document.ts'
import { type ActionCall, type ComposedAction, unusedParam } from '../action.ts'
import type { AgentMemory } from '../tools/agent-memory.ts'
import { cacheNamespace } from '../tools/cache-actions.ts'
import { composedAction, notDone, textOf } from './composed-action.ts'
import { modelsAsked } from './model-choice.ts'
import { failureIn } from './written-work.ts'

const forgotten = 'what is too old is forgotten by itself'

const params = z.strictObject({
  action: z.string().describe('The action whose result is kept.'),
  args: z.record(z.string(), z.json()).nullish().describe('Its parameters.'),
  key: z.string().nullish().describe('Under which the result is kept. Default: by key_strategy.'),
  key_strategy: z
    .enum(['args', 'sha256', 'custom', 'file_content', 'file_uri'])
    .nullish()
    .describe(
      'args (the action and its parameters), sha256 (of the member of args that key_source names), custom (the key), file_content or file_uri (of the file that key_source names). Default args.',
    ),
  key_source: z
    .string()
    .nullish()
    .describe('The member of args that makes the key; of files file by default.'),
  key_prefix: z
    .boolean()
    .nullish()
    .describe('Whether the key begins with the name of the agent file. Default true.'),
  ttl_days: z.number().min(0).nullish().describe('Days for which it is kept. Default 60.'),
  ttl_hours: z.number().min(0).nullish().describe('Hours, in place of ttl_days.'),
  ttl_seconds: z.number().min(0).nullish().describe('Seconds, in place of both.'),
  skip_cache: z
    .boolean()
    .nullish()
    .describe('Whether a kept result is passed over, and replaced. Default false.'),
  cache_enabled: z
    .boolean()
    .nullish()
    .describe('Whether results are kept and looked up at all. Default true.'),
  cleanup_probability: unusedParam(forgotten),
  cleanup_limit: unusedParam(forgotten),
})

type WrapParams = z.output<typeof params>

/** `cache.wrap`. @param memory where results are kept from run to run */
export function cacheWrapAction(memory: (() => AgentMemory) | undefined): ComposedAction {
  return composedAction({
    name: 'cache.wrap',
    description:
      'Does an action, or gives its result from an earlier time with the same parameters.',
    lateParams: ['args'],
    params,
    result:
      '{result, success, _cache_hit, _cache_key, _cache_created_at (of a kept one)}, and the members of a result that is a map. What failed is not kept.',
    run: async (given, call) => {
      const isSecret = call.readsSecret((given.args ?? {}) as JsonObject)
      if (isSecret)
        await call.context.notice(
          'secret',
          'warning',
          `What ${given.action} gives is not kept from run to run: a secret goes into it.`,
        )
      if (isSecret || given.cache_enabled === false) {
        const result = await call.performWritten(
          given.action,
          (given.args ?? {}) as JsonObject,
          call.context.child('made'),
        )
        return { ...wrapped(result, null, null), success: failureIn(result) === undefined }
      }
      const key = await keyOf(given, call)
      if (typeof key !== 'string') return key
      const models = modelsAsked(
        call.actions.get(dottedName(given.action)),
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
        return wrapped(kept.result ?? null, key, kept.createdAt ?? null)
      }
      const args = (given.args ?? {}) as JsonObject
      const result = await call.performWritten(given.action, args, call.context.child('made'))
      const error = failureIn(result)
      if (error !== undefined)
        return isJsonObject(result)
          ? { ...result, success: false, _cache_hit: false }
          : notDone(error)
      await keep(memory, call, key, { result, isTainted: call.isTainted, models }, given)
      return wrapped(result, key, null)
    },
  })
}

/** @param createdAt since when it is kept; null for one that was made now */
function wrapped(result: Json, key: string | null, createdAt: Json): JsonObject {
  const members = isJsonObject(result) ? result : {}
  const facts = { result, success: true, _cache_hit: createdAt !== null, _cache_key: key }
  return { ...members, ...facts, ...(createdAt === null ? {} : { _cache_created_at: createdAt }) }
}

/** What is kept under a key; what other models made is not found. */
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
  // What is kept twice is kept the same, so it may be repeated.
  await context.step('keep', 'read', { key, ttlSeconds }, async () => {
    const metadata = { _cache_type: 'action_result', _cache_action: action, _cache_key: key }
    await needed(memory).set(cacheNamespace, key, { value, ttlSeconds, metadata })
    return null
  })
}

function needed(memory: (() => AgentMemory) | undefined): AgentMemory {
  if (memory !== undefined) return memory()
  throw new ScholiumError('invalid_configuration', 'There is no memory here to keep results in.')
}

/** The key, or why there is none. */
async function keyOf(given: WrapParams, call: ActionCall): Promise<string | JsonObject> {
  const prefix = given.key_prefix === false ? 'cache:' : `cache:${call.scope.name}:`
  if (given.key) return given.key.startsWith(prefix) ? given.key : `${prefix}${given.key}`
  // Secrets stand in it by their names.
  const args = call.render((given.args ?? {}) as JsonObject) as JsonObject
  const strategy = given.key_strategy ?? 'args'
  if (strategy === 'custom') return notDone('key_strategy custom needs a key.')
  if (strategy === 'sha256' && given.key_source)
    return `${prefix}${given.action}:${hashJson(args[given.key_source] ?? null)}`
  if (strategy === 'args' || strategy === 'sha256')
    return `${prefix}${given.action}:${hashJson(args)}`
  const source = given.key_source ?? 'file'
  const path = args[source]
  if (typeof path !== 'string')
    return notDone(`key_strategy ${strategy} needs a path in args.${source}.`)
  if (strategy === 'file_uri') return `${prefix}${given.action}:${hashJson(path)}`
  const read = await call.perform(
    'file.read',
    { path, encoding: 'base64' },
    call.context.child('file'),
  )
  const error = failureIn(read)
  if (error !== undefined) return notDone(error)
  const { content = null } = isJsonObject(read) ? read : {}
  return `${prefix}${given.action}:${hashJson(textOf(content))}`
}
