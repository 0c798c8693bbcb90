import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CslItem, CslName } from '../citations/source.ts'
import { formatBibliography } from './format-bibliography.ts'

const article: CslItem = {
  id: 'study',
  type: 'article-journal',
  title: 'A study of things: the first part',
  author: [
    { family: 'Müller', given: 'Jörg' },
    { family: 'Doe', given: 'Jane B.' },
  ],
  issued: { 'date-parts': [[2020, 3, 5]] },
  'container-title': 'Journal of Things',
  volume: '3',
  issue: 2,
  page: '1-9',
  DOI: '10.1000/x_y',
}
const preprint: CslItem = {
  id: 'attention',
  type: 'article',
  title: 'Attention for all',
  author: [{ family: 'Adams', given: 'Ann' }],
  issued: { 'date-parts': [[2017]] },
  number: 'arXiv:1706.03762v5',
  publisher: 'arXiv',
  URL: 'https://arxiv.org/abs/1706.03762',
}

async function textOf(item: CslItem, style: string, format?: 'text' | 'html' | 'markdown') {
  const [entry] = await formatBibliography([item], { style, ...(format ? { format } : {}) })
  return entry?.text
}

describe('formatBibliography', () => {
  it.each([
    [
      'apa',
      'Müller, J., & Doe, J. B. (2020). A study of things: The first part. Journal of Things, 3(2), 1–9. https://doi.org/10.1000/x_y',
    ],
    [
      'chicago',
      'Müller, Jörg, and Jane B. Doe. 2020. “A Study of Things: The First Part.” Journal of Things 3 (2): 1–9. https://doi.org/10.1000/x_y.',
    ],
    [
      'ieee',
      '[1] J. Müller and J. B. Doe, “A study of things: the first part,” J. Things, vol. 3, no. 2, pp. 1–9, Mar. 2020, doi: 10.1000/x_y.',
    ],
  ])('writes %s', async (style, expected) => {
    const short = { ...article, 'container-title-short': 'J. Things' }
    expect((await textOf(short, style))?.toLowerCase()).toBe(expected.toLowerCase())
  })

  it('orders as the style does, each entry under the id of its work', async () => {
    const list = await formatBibliography([article, preprint], { style: 'apa' })
    expect(list.map(({ id }) => id)).toEqual(['attention', 'study'])
    const numbered = await formatBibliography([article, preprint], { style: 'ieee' })
    expect(numbered.map(({ id }) => id)).toEqual(['study', 'attention'])
  })

  describe('with numbers that works have already', () => {
    const list = async (style: string) =>
      (await formatBibliography([preprint, article], { style, numbers: [6, 2] })).map(
        ({ id, text }) => [id, text.slice(0, 9)],
      )

    it('prints these and goes by them, where the style has numbers', async () => {
      expect(await list('ieee')).toEqual([
        ['study', '[2] J. Mü'],
        ['attention', '[6] A. Ad'],
      ])
      const inline = '<text variable="citation-number" suffix=". "/><text variable="title"/>'
      expect(await list(styleWith(inline))).toEqual([
        ['study', '2. A stud'],
        ['attention', '6. Attent'],
      ])
      const down = '<sort><key variable="citation-number" sort="descending"/></sort>'
      expect(await list(styleWith(inline, down))).toEqual([
        ['study', '2. A stud'],
        ['attention', '6. Attent'],
      ])
    })

    it('does without, where it has none', async () => {
      expect(await list('apa')).toEqual([
        ['attention', 'Adams, A.'],
        ['study', 'Müller, J'],
      ])
    })

    it('refuses numbers for other works', async () => {
      const numbered = formatBibliography([article], { style: 'ieee', numbers: [1, 2] })
      await expect(numbered).rejects.toThrow('2 numbers for 1 works')
    })
  })

  it('keeps number and work on one line of HTML', async () => {
    expect(await textOf(article, 'ieee', 'html')).toMatch(
      /^<span class="csl-left-margin">\[1\]<\/span> <span class="csl-right-inline">J\. Müller.*<\/span>$/,
    )
  })

  it('tells works of one author and year apart, also under one id or an odd one', async () => {
    const works = ['Alpha', 'Beta', 'Gamma'].map((title, index) => ({
      ...preprint,
      id: index === 2 ? '__proto__' : 'same',
      title,
    }))
    const list = await formatBibliography(works, { style: 'apa' })
    expect(list.map(({ id, text }) => [id, text.slice(0, 28)])).toEqual([
      ['same', 'Adams, A. (2017a). Alpha (ar'],
      ['same', 'Adams, A. (2017b). Beta (arX'],
      ['__proto__', 'Adams, A. (2017c). Gamma (ar'],
    ])
  })

  it('writes italics as HTML and Markdown, and addresses as links in Markdown', async () => {
    expect(await textOf(article, 'apa', 'html')).toContain('<i>Journal of Things</i>, <i>3</i>(2)')
    expect(await textOf(article, 'apa', 'markdown')).toContain(
      '*Journal of Things*, *3*(2), 1–9. <https://doi.org/10.1000/x_y>',
    )
  })

  it.each([
    ['apa', 'Adams, A., et al. (2017).', 'Adams, A., Berg, B., et al. (2017).'],
    ['chicago', 'Adams, Ann, et al. 2017.', 'Adams, Ann, Bo Berg, et al. 2017.'],
    ['ieee', '[1] A. Adams et al., “Att', '[1] A. Adams, B. Berg, et al., “Att'],
    ['apa-arxiv', 'Ann Adams et al. (2017).', 'Ann Adams, Bo Berg, et al. (2017).'],
  ])('says in %s that not all authors are named', async (style, afterOne, afterTwo) => {
    const [adams, berg] = [
      { family: 'Adams', given: 'Ann' },
      { family: 'Berg', given: 'Bo' },
    ]
    const of = (...author: readonly CslName[]) =>
      textOf({ ...preprint, author: [...author, { literal: 'others' }] }, style)
    expect((await of(adams))?.startsWith(afterOne)).toBe(true)
    expect((await of(adams, berg))?.startsWith(afterTwo)).toBe(true)
    const many = Array.from({ length: 25 }, (_, at) => ({ family: `F${at}`, given: 'G' }))
    expect(await of(...many)).not.toMatch(/others|\p{Co}|et al\.\.|et al.*et al/u)
  })

  it('names the archive of a preprint once', async () => {
    const archived = { ...preprint, archive: 'arXiv', archive_collection: 'cs.CL' }
    expect(await textOf(archived, 'apa')).toBe(
      'Adams, A. (2017). Attention for all (arXiv:1706.03762v5). arXiv. https://arxiv.org/abs/1706.03762',
    )
    const published = { ...article, archive: 'arXiv', archive_location: 'arXiv:1706.03762' }
    expect(await textOf(published, 'apa')).toBe(await textOf(article, 'apa'))
  })

  it('keeps the meaning of raised numbers in plain text', async () => {
    const item = { ...article, title: 'About 10<sup>6</sup> and H<sub>2</sub>O' }
    expect(await textOf(item, 'apa')).toContain('About 10⁶ and H₂O')
    expect(await textOf(item, 'apa', 'html')).toContain('10<sup>6</sup>')
  })

  it('keeps a work of which the style prints nothing', async () => {
    const bare: CslItem = { id: 'bare', type: 'webpage', URL: 'https://example.org/' }
    const style = styleWith('<text variable="title"/>')
    const list = await formatBibliography([bare, article], { style })
    expect(list.map(({ id }) => id)).toEqual(['study', 'bare'])
    expect(list[1]?.text).toBe('https://example.org/')
  })

  it('takes the text of a style', async () => {
    const style = styleWith('<names variable="author"/><text variable="title" prefix=": "/>')
    expect(await textOf(article, style)).toBe(
      'Jörg Müller, Jane B. Doe: A study of things: the first part',
    )
  })

  it('gives an empty list for no works', async () => {
    expect(await formatBibliography([], { style: 'apa' })).toEqual([])
  })
})

describe('the one-line form for preprints', () => {
  const names = ['Ann Adams', 'Bo Berg', 'Cy Cole']
  const of = (count: number): CslItem => ({
    ...preprint,
    author: names.slice(0, count).map((literal) => ({ literal })),
  })

  it.each([
    [1, 'Ann Adams. (2017). Attention for all.'],
    [2, 'Ann Adams & Bo Berg. (2017). Attention for all.'],
    [3, 'Ann Adams, Bo Berg, & Cy Cole. (2017). Attention for all.'],
    [0, '(2017). Attention for all.'],
  ])('names %s authors', async (count, start) => {
    expect(await textOf(of(count), 'apa-arxiv')).toBe(
      `${start} arXiv:1706.03762v5. https://arxiv.org/abs/1706.03762`,
    )
  })

  it('says n.d. without a year, and makes the address of the id', async () => {
    const { issued: _, URL: __, ...undated } = of(1)
    expect(await textOf(undated, 'apa-arxiv')).toBe(
      'Ann Adams. (n.d.). Attention for all. arXiv:1706.03762v5. https://arxiv.org/abs/1706.03762v5',
    )
  })
})

describe('text that would be markup', () => {
  const nasty =
    '<script>alert(1)</script> <img src=x onerror=alert(1)> <a href="javascript:x">y</a> \u001b[31m & "q"'
  const item: CslItem = { ...article, title: nasty, 'container-title': nasty, DOI: nasty }

  it.each(['ieee', 'apa-arxiv'])('stays text in %s', async (style) => {
    for (const format of ['text', 'html', 'markdown'] as const) {
      const text = (await textOf(item, style, format)) ?? ''
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      if (format === 'html') expect(text).not.toMatch(/<(?:script|img|a)\b/i)
      if (format === 'markdown') expect(text).not.toMatch(/(?<!\\)<(?:script|img|a)\b/i)
    }
  })

  it('does not let tags of rich text loose', async () => {
    const open = { ...article, title: '</div></i><i>never <b>closed', 'container-title': '</span>' }
    const html = (await textOf(open, 'ieee', 'html')) ?? ''
    const depth = [...html.matchAll(/<(\/?)[a-z]+[^>]*>/g)].reduce((sum, [, closing]) => {
      const next = sum + (closing === '/' ? -1 : 1)
      expect(next).toBeGreaterThanOrEqual(0)
      return next
    }, 0)
    expect(depth).toBe(0)
  })
})

describe.skipIf(!process.env.SCHOLIUM_DATA)('nasty text (needs SCHOLIUM_DATA)', () => {
  it('stays text in a reference', async () => {
    const lines = nastyLines(join(process.env.SCHOLIUM_DATA ?? '', '07-adversarial'))
    expect(lines.length).toBeGreaterThan(100)
    const items = lines.map((title, index): CslItem => ({ ...article, id: String(index), title }))
    const style = styleWith('<text variable="title"/><text variable="DOI" prefix=" "/>')
    for (const { text } of await formatBibliography(items, { style, format: 'html' })) {
      const tags = text.match(/<[^>]*>?/g) ?? []
      expect(
        tags.filter((tag) => !/^<\/?(?:i|b|sup|sub|span|div)\b[a-z:;="\s-]*>$/.test(tag)),
      ).toEqual([])
      expect(text).not.toMatch(/\p{Cc}/u)
    }
  })
})

/** Lines of the smaller text files, each cut to what a title may be. */
function nastyLines(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.(?:txt|json|md)$/.test(path) && statSync(path).size < 200_000)
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, 150))
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, 300))
    .slice(0, 1500)
}

function styleWith(layout: string, sort = ''): string {
  return `<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0">
    <info><id>x</id><title>x</title></info>
    <citation><layout><text variable="title"/></layout></citation>
    <bibliography>${sort}<layout>${layout}</layout></bibliography></style>`
}
