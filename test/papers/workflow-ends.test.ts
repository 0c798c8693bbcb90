import { afterAll, describe, expect, it } from 'vitest'
import { manyPapers, sparsePapers } from './workflow-papers.ts'
import { type MadePaper, PapersWorld, toPaper } from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())
const query = 'Does sparse attention save memory?'
const nothing = { ok: true, papers: [] } as const
const refusal = { ok: false, reason: 'unavailable', detail: 'The server is down.' } as const

/** The papers with other facts about some of them. */
function changed(...changes: readonly Partial<MadePaper>[]): PapersWorld {
  return new PapersWorld(sparsePapers.map((paper, index) => ({ ...paper, ...changes[index] })))
}

describe('a search that finds nothing', () => {
  it('ends the run with a reason and advice, and asks no model', async () => {
    world.answers.set('arXiv', nothing)
    const { result, calls, runId } = await world.run(query, { category: 'cs.CL' })
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'no_papers', papers: [] })
    expect(result.answer).toContain('No paper was found in arXiv.')
    expect(result.answer).toContain('Omit the category cs.CL.')
    expect(result.search).toEqual([{ place: 'arXiv', outcome: 'empty', found: 0, detail: '' }])
    expect(calls).toEqual([])
    expect((await world.replay(runId)).result).toEqual(result)
    world.answers.clear()
  })

  it('goes on to the next tier, and shows that it did', async () => {
    world.answers.set('arXiv over MCP', refusal)
    const tiers = [['arXiv over MCP'], ['arXiv'], ['Semantic Scholar and OpenAlex']]
    const { result, events } = await world.run(query, { tiers })
    expect(result.search).toMatchObject([
      { place: 'arXiv over MCP', outcome: 'failed', found: 0, detail: 'The server is down.' },
      { place: 'arXiv', outcome: 'used', found: 3 },
      { place: 'Semantic Scholar and OpenAlex', outcome: 'not asked', found: 0 },
    ])
    expect(result.papers).toHaveLength(3)
    expect(result.errors).toEqual(['arXiv over MCP: The server is down.'])
    expect(result.gaps).toContainEqual({
      kind: 'source_unavailable',
      detail: 'The server is down.',
      source: 'arXiv over MCP',
    })
    const notices = events.flatMap(({ type, data }) => (type === 'notice' ? [data.text] : []))
    expect(notices).toEqual(['arXiv over MCP failed: The server is down. Asked instead: arXiv.'])
    expect(world.times('search Semantic Scholar and OpenAlex')).toBe(0)
  })

  it('takes a place that throws for one that failed', async () => {
    const place = () => Promise.reject(new Error('no such thing'))
    const { result } = await world.run(query, { parts: { place } })
    expect(result).toMatchObject({ stopReason: 'no_papers', errors: ['arXiv: no such thing'] })
    expect(result.answer).toContain('Try again later')
  })
})

describe('papers that cannot be used', () => {
  it('are told with their reasons while the others go on', async () => {
    const some = changed({ noDownload: 'It is behind a wall.' }, { noReading: 'It is a scan.' })
    const { result } = await some.run(query)
    expect(result.papers.map(({ n, status, reason }) => [n, status, reason])).toEqual([
      [undefined, 'failed', 'It is behind a wall.'],
      [undefined, 'unreadable', 'It is a scan.'],
      [1, 'kept', undefined],
    ])
    expect(result.errors).toEqual([
      'Windowed attention for long texts: It is behind a wall.',
      'Sparse patterns and their costs: It is a scan.',
    ])
    expect(result.gaps.map(({ kind }) => kind)).toEqual(['unreadable_source', 'unreadable_source'])
    expect(result.answer).toBe(
      'We surveyed 120 papers on efficient transformers that were published since 2019 [1].',
    )
    await some.close()
  })

  it('are told by titles that load and run nothing', async () => {
    const title = 'Attention ![](https://evil.test/seen.png) <script>alert(1)</script>'
    const none = changed(...sparsePapers.map(() => ({ title, noReading: 'It is <img src=x>.' })))
    const { result } = await none.run(query)
    expect(result.stopReason).toBe('none_kept')
    expect(result.answer).toContain('Attention')
    expect(result.answer).not.toMatch(/(?<!\\)!\[|<(?:script|img)/)
    await none.close()
  })

  it('end the run where none is left', async () => {
    const none = changed(...sparsePapers.map(() => ({ noReading: 'It is a scan.' })))
    const { result, calls } = await none.run(query)
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'none_kept' })
    expect(result.answer).toContain('- A survey of efficient transformers: It is a scan.')
    expect(calls).toEqual([])
    await none.close()
  })

  it('are no papers of which the same file was read already', async () => {
    const [first, second] = sparsePapers as [MadePaper, MadePaper]
    const same = new PapersWorld([first, second])
    const twin = { ...toPaper(first), path: first.id, foundBy: ['files'] }
    const reader = (await same.parts().reader()).readFile
    same.answers.set('files', {
      ok: true,
      papers: [
        twin,
        {
          ...toPaper(second),
          id: 'file:2',
          title: 'Other',
          csl: { id: '2', type: 'article' },
          path: first.id,
        },
      ],
    })
    expect(reader).toBeDefined()
    const { result } = await same.run(query, { tiers: [['files']], files: ['/a.pdf', '/b.pdf'] })
    expect(result.papers.map(({ n, status, reason }) => [n, status, reason])).toEqual([
      [1, 'kept', undefined],
      [undefined, 'failed', 'The same file as [1] Windowed attention for long texts.'],
    ])
    await same.close()
  })
})

describe('the filter', () => {
  it('drops what was seen too little of, with the reason', async () => {
    const few = { ...sparsePapers[0], id: 'arxiv:1', pages: ['Methods. One line.'] } as MadePaper
    const some = new PapersWorld([few, ...manyPapers(2)])
    const { result } = await some.run(query, { topK: 1, threshold: 1 })
    expect(result.papers.map(({ status }) => status)).toEqual(['kept', 'kept', 'kept'])
    await some.close()
  })

  it('ends the run where nothing is above the threshold, and says what helps', async () => {
    const unseen = new PapersWorld([
      {
        id: 'arxiv:1',
        title: 'Moths',
        pages: ['Moths fly. They like lamps.\nLamps shine at night.'],
      },
    ])
    const { result } = await unseen.run(query, { topK: 10 })
    expect(result).toMatchObject({ status: 'unanswered', stopReason: 'none_kept' })
    expect(result.dropped).toHaveLength(1)
    expect(result.answer).toContain('--threshold')
    expect(result.synthesis.summary).toBe('')
    await unseen.close()
  })
})

describe('an input', () => {
  it.each([
    [{ count: 0 }, 'count'],
    [{ count: 21 }, 'count'],
    [{ count: 1.5 }, 'count'],
    [{ threshold: 1.2 }, 'threshold'],
    [{ topK: 0 }, 'topK'],
    [{ concurrency: 0 }, 'concurrency'],
  ])('of %j is refused before there is a run', async (input, name) => {
    const before = (await world.store.list()).length
    await expect(world.run(query, input)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(name),
    })
    expect(await world.store.list()).toHaveLength(before)
  })

  it('without a query is refused', async () => {
    await expect(world.run(' \u0000 ')).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
