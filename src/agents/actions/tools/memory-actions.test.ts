import { beforeEach, describe, expect, it } from 'vitest'
import { doAction } from '../../../../test/agents/actions/do-action.ts'
import { type AgentMemory, createInProcessMemory } from './agent-memory.ts'
import { cacheActions, cacheNamespace } from './cache-actions.ts'
import { memoryActions } from './memory-actions.ts'

let nowMs = 0
let memory: AgentMemory

beforeEach(() => {
  nowMs = 0
  memory = createInProcessMemory(() => nowMs)
})

const act = (name: string, params: object) => {
  const services = { memory: () => memory }
  return doAction([...memoryActions(services), ...cacheActions(services)], name, params)
}

describe('memory.store and memory.retrieve', () => {
  it('keep a value for a time', async () => {
    const stored = await act('memory.store', { key: 'name', value: ['Ada'], ttl: 10 })
    expect(stored).toEqual({ stored: true, key: 'name', namespace: 'default', success: true })
    expect(await act('memory.retrieve', { key: 'name' })).toEqual({
      value: ['Ada'],
      found: true,
      key: 'name',
      success: true,
    })
    nowMs = 10_000
    expect(await act('memory.retrieve', { key: 'name', default: 'Guest' })).toMatchObject({
      value: 'Guest',
      found: false,
    })
  })

  it('keep namespaces apart, from what is remembered for long as well', async () => {
    await act('memory.store', { key: 'k', value: 1, namespace: 'a' })
    await act('memory.store', { key: 'k', value: 2, namespace: 'ltm' })
    await act('ltm.store', { key: 'k', value: 3 })
    expect(await act('memory.retrieve', { key: 'k', namespace: 'a' })).toMatchObject({ value: 1 })
    expect(await act('memory.retrieve', { key: 'k' })).toMatchObject({ value: null, found: false })
    expect(await act('ltm.retrieve', { key: 'k' })).toMatchObject({ value: 3 })
    await expect(act('memory.store', { key: 'k', value: 1, namespace: '../x' })).rejects.toThrow()
  })

  it('refuse a value that is too large', async () => {
    const value = 'x'.repeat(1_000_001)
    expect(await act('memory.store', { key: 'k', value })).toMatchObject({
      error_type: 'too_large',
    })
  })

  it('are a change of the world and a reading of what anybody wrote', () => {
    const [store, retrieve] = memoryActions({})
    expect(store?.tool.effect).toBe('write')
    expect(retrieve?.tool).toMatchObject({ effect: 'read', untrusted: 'results' })
  })

  it('say what is missing where there is no memory', async () => {
    const without = doAction(memoryActions({}), 'memory.retrieve', { key: 'a' })
    await expect(without).rejects.toMatchObject({ code: 'invalid_configuration' })
  })
})

describe('ltm.*', () => {
  beforeEach(async () => {
    await act('ltm.store', {
      key: 'taste',
      value: 'prefers dark mode',
      metadata: { type: 'profile' },
    })
    await act('ltm.store', { key: 'code', value: { language: 'Python', mode: 'strict' } })
  })

  it('say whether a key is new, and forget it', async () => {
    expect(await act('ltm.store', { key: 'taste', value: 'light' })).toMatchObject({
      created: false,
    })
    expect(await act('ltm.delete', { key: 'taste' })).toMatchObject({ deleted: true })
    expect(await act('ltm.delete', { key: 'taste' })).toMatchObject({ deleted: false })
    expect(await act('ltm.retrieve', { key: 'taste', default: {} })).toEqual({
      value: {},
      found: false,
      metadata: {},
      success: true,
    })
  })

  it('find by words, best first, and by facts', async () => {
    const found = await act('ltm.search', { query: 'the dark mode' })
    expect(found).toMatchObject({
      count: 2,
      results: [
        { key: 'taste', score: 1 },
        { key: 'code', score: 0.5 },
      ],
    })
    expect(await act('ltm.search', { metadata_filter: { type: 'profile' } })).toMatchObject({
      results: [{ key: 'taste' }],
      count: 1,
    })
    expect(await act('ltm.search', { query: 'nothing' })).toMatchObject({ count: 0 })
    await expect(act('ltm.search', {})).rejects.toThrow('query or metadata_filter')
  })
})

describe('cache.*', () => {
  beforeEach(async () => {
    for (const key of ['cache:a:llm.call:1', 'cache:a:web.search:2', 'cache:b:llm.call:3'])
      await memory.set(cacheNamespace, key, {
        value: key,
        metadata: { action: key.split(':')[2] as string },
        ttlSeconds: 60,
      })
  })

  it('get gives a kept result as long as it is kept', async () => {
    const key = 'cache:a:llm.call:1'
    expect(await act('cache.get', { key })).toEqual({
      found: true,
      value: key,
      expired: false,
      success: true,
    })
    const told = await act('cache.get', { key, include_metadata: true })
    expect(told).toMatchObject({
      metadata: { action: 'llm.call', _cache_created_at: '1970-01-01T00:00:00.000Z' },
    })
    nowMs = 60_000
    expect(await act('cache.get', { key })).toMatchObject({ found: false, value: null })
  })

  it.each([
    [{ key: 'cache:a:llm.call:1' }, ['cache:a:llm.call:1']],
    [{ pattern: 'cache:a:*' }, ['cache:a:llm.call:1', 'cache:a:web.search:2']],
    [{ pattern: 'cache:*:llm.call:*' }, ['cache:a:llm.call:1', 'cache:b:llm.call:3']],
    [{ pattern: '*:1*1' }, []],
    [{ pattern: 'cache:a' }, []],
    [{ metadata_filter: { action: 'web.search' } }, ['cache:a:web.search:2']],
  ])('invalidate forgets %j', async (params, keys) => {
    expect(await act('cache.invalidate', params)).toEqual({
      deleted_count: keys.length,
      deleted_keys: keys,
      success: true,
    })
    expect(await memory.list(cacheNamespace)).toHaveLength(3 - keys.length)
  })

  it('invalidate wants to know what', async () => {
    await expect(act('cache.invalidate', {})).rejects.toThrow('Give one of')
    await expect(act('cache.invalidate', { key: 'a', pattern: '*' })).rejects.toThrow('Give one of')
  })
})
