import { describe, expect, it } from 'vitest'
import type { SourceId } from '../../citations/source.ts'
import { type Candidate, locateSource, toWantedSource } from './locate-source.ts'
import { readReport } from './read-report.ts'

const candidate = (id: string, rest: Partial<Candidate>): Candidate => ({
  id: id.repeat(64) as SourceId,
  title: 'Untitled',
  csl: { id, type: 'article' },
  ...rest,
})

const candidates = [
  candidate('a', {
    path: '/papers/2020/attention.pdf',
    title: 'Attention Is All You Need',
    csl: { id: 'a', type: 'article', issued: { 'date-parts': [[2017]] } },
  }),
  candidate('b', { path: '/papers/2021/attention.pdf', title: 'Über Aufmerksamkeit' }),
  candidate('c', { csl: { id: 'c', type: 'article', DOI: '10.1000/XYZ.1' } }),
  candidate('d', {
    url: 'https://arxiv.org/abs/2301.00001v2',
    csl: { id: 'd', type: 'article', URL: 'https://arxiv.org/abs/2301.00001v2' },
  }),
  candidate('e', { title: 'Tea' }),
  candidate('g', { title: 'REAC T : SYNERGIZING REASONING AND ACTING IN LANGUAGE MODELS' }),
  candidate('f', {
    path: '/papers/trees.pdf',
    csl: { id: 'f', type: 'article', DOI: '10.1000/other' },
  }),
]

const found = (entry: string) => {
  const [reference] = readReport(
    `Something is so [1].\n\n## References\n\n[1] ${entry}\n`,
  ).references
  const location = reference && locateSource(toWantedSource(reference), candidates)
  return location && `${location.by} ${location.sources.map(({ id }) => id.charAt(0)).join('')}`
}

describe('locateSource', () => {
  it.each([
    ['Vaswani et al., 2020/attention.pdf', 'path a'],
    ['attention.pdf', 'path ab'],
    ['https://arxiv.org/abs/2301.00001v2#page=3', 'arxiv d'],
    ['A. Author. doi:10.1000/xyz.1.', 'doi c'],
    ['Somewhere (https://doi.org/10.1000/xyz.1).', 'doi c'],
    ['B. Author. arXiv:2301.00001', 'arxiv d'],
    ['Vaswani, A. et al. (2017). Attention is all you need. NeurIPS.', 'title a'],
    ['Meier: Uber Aufmerksamkeit, 2021', 'title b'],
    ['A book about Tea', undefined],
    ['Yao et al. ReAct: Synergizing Reasoning and Acting in Language Models. 2023.', 'title g'],
    ['Yao et al. PreReAct: Synergizing Reasoning and Acting in Language Models.', undefined],
    ['Yao et al. ReAct: Synergizing Reasoning and Acting in Language Modelling.', undefined],
    ['Attention is nothing', undefined],
    ['Why attention is all you need', undefined],
    ['Reply to "Attention is all you need"', undefined],
    ['Attention is all you need: a parody', undefined],
    ['Vaswani. (1999). Attention is all you need.', undefined],
    ['S. Yao, "Attention is all you need," 2017', 'title a'],
    ['A. Author. On trees. doi:10.1000/trees. attention.pdf', 'path ab'],
    ['C. On trees. doi:10.1000/trees. trees.pdf', undefined],
    ['https://evil.example/attention-is-all-you-need', undefined],
    ['notattention.pdf', undefined],
  ])('finds what "%s" means', (entry, expected) => {
    expect(found(entry)).toBe(expected)
  })
})
