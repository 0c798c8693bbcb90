import { describe, expect, it } from 'vitest'
import type { PassageId } from '../../citations/source.ts'
import type { Chunk } from './paper.ts'
import { searchChunks } from './search-chunks.ts'

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
const found = (
  query: string,
  limit = 10,
  vectors?: Parameters<typeof searchChunks>[0]['vectors'],
) =>
  searchChunks({ chunks, texts, query, limit, ...(vectors ? { vectors } : {}) }).map(({ chunk }) =>
    chunks.indexOf(chunk),
  )

describe('a search in chunks', () => {
  it('puts first what shares the words of the query, in any form, and never a list of references', () => {
    expect(found('limitations of the parser')[0]).toBe(2)
    expect(found('limitations of the parser')).not.toContain(4)
    expect(found('an experiment')[0]).toBe(1)
  })

  it('counts a section’s heading with its text', () => {
    expect(found('results')[0]).toBe(1)
  })

  it('gives no more than is asked for, best first, and the same each time', () => {
    expect(found('parser experiments', 1)).toHaveLength(1)
    const hits = searchChunks({ chunks, texts, query: 'parser experiments', limit: 10 })
    const scores = hits.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(found('parser experiments')).toEqual(found('parser experiments'))
  })

  it('gives nothing for nothing', () => {
    expect(found('the of and')).toEqual([])
    expect(found('zygomorphic')).toEqual([])
    expect(searchChunks({ chunks: [], texts: [], query: 'parser', limit: 3 })).toEqual([])
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
    const search = { chunks, texts, query: 'parser', limit: 3 }
    const pairs = texts.map(() => [1, 0])
    const refused = { code: 'invalid_input' }
    expect(() => searchChunks({ ...search, texts: ['one'] })).toThrow(
      expect.objectContaining(refused),
    )
    for (const vectors of [
      { query: [1, 0], chunks: pairs.slice(1) },
      { query: [1], chunks: pairs },
    ])
      expect(() => searchChunks({ ...search, vectors })).toThrow(expect.objectContaining(refused))
  })
})
