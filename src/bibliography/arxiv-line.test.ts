import { describe, expect, it } from 'vitest'
import { formatArxivLine } from './arxiv-line.ts'

const item = { id: 'x', type: 'article', number: 'arXiv:1706.03762v5', publisher: 'arXiv' }

describe('the line of a paper', () => {
  it('leaves out what is not known', () => {
    expect(formatArxivLine({ id: 'x', type: 'document', title: 'Notes' })).toBe('(n.d.). Notes.')
  })

  it('ends a title once, whatever sign it ends with', () => {
    const line = (title: string) =>
      formatArxivLine({ ...item, title, author: [{ literal: 'Ann Lee' }] })
    const end = 'arXiv:1706.03762v5. https://arxiv.org/abs/1706.03762v5'
    expect(line('Who cites?')).toBe(`Ann Lee. (n.d.). Who cites? ${end}`)
    expect(line('We do.')).toBe(`Ann Lee. (n.d.). We do. ${end}`)
    expect(line('All')).toBe(`Ann Lee. (n.d.). All. ${end}`)
  })
})
