import { afterAll, describe, expect, it } from 'vitest'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import type { PaperReader } from '../../src/papers/paper.ts'
import { createQuickClock, type ModelCallSeen } from '../../src/testing/index.ts'
import { manyPapers, sparsePapers } from './workflow-papers.ts'
import {
  emptyAnalysis,
  type PapersScript,
  PapersWorld,
  paperIn,
  passagesIn,
  withSilence,
  withWindow,
} from './workflow-world.ts'

const query = 'At what temperature does glimmerstone melt?'
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

/** A world of so many papers. */
function worldOf(count: number): PapersWorld {
  const world = new PapersWorld(manyPapers(count))
  worlds.push(world)
  return world
}

/** A long paper whose table answers the query, in words that no broad query has. */
function worldWithTable() {
  const [paper] = manyPapers(1)
  const table = 'Table 4. Glimmerstone melt temperature: 412 degrees.'
  const filler =
    'We compare methods, data, experiments, limitations, results, conclusions. '.repeat(9)
  const pages = Array.from({ length: 60 }, (_, index) => `Part ${index}. ${filler}`)
  pages[8] = table
  pages[58] = 'We conclude that it is limited; future work: methods, results, findings.'
  const world = new PapersWorld([{ ...(paper as never as typeof paper & object), pages }])
  worlds.push(world)
  return { world, table, length: pages.length }
}

/** A reader whose chunks begin with the last word of the one before on the same page. */
function overlappingReader(world: PapersWorld): PaperReader {
  return {
    readSource: () => Promise.reject(new Error('not used')),
    async readFile(...given) {
      const read = await (await world.parts().reader()).readFile(...given)
      if (!read.ok) return read
      const chunks = read.chunks.map((chunk, index) =>
        read.chunks[index - 1]?.page === chunk.page ? { ...chunk, start: chunk.start - 9 } : chunk,
      )
      return { ...read, chunks }
    },
  }
}

/** An analyzer that fails at the papers with these numbers. */
function failingAt(...numbers: readonly number[]): PapersScript {
  return (seen) => {
    if (seen.role !== 'analyzer' || !numbers.includes(paperIn(seen).n)) return undefined
    return { text: 'I would rather not.' }
  }
}

const analysing = (calls: readonly ModelCallSeen[]) =>
  new Set(calls.filter(({ role }) => role === 'analyzer').map((seen) => paperIn(seen).n))

describe('the analyzer', () => {
  it('is not shown all of thousands of authors', async () => {
    const authors = Array.from({ length: 3_000 }, (_, at) => `Ada Quill-${at}`)
    const world = new PapersWorld(
      manyPapers(1).map((paper) => ({ ...paper, more: { ...paper.more, authors } })),
    )
    worlds.push(world)
    const { calls } = await world.run(query)
    const [asked] = calls.filter(({ role }) => role === 'analyzer')
    expect(asked?.lastText).toContain('Ada Quill-0')
    expect(asked?.lastText.length).toBeLessThan(10_000)
  })

  it('sees a whole paper that its model has room for, in reading order and with what is known of it', async () => {
    const world = worldOf(1)
    const { calls, result } = await world.run(query)
    const [asked] = calls
    expect(passagesIn(asked as ModelCallSeen).map((text) => text.split('.')[0])).toEqual([
      'Methods',
      'Results',
      'Conclusions',
      'Limitations',
    ])
    expect(asked?.lastText).toContain('"section":"Results","page":2')
    expect(asked?.lastText).toContain('"authors":["Ada Quill"]')
    expect(result.analyses[0]).toMatchObject({ confidence: 1, chunks: 4 })
  })

  it('sees no more than asked for, and is the surer the more it saw', async () => {
    const [paper] = manyPapers(1)
    const pages = Array.from({ length: 30 }, (_, index) => `Part. Methods and results ${index}.`)
    const world = new PapersWorld([{ ...(paper as never as typeof paper & object), pages }])
    worlds.push(world)
    const { result } = await world.run(query, { topK: 8, threshold: 0 })
    const [analysis] = result.analyses
    expect(analysis?.chunks).toBeLessThanOrEqual(8)
    expect(analysis?.confidence).toBe((analysis?.chunks ?? 0) / 8)
  })

  it('sees what the question finds next to what the broad queries find', async () => {
    const { world, table } = worldWithTable()
    const { calls } = await world.run(query, { topK: 5 })
    const shown = passagesIn(calls[0] as ModelCallSeen).join('\n')
    expect(shown).toContain(table)
    expect(shown).toContain('We conclude that')
    expect(shown).not.toContain('Part 8')
  })

  it.each([
    [14_000, false],
    [32_000, true],
  ])('sees as much of a paper as %i tokens have room for', async (windowTokens, isWhole) => {
    const { world, table, length } = worldWithTable()
    const schedule = (models: ModelSource) => withWindow(models, windowTokens)
    const { calls, result, runId } = await world.run(query, { schedule })
    const [asked] = calls.filter(({ role }) => role === 'analyzer')
    expect(asked?.lastText).toContain(table)
    expect((asked?.lastText.length ?? 0) / 4).toBeLessThan(windowTokens)
    const chunks = result.analyses[0]?.chunks ?? 0
    expect(chunks).toBeGreaterThan(10)
    expect(chunks === length).toBe(isWhole)
    expect((await world.replay(runId, schedule)).result).toEqual(result)
  })

  it('sees neighbours in a section of a page as one passage, and no text twice', async () => {
    const [paper] = manyPapers(1)
    const pages = ['Melting points.\nSample A: 412 degrees.\nNotes. Sample B: 415 degrees.']
    const world = new PapersWorld([{ ...(paper as never as typeof paper & object), pages }])
    worlds.push(world)
    const reader = overlappingReader(world)
    const { calls } = await world.run(query, { parts: { reader: async () => reader } })
    expect(passagesIn(calls[0] as ModelCallSeen)).toEqual([
      'Melting points.\nSample A: 412 degrees.',
      'Notes. Sample B: 415 degrees.',
    ])
  })

  it('leaves out what is not known of a passage and a paper', async () => {
    const [paper] = sparsePapers
    const bare = {
      ...(paper as never as typeof paper & object),
      more: { authors: [], published: '' },
    }
    const world = new PapersWorld([{ ...bare, pages: ['We find results with our method.'] }])
    worlds.push(world)
    const { calls } = await world.run(query)
    expect(calls[0]?.lastText).not.toMatch(/authors|published|section/)
  })

  it('keeps findings with the paper of which they are, whatever the order in which they come', async () => {
    const world = worldOf(6)
    const { result } = await world.run(query, { count: 6, concurrency: 3 })
    for (const [index, { title, keyFindings }] of result.analyses.entries()) {
      expect(title).toBe(`Study ${index + 1} of glimmerstone`)
      const [, melting] = keyFindings
      expect(melting?.text).toContain(`${400 + index} degrees`)
      expect(melting?.evidence[0]).toMatchObject({ n: index + 1, page: 2 })
    }
  })

  it('takes what a model wrote in a form of its own', async () => {
    const world = worldOf(1)
    const said = 'Sample 1 of glimmerstone melts at 400 degrees Celsius.'
    const script: PapersScript = ({ role }) =>
      role === 'analyzer'
        ? {
            json: {
              key_findings: [[[said]], null, '', 400, { finding: 'It is a mineral.', page: 2 }],
              limitations: 'Our study is limited to sample 1 alone.',
              conclusions: null,
            },
          }
        : undefined
    const { result } = await world.run(query, { script })
    const [analysis] = result.analyses
    expect(analysis?.keyFindings.map(({ text }) => text)).toEqual([said, '400', 'It is a mineral.'])
    expect(analysis?.limitations).toMatchObject([{ verdict: 'verbatim', evidence: [{ page: 3 }] }])
    expect([analysis?.conclusions, analysis?.methodology]).toEqual([[], []])
  })

  it('has each finding held against the pages of its own paper', async () => {
    const world = worldOf(2)
    const script: PapersScript = (seen) =>
      seen.role === 'analyzer'
        ? {
            json: {
              ...emptyAnalysis,
              key_findings: [
                'Sample 1 of glimmerstone melts at 400 degrees Celsius.',
                'Sample 1 of glimmerstone melts at 900 degrees Celsius.',
                'See https://elsewhere.example/x for more.',
              ],
            },
          }
        : undefined
    const { result } = await world.run(query, { script })
    const verdicts = result.analyses.map(({ keyFindings }) => keyFindings.map((one) => one.verdict))
    expect(verdicts[0]).toEqual(['verbatim', 'altered', 'altered'])
    expect(verdicts[1]?.[0]).not.toBe('verbatim')
  })

  it('leaves an analysis that says why it failed, and the others go on', async () => {
    const world = worldOf(3)
    const { result, runId } = await world.run(query, { script: failingAt(2) })
    expect(result.analyses.map(({ confidence }) => confidence)).toEqual([1, 0, 1])
    expect(result.analyses[1]?.error).toContain('returned no usable analyzer answer')
    expect(result.papers.map(({ status }) => status)).toEqual(['kept', 'failed', 'kept'])
    expect(result).toMatchObject({ status: 'partial', stopReason: 'gaps' })
    expect(result.errors).toHaveLength(1)
    expect((await world.replay(runId)).result).toEqual(result)
  })
})

describe('failures in a row', () => {
  it('end the analyses behind them, counted in the order of papers', async () => {
    const world = worldOf(8)
    const { result, calls } = await world.run(query, {
      count: 8,
      concurrency: 2,
      script: failingAt(2, 3),
    })
    // Two at once: when the second and the third have failed, the fourth is under way.
    expect([...analysing(calls)]).toEqual([1, 2, 3, 4])
    expect(result.papers.map(({ status }) => status)).toEqual([
      ...['kept', 'failed', 'failed', 'kept'],
      ...['failed', 'failed', 'failed', 'failed'],
    ])
    expect(result.papers[7]?.reason).toContain('the two papers before it failed')
    expect(result.status).toBe('partial')
  })

  it('do not end them where a success is between', async () => {
    const world = worldOf(6)
    const { calls } = await world.run(query, {
      count: 6,
      concurrency: 1,
      script: failingAt(1, 3, 5),
    })
    expect(analysing(calls).size).toBe(6)
  })

  it('leave a failed run where nothing was analysed at all', async () => {
    const world = worldOf(5)
    const { result, calls } = await world.run(query, {
      concurrency: 1,
      script: failingAt(1, 2, 3, 4, 5),
    })
    expect([...analysing(calls)]).toEqual([1, 2])
    expect(result).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      error: { code: 'model_output_malformed' },
    })
    expect(result.papers.every(({ reason }) => reason !== undefined)).toBe(true)
  })
})

describe('a slow analyzer', () => {
  it('is waited for as long as its own time limit says', async () => {
    const world = worldOf(2)
    const clock = createQuickClock()
    const script: PapersScript = (seen) => {
      if (seen.role !== 'analyzer' || paperIn(seen).n !== 2) return undefined
      // The first answer has no form, and the model takes its time for the second one as well.
      clock.advance(400_000)
      return seen.lastText.includes('could not be used') ? undefined : { text: 'Hm.' }
    }
    const { result } = await world.run(query, { script, execution: { clock } })
    expect(result.analyses.map(({ error }) => error)).toEqual([undefined, undefined])
    expect(result.status).toBe('answered')
  })

  it('fails for its paper alone when its time is up', async () => {
    const world = worldOf(2)
    const schedule = (models: ModelSource) =>
      withSilence(models, 'analyzer', (prompt) => prompt.includes('Study 2'))
    const { result, runId } = await world.run(query, {
      schedule,
      execution: { clock: createQuickClock() },
    })
    expect(result.analyses.map(({ error }) => error)).toEqual([
      undefined,
      expect.stringContaining('did not answer'),
    ])
    expect(result.status).toBe('partial')
    expect((await world.replay(runId)).result).toEqual(result)
  })
})
