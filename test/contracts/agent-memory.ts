import { describe, expect, it } from 'vitest'
import type { AgentMemory } from '../../src/agents/actions/tools/agent-memory.ts'

/** What a memory is opened with. */
export type OpenMemory = (now: () => number) => AgentMemory | Promise<AgentMemory>

/** What every memory of agents does. */
export function describeAgentMemory(name: string, openMemory: OpenMemory): void {
  const at = async () => {
    const clock = { nowMs: 1_000 }
    return { memory: await openMemory(() => clock.nowMs), clock }
  }
  describe(`${name}, as a memory of agents`, () => {
    describeKeeping(at)
    describeGiving(at)
  })
}

type OpenAt = () => Promise<{ readonly memory: AgentMemory; readonly clock: { nowMs: number } }>

function describeKeeping(at: OpenAt): void {
  describe('what it keeps', () => {
    it('keeps values of any kind with what is known of them', async () => {
      const { memory } = await at()
      const value = { list: [1, null, 'ü\u2028'], deep: { empty: {} } }
      expect(await memory.set('space', 'key', { value, metadata: { kind: 'a' } })).toEqual({
        isNew: true,
      })
      const kept = { key: 'key', value, metadata: { kind: 'a' }, storedAtMs: 1_000 }
      expect(await memory.get('space', 'key')).toEqual(kept)
      for (const one of [null, false, 0, '', []]) {
        await memory.set('space', 'other', { value: one })
        expect((await memory.get('space', 'other'))?.value).toEqual(one)
      }
    })

    it('keeps one value a key, the last', async () => {
      const { memory, clock } = await at()
      await memory.set('space', 'key', { value: 1, metadata: { a: 1 }, ttlSeconds: 1 })
      clock.nowMs += 5
      expect(await memory.set('space', 'key', { value: 2 })).toEqual({ isNew: false })
      expect(await memory.get('space', 'key')).toEqual({
        key: 'key',
        value: 2,
        metadata: {},
        storedAtMs: 1_005,
      })
    })

    it('keeps namespaces apart', async () => {
      const { memory } = await at()
      await memory.set('a', 'key', { value: 'a' })
      await memory.set('b', 'key', { value: 'b' })
      expect((await memory.get('a', 'key'))?.value).toBe('a')
      expect(await memory.delete('a', ['key', 'none'])).toEqual(['key'])
      expect(await memory.get('a', 'key')).toBeUndefined()
      expect((await memory.list('b')).map(({ value }) => value)).toEqual(['b'])
    })
  })
}

function describeGiving(at: OpenAt): void {
  describe('what it gives', () => {
    it('forgets what is too old, wherever it is asked for', async () => {
      const { memory, clock } = await at()
      await memory.set('space', 'short', { value: 1, ttlSeconds: 2 })
      await memory.set('space', 'long', { value: 2 })
      clock.nowMs = 2_999
      expect(await memory.get('space', 'short')).toMatchObject({ value: 1, expiresAtMs: 3_000 })
      clock.nowMs = 3_000
      expect(await memory.get('space', 'short')).toBeUndefined()
      expect((await memory.list('space')).map(({ key }) => key)).toEqual(['long'])
      expect(await memory.delete('space', ['short'])).toEqual([])
      expect(await memory.set('space', 'short', { value: 3 })).toEqual({ isNew: true })
    })

    it('lists by key, also keys that are names of an object’s own', async () => {
      const { memory } = await at()
      const keys = ['b', '__proto__', 'a', 'constructor', '%', "'; drop table"]
      for (const key of keys) await memory.set('space', key, { value: key })
      expect((await memory.list('space')).map(({ value }) => value)).toEqual([...keys].sort())
      expect(await memory.list('none')).toEqual([])
    })

    it('gives copies: what is changed later is not what is kept', async () => {
      const { memory } = await at()
      const value = { a: 1 }
      await memory.set('space', 'key', { value })
      value.a = 2
      expect((await memory.get('space', 'key'))?.value).toEqual({ a: 1 })
    })
  })
}
