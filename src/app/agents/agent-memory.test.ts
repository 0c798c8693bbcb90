import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { describeAgentMemory } from '../../../test/contracts/agent-memory.ts'
import type { Clock } from '../../kernel/run/clock.ts'
import { systemClock } from '../../kernel/run/clock.ts'
import { createAgentCache, FileMemory } from './agent-memory.ts'

const folders: string[] = []
const opened: FileMemory[] = []
afterEach(async () => {
  for (const memory of opened.splice(0)) await memory.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function open(clock: Clock, folder = mkdtempSync(join(tmpdir(), 'scholium-memory-'))): FileMemory {
  if (!folders.includes(folder)) folders.push(folder)
  const memory = new FileMemory(join(folder, 'memory.db'), clock)
  opened.push(memory)
  return memory
}

describeAgentMemory('A memory in a file', (now) => open({ ...systemClock, now }))

describe('a memory in a file', () => {
  it('keeps what it is given for those who open it later', async () => {
    await open(systemClock).set('space', 'key', { value: { a: 1 } })
    expect((await open(systemClock, folders[0]).get('space', 'key'))?.value).toEqual({ a: 1 })
  })

  it('says where it cannot be opened', async () => {
    const memory = new FileMemory('/dev/null/memory.db', systemClock)
    await expect(memory.get('space', 'key')).rejects.toMatchObject({ code: 'store_failed' })
  })

  it('keeps results of nodes apart from what actions keep', async () => {
    const memory = open(systemClock)
    await createAgentCache(memory).set('key', 'of a node')
    expect(await createAgentCache(memory).get('key')).toBe('of a node')
    expect(await memory.get('cache', 'key')).toBeUndefined()
    expect(await memory.list('')).toEqual([])
  })
})
