import { describe, expect, it } from 'vitest'
import type { SourceId } from '../citations/source.ts'
import { initialState } from '../graph/graph.ts'
import { citePapers } from './cite.ts'
import { channels, type PapersState } from './state.ts'

function stateWith(authors: number): PapersState {
  const sourceId = 's' as SourceId
  const csl = {
    id: 'p',
    type: 'article',
    title: 'One mass',
    author: Array.from({ length: authors }, (_, at) => ({
      family: `Quill${at + 1}`,
      given: 'Ada',
    })),
  }
  return {
    ...initialState(channels, {}),
    papers: [
      {
        id: 'file:p',
        title: 'One mass',
        authors: [],
        abstract: '',
        published: '',
        categories: [],
        foundBy: ['files'],
        csl,
      },
    ],
    readings: {
      'file:p': {
        sourceId,
        title: '',
        authors: [],
        pageCount: 1,
        referenceCount: 0,
        chunks: [],
        notes: [],
      },
    },
    citations: [{ n: 1, sourceId, title: 'One mass' }],
  }
}

async function lineOf(authors: number): Promise<string> {
  const { references = [] } = await citePapers(stateWith(authors))
  return references[0]?.line ?? ''
}

describe('the line of a paper in a synthesis', () => {
  it('names all authors up to twenty', async () => {
    const line = await lineOf(20)
    expect(line).toContain('Ada Quill19, & Ada Quill20. (n.d.). One mass.')
  })

  it('names the first of thousands', async () => {
    const line = await lineOf(3_000)
    expect(line).toMatch(/Ada Quill19, et al\. \(n\.d\.\)\. One mass\.$/)
    expect(line).not.toContain('Quill20')
  })
})
