import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../src/kernel/run/event.ts'
import { manyPapers, sparsePapers } from './workflow-papers.ts'
import { PapersWorld, toPaper } from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())
const query = 'Does sparse attention save memory?'
const run = world.run(query)

/** What listeners heard of one paper, in order. */
function statusesOf(heard: readonly LiveEvent[], id: string): readonly string[] {
  return heard.flatMap((event) => {
    const paper = (event.type === 'progress' ? event.data.paper : undefined) as
      | { paperId: string; status: string; share?: number }
      | undefined
    if (paper?.paperId !== id) return []
    return [paper.share === undefined ? paper.status : `${paper.status} ${paper.share}`]
  })
}

describe('a run of papers', () => {
  it('goes from a topic to a cited summary, every claim with its page', async () => {
    const { result } = await run
    expect(result.errors).toEqual([])
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered', question: query })
    expect(result.papers.map(({ n, status, confidence }) => [n, status, confidence])).toEqual([
      [1, 'kept', 1],
      [2, 'kept', 1],
      [3, 'kept', 1],
    ])
    expect(result.claims.map(({ verdict, evidence }) => [verdict, evidence[0]?.page])).toEqual([
      ['verbatim', 1],
      ['verbatim', 1],
      ['verbatim', 1],
    ])
    expect(result.citations.map(({ n, title }) => [n, title])).toEqual(
      sparsePapers.map(({ title }, index) => [index + 1, title]),
    )
    expect(result.coverage).toMatchObject({ claims: 3, verbatim: 3 })
    expect(result.coverageOfPoints).toMatchObject({ claims: 15, checked: 15, verbatim: 15 })
  })

  it('is replayed from its log alone, and folded from it', async () => {
    const { result, runId, events } = await run
    const replay = await world.replay(runId)
    expect(replay.result).toEqual(result)
    expect(replay.unclaimed).toEqual([])
    const nodes = events.flatMap(({ type, data }) => (type === 'node.done' ? [data.node] : []))
    expect(nodes).toEqual([
      'retriever',
      'reader',
      'analyzer',
      'filter',
      'synthesizer',
      'claims',
      'citation',
      'finalize',
    ])
  })

  it('has a step for each place, download and reading, by keys that say which', async () => {
    const { events } = await run
    const keys = events.flatMap(({ type, key }) => (type === 'step.done' ? [key] : []))
    expect(keys).toContain('papers/retriever[1]/search/arXiv')
    for (const n of [1, 2, 3]) {
      expect(keys).toContain(`papers/reader[1]/paper[${n}]/download`)
      expect(keys).toContain(`papers/reader[1]/paper[${n}]/read`)
      expect(keys).toContain(`papers/analyzer[1]/paper[${n}]/analyzer/model`)
    }
  })

  it('tells where each paper is while it happens', async () => {
    const { heard } = await run
    expect(statusesOf(heard, 'arxiv:2401.00001')).toEqual([
      'found',
      'downloading 0',
      'downloading 0.4',
      'reading',
      'read',
      'analysing',
      'analysed',
      'kept',
    ])
  })

  it('keeps no text of a paper in its state', async () => {
    const { events } = await run
    const patches = events.filter(
      ({ type, data }) => type === 'node.done' && data.node === 'reader',
    )
    expect(JSON.stringify(patches)).not.toContain('Harrowmere')
  })

  it('lists references in the form of the arXiv line', async () => {
    const { result } = await run
    expect(result.references[0]).toEqual({
      n: 1,
      paperId: 'arxiv:2401.00001',
      line: 'Ada Quill. (2024). Windowed attention for long texts.',
      remarks: [],
    })
  })

  it('says of a file that is another work, and of a paper that was taken back', async () => {
    const [first, second, third] = sparsePapers as [never, never, never]
    const odd = new PapersWorld([
      { ...(first as (typeof sparsePapers)[0]), fileTitle: 'Moths on the cliffs of Harrowmere' },
      { ...(second as (typeof sparsePapers)[0]), more: { retraction: 'retracted in 2025' } },
      third,
    ])
    const { result } = await odd.run(query)
    expect(result.references.map(({ remarks }) => remarks)).toEqual([
      ['The file may be a different work: it says title “Moths on the cliffs of Harrowmere”.'],
      ['Retracted: retracted in 2025'],
      [],
    ])
    await odd.close()
  })

  it('downloads four papers at once and reads two, and asks about as many as it is told', async () => {
    const many = new PapersWorld(manyPapers(9))
    const most = new Map<string, number>()
    /** Does work slowly, and notes how much of its kind is done at once. */
    const watched =
      <Args extends unknown[], T>(kind: string, work: (...args: Args) => PromiseLike<T>) =>
      async (...args: Args): Promise<T> => {
        const now = (open.get(kind) ?? 0) + 1
        open.set(kind, now)
        most.set(kind, Math.max(most.get(kind) ?? 0, now))
        for (let turn = 0; turn < 20; turn++) await nextTurn()
        try {
          return await work(...args)
        } finally {
          open.set(kind, (open.get(kind) ?? 0) - 1)
        }
      }
    const open = new Map<string, number>()
    const { files, reader } = many.parts()
    const kept = await files()
    const read = await reader()
    await many.run(query, {
      count: 9,
      concurrency: 3,
      parts: {
        files: async () => ({ ...kept, download: watched('download', kept.download) }),
        reader: async () => ({ ...read, readFile: watched('read', read.readFile) }),
      },
      schedule: (models) => ({
        ...models,
        forRole: (role) => {
          const binding = models.forRole(role)
          const load = async () => {
            const model = await binding.load()
            return { ...model, doGenerate: watched(role, model.doGenerate) }
          }
          return { ...binding, load }
        },
      }),
    })
    expect(Object.fromEntries(most)).toMatchObject({ download: 4, read: 2, analyzer: 3 })
    await many.close()
  })

  it('reads a work once that two places of a tier know', async () => {
    const twice = new PapersWorld(sparsePapers)
    const [first] = sparsePapers.map(toPaper)
    const other = { ...(first as never as typeof first & object), id: 's2:1', foundBy: ['S2'] }
    twice.answers.set('S2', { ok: true, papers: [other as never] })
    const { result } = await twice.run(query, { tiers: [['arXiv', 'S2']] })
    expect(result.papers.map(({ foundBy }) => foundBy)).toEqual([
      ['arXiv', 'S2'],
      ['arXiv'],
      ['arXiv'],
    ])
    expect(twice.times('read arxiv:2401.00001')).toBe(1)
    await twice.close()
  })
})
