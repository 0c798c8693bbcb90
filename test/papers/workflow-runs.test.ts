import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { papersWorkflow } from '../../src/papers/papers.ts'
import {
  compareSchedules,
  everyEvent,
  faultSubject,
  runFaults,
  type Schedule,
  scriptModels,
} from '../../src/testing/index.ts'
import { manyPapers, sparsePapers } from './workflow-papers.ts'
import {
  emptySynthesis,
  type PapersScript,
  PapersWorld,
  paperIn,
  plainAnswer,
  type Running,
} from './workflow-world.ts'

const query = 'Does sparse attention save memory?'
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

function opened(...made: ConstructorParameters<typeof PapersWorld>): PapersWorld {
  const world = new PapersWorld(...made)
  worlds.push(world)
  return world
}

const consensus: Json = [
  { point: 'Sparse attention reduces memory use on long documents.', papers: [1, 2], quotes: [] },
]
const script: PapersScript = ({ role }) =>
  role === 'synthesizer'
    ? { json: { ...emptySynthesis, consensus, summary: 'Memory use is reduced [1][2].' } }
    : undefined

/** Models, files and reader that settle in the order of a schedule. */
function shuffled(world: PapersWorld, schedule: Schedule): Running {
  const { files, reader } = world.parts()
  return {
    schedule: (models) => schedule.shuffleModels(models),
    parts: {
      files: async () => {
        const kept = await files()
        return { download: schedule.shuffle(kept).download, pathOf: kept.pathOf }
      },
      reader: async () => schedule.shuffle(await reader()),
    },
  }
}

describe('a run of papers under any order of its branches', () => {
  it('has the same steps with the same inputs, and the same result', async () => {
    const report = await compareSchedules([1, 2, 3, 4, 5, 6], async (schedule) => {
      const world = opened(sparsePapers)
      return world.run(query, {
        script,
        ...shuffled(world, schedule),
      })
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(1)
  })

  it('stops after the same failures in a row', async () => {
    const failing: PapersScript = (seen) =>
      seen.role === 'analyzer' && [3, 4, 7].includes(paperIn(seen).n) ? { text: 'No.' } : undefined
    const report = await compareSchedules([1, 2, 3, 4, 5, 6], async (schedule) => {
      const world = opened(manyPapers(10))
      return world.run(query, {
        count: 10,
        concurrency: 3,
        script: failing,
        ...shuffled(world, schedule),
      })
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(1)
  })
})

describe('a run of papers that dies', () => {
  it('goes on at every event with no paper downloaded, read or analysed twice', async () => {
    const subject = faultSubject(
      () => {
        const world = new PapersWorld(sparsePapers.slice(0, 2))
        const { models, paidCalls } = scriptModels((seen) => script(seen) ?? plainAnswer(seen))
        return {
          workflow: papersWorkflow(world.parts()),
          input: { query, tiers: [['arXiv']] },
          execution: { models },
          paidCalls,
          close: () => world.close(),
        }
      },
      { parallelCalls: 4 },
    )
    const report = await runFaults(subject, { plan: everyEvent })
    expect(report.problems).toEqual([])
  })

  it('does none of the finished work again after a crash in each node', async () => {
    const world = opened(sparsePapers)
    const whole = await world.run(query, { script })
    const nodes = ['retriever', 'reader', 'analyzer', 'filter', 'synthesizer']
    for (const node of nodes) {
      const fresh = opened(sparsePapers)
      const stop = new AbortController()
      const listeners = [
        (event: { readonly type: string; readonly data: { readonly node?: unknown } }) => {
          if (event.type === 'node.done' && event.data.node === node) stop.abort()
        },
      ]
      const execution = { signal: stop.signal, listeners: listeners as never }
      await expect(fresh.run(query, { script, execution })).rejects.toMatchObject({
        code: 'cancelled',
      })
      const before = new Map(fresh.done)
      const { result, calls } = await fresh.resume('run-1', script)
      expect(result).toEqual(whole.result)
      for (const [what, count] of fresh.done) expect([what, count]).toEqual([what, 1])
      const isAnalysed = nodes.indexOf(node) >= nodes.indexOf('analyzer')
      expect(calls.some(({ role }) => role === 'analyzer')).toBe(!isAnalysed)
      if (isAnalysed) expect(fresh.done).toEqual(before)
    }
  })
})
