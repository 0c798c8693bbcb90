import { describe, expect, it } from 'vitest'
import { SessionSources } from './session-sources.ts'

const answer = (text: string, ids: readonly string[]) => ({
  status: 'answered',
  answer: text,
  sources: ids.map((sourceId, index) => ({ n: index + 1, sourceId, title: sourceId })),
  gaps: ['unsure of [2]'],
})

describe('SessionSources', () => {
  it('keeps the number of a source, and gives new ones the next', () => {
    const sources = new SessionSources(['a', 'b'])
    expect(sources.renumber(answer('C [1] and a [2, 1]. Not [7].', ['c', 'a']))).toEqual({
      status: 'answered',
      answer: 'C [3] and a [1, 3]. Not [7].',
      sources: [
        { n: 1, title: 'a' },
        { n: 3, title: 'c' },
      ],
      gaps: ['unsure of [1]'],
    })
    expect(sources.all).toEqual(['a', 'b', 'c'])
  })

  it('gives the same for the same answer again', () => {
    const sources = new SessionSources(['a'])
    const given = answer('B [1], a [2].', ['b', 'a'])
    expect(sources.renumber(given)).toEqual(sources.renumber(given))
  })

  it('leaves alone what is no answer', () => {
    const sources = new SessionSources([])
    for (const output of [null, 'text', { error: 'no' }, [1]])
      expect(sources.renumber(output)).toEqual(output)
    expect(sources.all).toEqual([])
  })
})
