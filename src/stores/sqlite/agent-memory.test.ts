import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeAgentMemory } from '../../../test/contracts/agent-memory.ts'
import { SqliteAgentMemory } from './agent-memory.ts'

const newPath = () => join(mkdtempSync(join(tmpdir(), 'agent-memory-')), 'deep', 'memory.db')

describeAgentMemory('A memory in a SQLite file', (now) => new SqliteAgentMemory(newPath(), now))

describe('A memory in a SQLite file', () => {
  it('is there for the next process, and for two at once', async () => {
    const path = newPath()
    const [one, other] = [
      new SqliteAgentMemory(path, () => 1),
      new SqliteAgentMemory(path, () => 2),
    ]
    await Promise.all([one.set('a', 'k1', { value: 1 }), other.set('a', 'k2', { value: 2 })])
    expect((await one.list('a')).map(({ value }) => value)).toEqual([1, 2])
    await one.close()
    expect((await new SqliteAgentMemory(path, () => 3).get('a', 'k2'))?.value).toBe(2)
  })

  it('says what is wrong with its file', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'agent-memory-')), 'memory.db')
    writeFileSync(path, 'no database at all, but long enough to be looked at as one by the library')
    const broken = new SqliteAgentMemory(path, () => 0)
    await expect(broken.get('a', 'k')).rejects.toMatchObject({ code: 'store_failed' })
    const nowhere = new SqliteAgentMemory(join(path, 'x.db'), () => 0)
    await expect(nowhere.set('a', 'k', { value: 1 })).rejects.toMatchObject({
      code: 'store_failed',
    })
  })
})
