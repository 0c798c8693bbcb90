import { afterAll, describe, expect, it } from 'vitest'
import { foldState } from '../../src/graph/fold-state.ts'
import { initialPatch, type PapersInput, toEarlierPapers } from '../../src/papers/input.ts'
import { channels, type PapersState } from '../../src/papers/state.ts'
import { manyPapers } from './workflow-papers.ts'
import { type PapersRun, PapersWorld, paperIn, papersIn, toPaper } from './workflow-world.ts'

const query = 'At what temperature does glimmerstone melt?'
const made = manyPapers(4)
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

/** A world in which the first search finds only some papers. */
function opened(papers = made): PapersWorld {
  const world = new PapersWorld(papers)
  world.answers.set('arXiv', { ok: true, papers: papers.slice(0, 2).map(toPaper) })
  worlds.push(world)
  return world
}

/** What a run leaves to another, from its log. */
function leftBy({ runId, events }: PapersRun): PapersInput['earlier'] & object {
  const started = events.find((event) => event.type === 'run.started')
  const ends = events.filter((event) => event.type === 'node.done')
  const first = initialPatch(started?.output as never as PapersInput)
  return toEarlierPapers(runId, foldState<PapersState>(channels, first, ends))
}

describe('a run that continues another', () => {
  it('does with new papers alone what was done, and gives them the next numbers', async () => {
    const world = opened()
    const before = await world.run(query)
    const found = { ok: true as const, papers: made.map(toPaper) }
    world.answers.set('arXiv', found)
    const { result, calls, runId } = await world.run(query, {
      earlier: leftBy(before),
      searchFor: 'more glimmerstone',
    })
    expect(result.papers.map(({ n, status }) => [n, status])).toEqual([
      [1, 'kept'],
      [2, 'kept'],
      [3, 'kept'],
      [4, 'kept'],
    ])
    for (const { id } of made) expect(world.times(`read ${id}`)).toBe(1)
    const analysed = calls.filter(({ role }) => role === 'analyzer').map((seen) => paperIn(seen).n)
    expect(analysed.toSorted()).toEqual([3, 4])
    const synthesis = calls.find(({ role }) => role === 'synthesizer')
    expect(papersIn(synthesis as never).map(({ n }) => n)).toEqual([1, 2, 3, 4])
    expect(result.claims.every(({ verdict }) => verdict === 'verbatim')).toBe(true)
    expect((await world.replay(runId)).result).toEqual(result)
  })

  it('searches nothing where nothing is asked for, and only makes the synthesis anew', async () => {
    const world = opened()
    const before = await world.run(query)
    const { result, calls } = await world.run(query, { earlier: leftBy(before), threshold: 0 })
    expect(calls.map(({ role }) => role)).toEqual(['synthesizer'])
    expect(result.papers).toEqual(before.result.papers)
    expect(result.gaps).toEqual([])
    expect(world.times('search arXiv')).toBe(1)
    expect(result.analyses).toEqual(before.result.analyses)
  })

  it('says where its papers were analysed for another query', async () => {
    const world = opened()
    const before = await world.run(query)
    const { result } = await world.run('Where is glimmerstone from?', { earlier: leftBy(before) })
    expect(result.gaps).toContainEqual({
      kind: 'forked_question',
      detail: `The papers of run ${before.runId} were found and analysed for another query: ${query}`,
    })
  })

  it('tries again what had failed', async () => {
    const broken = [
      { ...(made[0] as (typeof made)[0]), noReading: 'It is a scan.' },
      ...made.slice(1),
    ]
    const world = opened(broken)
    const before = await world.run(query, {
      script: (seen) => (seen.role === 'analyzer' ? { text: 'No.' } : undefined),
    })
    expect(before.result.status).toBe('failed')
    const { result } = await world.run(query, { earlier: leftBy(before) })
    expect(result.papers.map(({ n, status }) => [n, status])).toEqual([
      [undefined, 'unreadable'],
      [1, 'kept'],
    ])
    expect(world.times(`read ${made[0]?.id}`)).toBe(2)
    expect(world.times(`read ${made[1]?.id}`)).toBe(1)
  })
})
