import { describe, expect, it } from 'vitest'
import type { PassageId } from '../../citations/source.ts'
import type { Chunk } from '../paper.ts'
import {
  type ChunkQuery,
  createChunkSearch,
  searchForEach,
  searchVersion,
} from './search-chunks.ts'

const texts = [
  'We propose a parser for semantic dependency structures.',
  'The experiments were run on a cluster of machines. Accuracy rose to 85.9 %.',
  'A limitation is that the parser needs a large corpus.',
  'Tomatoes ripen in the sun.',
  '[1] A parser. A parser of limitations. Experiments with a parser, 1999.',
]
const chunks: readonly Chunk[] = texts.map((_, index) => ({
  id: `x:${index}` as PassageId,
  start: index * 100,
  end: index * 100 + 50,
  tokens: 10,
  kind: index === 4 ? 'references' : 'text',
  ...(index === 1 ? { section: 'Results' } : {}),
}))
const inChunks = createChunkSearch(chunks, texts)
const found = (query: string, limit = 10, vectors?: ChunkQuery['vectors']) =>
  inChunks
    .search({ query, limit, ...(vectors ? { vectors } : {}) })
    .map(({ chunk }) => chunks.indexOf(chunk))

describe('a search in chunks', () => {
  it('puts first what shares the words of the query, in any form, and never a list of references', () => {
    expect(found('limitations of the parser')[0]).toBe(2)
    expect(found('limitations of the parser')).not.toContain(4)
    expect(found('an experiment')[0]).toBe(1)
  })

  it('ranks as its version says: where another order comes, raise it, for what was found is kept', () => {
    const queries = ['limitations of the parser', 'an experiment on machines', 'parser experiments']
    expect([searchVersion, queries.map((query) => found(query))]).toEqual([
      1,
      [
        [2, 0],
        [1, 0, 2],
        [1, 0, 2],
      ],
    ])
  })

  it('counts a section’s heading with its text', () => {
    expect(found('results')[0]).toBe(1)
  })

  it('gives no more than is asked for, best first, and the same each time', () => {
    expect(found('parser experiments', 1)).toHaveLength(1)
    const hits = inChunks.search({ query: 'parser experiments', limit: 10 })
    const scores = hits.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(found('parser experiments')).toEqual(found('parser experiments'))
  })

  it('ranks a query the same whatever was asked before it', () => {
    const alone = createChunkSearch(chunks, texts)
    const after = createChunkSearch(chunks, texts)
    for (const query of ['tomatoes in gardens', 'an unheard-of zygote'])
      after.search({ query, limit: 5 })
    const asked = { query: 'limitations of parsers', limit: 5 }
    expect(after.search(asked)).toEqual(alone.search(asked))
  })

  it('finds for each of several queries what it finds for that alone, and lets others continue meanwhile', async () => {
    const queries = ['limitations of the parser', 'an experiment', 'tomatoes'].map((query) => ({
      query,
      limit: 2,
    }))
    let turns = 0
    const count = () => {
      turns++
      if (turns < 10) setImmediate(count)
    }
    setImmediate(count)
    const all = await searchForEach(chunks, texts, queries)
    expect(turns).toBeGreaterThanOrEqual(queries.length)
    expect(all).toEqual(queries.map((asked) => inChunks.search(asked)))
  })

  it('gives nothing for nothing', () => {
    expect(found('the of and')).toEqual([])
    expect(found('zygomorphic')).toEqual([])
    expect(createChunkSearch([], []).search({ query: 'parser', limit: 3 })).toEqual([])
  })

  it('fuses the ranking by meaning with that by words', () => {
    const vectors = {
      query: [1, 0],
      chunks: [
        [0, 1],
        [0.1, 1],
        [0.5, 1],
        [1, 0.1],
        [1, 0],
      ],
    }
    expect(found('zygomorphic', 10, vectors)).toEqual([3, 2, 1, 0])
    expect(found('limitations of the parser', 2, vectors)[0]).toBe(2)
  })

  it('refuses texts and vectors that do not belong to the chunks', () => {
    const asked = { query: 'parser', limit: 3 }
    const pairs = texts.map(() => [1, 0])
    const refused = { code: 'invalid_input' }
    expect(() => createChunkSearch(chunks, ['one'])).toThrow(expect.objectContaining(refused))
    for (const vectors of [
      { query: [1, 0], chunks: pairs.slice(1) },
      { query: [1], chunks: pairs },
    ])
      expect(() => inChunks.search({ ...asked, vectors })).toThrow(expect.objectContaining(refused))
  })
})
