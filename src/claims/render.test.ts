import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { CitedSource, Claim } from '../citations/claim.ts'
import { passageId, type SourceId } from '../citations/source.ts'
import { renderPlain, renderTerminal } from './render.ts'

const sourceId = 'a'.repeat(64) as SourceId

function source(n: number, title: string, place: Partial<CitedSource>): CitedSource {
  return { n, sourceId, title, csl: { id: sourceId, type: 'document' }, ...place }
}

const citations = [
  source(1, 'CRISPR', { path: 'library/crispr.md' }),
  source(2, 'A paper', { path: 'papers/a.pdf' }),
  source(3, 'Not cited', {}),
  source(4, 'A page', { url: 'https://example.org/a', path: 'b' }),
]

function claimOn(n: number, ...pages: number[]): Claim {
  const evidence = pages.map((page) => ({
    n,
    passageId: passageId(sourceId, 0, 1),
    quote: 'x',
    start: 0,
    end: 1,
    page,
  }))
  return { text: '', citations: [n], verdict: 'verbatim', evidence, judge: 'code', reason: '' }
}

describe('renderPlain', () => {
  it('lists the cited sources by number, with place and pages', () => {
    const answer = 'It rained [4]. It snowed [1, 2].\n'
    const claims = [claimOn(2, 5, 3), claimOn(2, 3), claimOn(4, 9)]
    expect(renderPlain(answer, citations, claims)).toBe(
      [
        'It rained [4]. It snowed [1, 2].',
        '',
        'Sources',
        '[1] CRISPR, library/crispr.md',
        '[2] A paper, papers/a.pdf (pp. 3, 5)',
        '[4] A page, https://example.org/a (p. 9)',
      ].join('\n'),
    )
  })

  it('is the answer alone when it cites nothing', () => {
    expect(renderPlain('The sources do not say. arr[1]', citations)).toBe(
      'The sources do not say. arr[1]',
    )
  })

  it('says that a number stands for nothing', () => {
    expect(renderPlain('It rained [9].', citations)).toContain('[9] does not refer to a source')
  })

  it('lets no control character through', () => {
    const evil = [source(1, 'A\u001b[2Jtitle\u0007', { path: 'x\u009b31m' })]
    expect(renderPlain('It\u001b]0;x\u0007 rained\r [1].\n\tSo.', evil)).toBe(
      'It]0;x rained [1].\n\tSo.\n\nSources\n[1] A[2Jtitle, x31m',
    )
  })
})

describe('renderTerminal', () => {
  it('says the same as plain text, with bold headings and coloured citations', () => {
    const answer = '# Weather\n\nIt **rained** [1].'
    const text = renderTerminal(answer, citations)
    expect(stripVTControlCharacters(text)).toBe(
      'Weather\n\nIt rained [1].\n\nSources\n[1] CRISPR, library/crispr.md',
    )
    expect(text).toContain('\u001b[1mWeather\u001b[0m')
    expect(text).toContain('\u001b[36m[1]\u001b[0m')
  })

  it('lets no control character of the answer or a title through', () => {
    const evil = [source(1, 'A\u001b[2Jtitle', {})]
    const text = renderTerminal('It \u001b[31mrained [1].', evil)
    expect(text).not.toContain('\u001b[2J')
    expect(text).not.toContain('\u001b[31m')
  })
})
