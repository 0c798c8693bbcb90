import { expect, it } from 'vitest'
import { createInProcessMemory } from '../../agents/actions/tools/agent-memory.ts'
import { createAgentCache } from './agent-memory.ts'
import { scopedMemory } from './scoped-memory.ts'

const all = createInProcessMemory(() => 0)
const of = (memory: string, workspace: string, secrets: readonly string[] = [], conditions = '') =>
  scopedMemory(all, { memory, workspace, conditions, secrets })

it('keeps values for one scope, and collections for one workspace', async () => {
  const one = of('one', '/a')
  await one.set('memory:x', 'k', { value: 1 })
  await one.set('collection:x', 'k', { value: 2 })
  const sameFile = of('one', '/b')
  const otherFile = of('two', '/a')
  expect((await sameFile.get('memory:x', 'k'))?.value).toBe(1)
  expect(await otherFile.get('memory:x', 'k')).toBeUndefined()
  expect(await otherFile.list('collection:x')).toHaveLength(1)
  expect(await sameFile.list('collection:x')).toEqual([])
  expect(await otherFile.delete('memory:x', ['k'])).toEqual([])
  expect(await one.delete('memory:x', ['k'])).toEqual(['k'])
})

it.each([
  ['the value', 'k', { value: { deep: ['Bearer sk-correct-horse'] } }],
  ['a fact', 'k', { value: 1, metadata: { by: 'sk-correct-horse' } }],
  ['the key', 'sk-correct-horse', { value: 1 }],
  ['base64', 'k', { value: Buffer.from('x:sk-correct-horse').toString('base64') }],
])('keeps no secret in %s', async (_where, key, addition) => {
  const memory = of('three', '/c', ['sk-correct-horse'])
  expect(await memory.set('memory:x', key, addition)).toMatchObject({
    isNew: false,
    refused: expect.stringContaining('secret'),
  })
  expect(await memory.list('memory:x')).toEqual([])
})

it('gives results that were kept under other conditions to none', async () => {
  const withWeb = of('four', '/a', [], 'web')
  await createAgentCache(withWeb).set('k', 1)
  await withWeb.set('cache', 'k', { value: 2 })
  await withWeb.set('ltm', 'k', { value: 3 })
  const without = of('four', '/a', [], 'no web')
  expect(await createAgentCache(without).get('k')).toBeUndefined()
  expect(await without.list('cache')).toEqual([])
  expect(await without.list('ltm')).toHaveLength(1)
  expect(await createAgentCache(withWeb).get('k')).toBe(1)
})
