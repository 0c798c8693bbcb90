import { describe, expect, it } from 'vitest'
import type { CslItem } from '../citations/source.ts'
import { toRis } from './write-ris.ts'

const work: CslItem = {
  id: '1',
  type: 'article-journal',
  title: `A <i>long</i> title & its 50% of ${'words and '.repeat(12)}more über 中文`,
  author: [
    { family: 'Müller', given: 'Jörg' },
    { family: 'Berg', given: 'Jan', 'non-dropping-particle': 'van den', suffix: 'Jr.' },
    { literal: 'World Health Organization' },
  ],
  issued: { 'date-parts': [[2020, 3, 5]] },
  'container-title': 'Things & Co',
  volume: '3',
  page: '1-9',
  DOI: '10.1000/x_y',
  URL: 'https://a.example/a-rather-long-address/that-goes-on-and-on/and-must-not-be-broken-in-two?x=1',
}

describe('toRis', () => {
  it('says in the usual way that not all are named', async () => {
    const author = [{ family: 'Doe', given: 'Jane' }, { literal: 'others' }]
    expect(await toRis([{ ...work, author }])).toContain('AU  - Doe, Jane\r\nAU  - et al.\r\n')
  })

  it('writes each value on one line of its own', async () => {
    const lines = (await toRis([work])).split('\r\n')
    expect(lines[0]).toBe('TY  - JOUR')
    expect(lines.slice(-2)).toEqual(['ER  - ', ''])
    expect(lines).toEqual(
      expect.arrayContaining([
        'AU  - Müller, Jörg',
        'AU  - van den Berg, Jan, Jr.',
        'AU  - World Health Organization',
        'PY  - 2020',
        'DA  - 2020/03/05/',
        'T2  - Things & Co',
        'VL  - 3',
        'SP  - 1',
        'EP  - 9',
        'DO  - 10.1000/x_y',
        `UR  - ${work.URL}`,
        `TI  - ${work.title?.replace(/<\/?i>/g, '')}`,
        'ID  - muller2020long',
      ]),
    )
    expect(lines.slice(0, -1).every((line) => /^[A-Z][A-Z0-9] {2}- /.test(line))).toBe(true)
  })

  it('is read back by another reader as it was', async () => {
    // @ts-expect-error: without types
    const { plugins } = (await import('@citation-js/core')) as {
      plugins: { input: { chain: (text: string, options: object) => readonly CslItem[] } }
    }
    const [item] = plugins.input.chain(await toRis([work]), { forceType: '@ris/file' })
    expect(item).toMatchObject({
      type: 'article-journal',
      title: work.title?.replace(/<\/?i>/g, ''),
      DOI: work.DOI,
      URL: work.URL,
      page: '1-9',
      'container-title': 'Things & Co',
      issued: { 'date-parts': [[2020, 3, 5]] },
    })
    expect(item?.author?.[0]).toEqual(work.author?.[0])
  })

  it('writes a preprint with its address', async () => {
    const text = await toRis([
      { id: 'x', type: 'article', title: 'T', number: 'arXiv:1706.03762', publisher: 'arXiv' },
    ])
    expect(text).toContain('UR  - https://arxiv.org/abs/1706.03762\r\n')
    expect(text).toContain('arXiv:1706.03762')
  })

  it('is empty for no works', async () => {
    expect(await toRis([])).toBe('')
  })
})
