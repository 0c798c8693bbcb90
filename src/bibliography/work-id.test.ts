import { expect, it } from 'vitest'
import { shownId, workId } from './work-id.ts'

it('names a work by its number at arXiv, else by its DOI', () => {
  const arxiv = { id: '2304.02623', version: 1 }
  expect(workId({ arxiv, doi: '10.1000/xyz' })).toBe('arxiv:2304.02623')
  expect(workId({ doi: '10.1000/xyz' })).toBe('doi:10.1000/xyz')
  expect(workId({})).toBeUndefined()
})

it('shows a file as the work that it says it is, and what was found as it was found', () => {
  const csl = { id: 'x', type: 'article', URL: 'https://arxiv.org/abs/2304.02623v1' } as const
  expect(shownId({ id: 'file:0123456789abcdef', csl })).toBe('arxiv:2304.02623')
  expect(shownId({ id: 's2:12', csl })).toBe('s2:12')
  const unknown = { id: 'x', type: 'document' } as const
  expect(shownId({ id: 'file:0123456789abcdef', csl: unknown })).toBe('file:0123456789abcdef')
})
