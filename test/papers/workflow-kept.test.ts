import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createWorkCache, type WorkCache } from '../../src/papers/reading/work-cache.ts'
import { sparsePapers } from './workflow-papers.ts'
import { PapersWorld } from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
const folder = mkdtempSync(join(tmpdir(), 'scholium-kept-'))
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

let searches = 0
/** Counts what has to be made. */
const cache: WorkCache = {
  getOrCompute: (kind, sourceId, madeOf, work) =>
    createWorkCache(folder).getOrCompute(kind, sourceId, madeOf, () => {
      searches++
      return work()
    }),
}
const query = 'Does sparse attention save memory?'
/** What models were shown of the papers; several are asked at once, in no order. */
const shownIn = ({ calls }: Awaited<ReturnType<PapersWorld['run']>>) =>
  calls
    .filter(({ role }) => role === 'analyzer')
    .map(({ prompt }) => JSON.stringify(prompt))
    .sort()

describe('papers that were searched before', () => {
  it('are not searched again, whatever is asked of them, and show the same', async () => {
    const anew = await world.run(query, { topK: 10 })
    const first = await world.run(query, { topK: 10, parts: { cache } })
    expect(searches).toBe(sparsePapers.length)
    const again = await world.run(query, { topK: 10, parts: { cache } })
    await world.run('What do they measure?', { topK: 3, parts: { cache } })
    expect(searches).toBe(sparsePapers.length)
    expect(shownIn(anew)).toHaveLength(sparsePapers.length)
    for (const run of [first, again]) {
      expect(shownIn(run)).toEqual(shownIn(anew))
      expect(run.result.claims).toEqual(anew.result.claims)
    }
  })
})
