import { expect, it } from 'vitest'
import type { AgentCache } from '../../src/agents/run/agent-cache.ts'
import type { Json } from '../../src/kernel/json.ts'
import { loadDocument, newWorld, runDocument, testParts } from './run-document.ts'

it('a result is kept from run to run for the same key', async () => {
  const kept = new Map<string, Json>()
  const cache: AgentCache = {
    get: async (key) => kept.get(key),
    set: async (key, value) => {
      kept.set(key, value)
    },
  }
  const world = newWorld()
  const parts = testParts(world, { cache })
  const document = await loadDocument('cache')
  const first = await runDocument(document, { n: 1 }, parts)
  const second = await runDocument(document, { n: 1 }, parts)
  const other = await runDocument(document, { n: 2 }, parts)
  expect(world.read).toEqual(['same', 'same', 'same'])
  expect(second.result).toEqual(first.result)
  expect(other.result.state.one).toEqual(first.result.state.one)
})
