import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { parseBibtex } from './parse-bibtex.ts'

async function only(text: string) {
  const { items, refused } = await parseBibtex(text)
  expect(refused).toEqual([])
  expect(items).toHaveLength(1)
  return items[0]
}

describe('parseBibtex', () => {
  it('reads an article with TeX in it', async () => {
    const item = await only(`@Article{muller2020,
      author = {M{\\"u}ller, J{\\"o}rg and van den Berg, Jan and {World Health Organization}},
      title = "The {DNA} of 50\\% \\& more: \\textit{in vivo} H$_2$O",
      journal = {Things \\& Co}, year = 2020, month = mar, volume = {3}, number = {2},
      pages = {1--9}, doi = {https://doi.org/10.1000/x\\_y},
    }`)
    expect(item).toEqual({
      id: 'muller2020',
      'citation-key': 'muller2020',
      type: 'article-journal',
      author: [
        { family: 'Müller', given: 'Jörg' },
        { family: 'Berg', given: 'Jan', 'non-dropping-particle': 'van den' },
        { literal: 'World Health Organization' },
      ],
      title: 'The DNA of 50% & more: <i>in vivo</i> H₂O',
      'container-title': 'Things & Co',
      issued: { 'date-parts': [[2020, 3]] },
      volume: '3',
      issue: '2',
      page: '1-9',
      DOI: '10.1000/x_y',
    })
  })

  it('knows a preprint by its eprint', async () => {
    const item = await only('@misc{v, title={T}, eprint={1706.03762v5}, archivePrefix={arXiv}}')
    expect(item).toMatchObject({
      type: 'article',
      number: 'arXiv:1706.03762v5',
      publisher: 'arXiv',
    })
  })

  it('joins names and values, in either quotes, brackets or case', async () => {
    const { items } = await parseBibtex(
      '@STRING(pub = "A" # " & B")\n@Book(k, Title = {x} # " y", publisher = PUB, year = 1999)',
    )
    expect(items[0]).toMatchObject({ title: 'x y', publisher: 'A & B' })
  })

  it.each(['mar', 'March', '3', '{3}', '"march"'])('reads the month %s', async (month) => {
    const item = await only(`@book{k, title={T}, year=1999, month=${month}}`)
    expect(item?.issued).toEqual({ 'date-parts': [[1999, 3]] })
  })

  it('takes what is missing from the entry referred to, even one that comes later', async () => {
    const { items } = await parseBibtex(
      '@inproceedings{a, title={Talk}, crossref={p}}\n@proceedings{p, title={Proc}, year={2001}}',
    )
    expect(items[0]).toMatchObject({
      title: 'Talk',
      'container-title': 'Proc',
      issued: { 'date-parts': [[2001]] },
    })
  })

  it('keeps several publishers, additions to titles and states', async () => {
    const item = await only(
      '@book{k, title={T}, titleaddon={Audiobook}, publisher={A and B}, pubstate={inpress}}',
    )
    expect(item).toMatchObject({ publisher: 'A; B', genre: 'Audiobook', status: 'in press' })
  })

  it('takes the day of a talk, and a magazine for one', async () => {
    const { items } = await parseBibtex(
      '@inproceedings{a, title={T}, eventdate={2018-07-12/2018-07-15}}\n@article{b, title={T}, journaltitle={J}, entrysubtype={magazine}, date={2019-01-03}}',
    )
    expect(items[0]?.issued).toEqual({
      'date-parts': [
        [2018, 7, 12],
        [2018, 7, 15],
      ],
    })
    expect(items[1]).toMatchObject({ type: 'article-magazine' })
    expect(items[1]).not.toHaveProperty('genre')
  })

  it.each(['{10.1/abc}', '{https://doi.org/10.1/abc}', '\\url{10.1/abc}', '{10.1/a{b}c}'])(
    'takes the braces off the DOI %s',
    async (doi) => {
      expect(await only(`@article{k, title={T}, doi={${doi}}}`)).toMatchObject({ DOI: '10.1/abc' })
    },
  )

  it('takes braces and TeX off addresses and numbers of archives', async () => {
    const item = await only(
      '@online{k, title={T}, url={\\url{https://a.example/{\\~{}}b\\_c}}, eprint={{2101.00001}}, archiveprefix={{arXiv}}}',
    )
    expect(item).toMatchObject({ URL: 'https://a.example/~b_c', number: 'arXiv:2101.00001' })
  })

  it('reads commands by what they print, and leaves the unknown ones out', async () => {
    const title =
      '\\LaTeX{} and \\TeX\\ at \\AA: a\\slash b, $\\langle x\\rangle \\leq \\frac{1}{2}$ \\overline{y} \\foo{z} \\textcolor{red}{w}\\-v \\& \\"u'
    expect(await only(`@book{k, title={${title}}}`)).toMatchObject({
      title: 'LaTeX and TeX at Å: a/b, ⟨x⟩ ≤ 1/2 y z wv & ü',
    })
    expect(await only('@book{k, title={T}, year={\\noopsort{1973}1981}}')).toMatchObject({
      issued: { 'date-parts': [[1981]] },
    })
  })

  it.each(['others', 'et al.'])('knows that "and %s" is no person', async (words) => {
    const item = await only(`@book{k, title={T}, author={Doe, Jane and ${words}}}`)
    expect(item?.author).toEqual([{ family: 'Doe', given: 'Jane' }, { literal: 'others' }])
  })

  it('keeps all of a name that has too many commas, and says so', async () => {
    const { items, refused, notes } = await parseBibtex(
      '@book{k, title={T}, author={Doe, J., Roe, R., {Coe, C. and Sons} and Fox, Ann}}',
    )
    expect(items[0]?.author).toEqual([
      { literal: 'Doe, J., Roe, R., Coe, C. and Sons' },
      { family: 'Fox', given: 'Ann' },
    ])
    expect(refused).toEqual([])
    expect(notes).toMatchObject([{ key: 'k', field: 'author', line: 1 }])
  })

  it('keeps names that are defined nowhere, and says so', async () => {
    const { items, refused, notes } = await parseBibtex(
      '@string{x = AIJ}\n@article{k, title={T}, journal = AIJ # " B"}\n@article{l, title={T}, journal = x}',
    )
    expect(items.map((item) => item['container-title'])).toEqual(['AIJ B', 'AIJ'])
    expect(refused).toEqual([])
    const text = 'the name "AIJ" is not defined and was kept unchanged'
    expect(notes).toEqual([
      { line: 1, text },
      { key: 'k', field: 'journal', line: 2, text },
    ])
  })

  it.each([
    'journal={arXiv preprint arXiv:2101.00001}, eprint={2101.00001}, archiveprefix={arXiv}',
    'journal={CoRR}, volume={abs/2101.00001}, eprint={2101.00001}, eprinttype={arXiv}',
    'journal={arXiv preprint}, number={arXiv:2101.00001}',
  ])('knows a preprint among articles by %s', async (fields) => {
    const item = await only(`@article{k, title={T}, ${fields}}`)
    expect(item).toMatchObject({ type: 'article', number: 'arXiv:2101.00001', publisher: 'arXiv' })
    expect(item).not.toHaveProperty('container-title')
    expect(item).not.toHaveProperty('volume')
    expect(item).not.toHaveProperty('issue')
  })

  it('takes the number in an archive for the second place of what a journal has', async () => {
    const item = await only(
      '@article{k, title={T}, journal={J}, number={3}, eprint={2101.00001}, eprinttype={arxiv}}',
    )
    expect(item).toMatchObject({
      type: 'article-journal',
      'container-title': 'J',
      issue: '3',
      archive_location: 'arXiv:2101.00001',
    })
    expect(item).not.toHaveProperty('number')
  })

  it('leaves comments out, of every form', async () => {
    const item = await only(
      '% @book{no1, title={x}}\n@comment{ @book{no2, title={x}} }\n me@example.org {x}\n@preamble{"x"}\n@book{yes, % said\n title={x}}',
    )
    expect(item?.id).toBe('yes')
  })
})

describe('what cannot be read', () => {
  it('costs one entry and no other, and is named with its line', async () => {
    const { items, refused } = await parseBibtex(
      [
        '@book{a, title={One}}',
        '@book{b, title={Never closed, year=2000}',
        '@book{c, title={Three}}',
        '@book{title = {Four}}',
        '@book{e, title "x"}',
        '@book{a, title={Again}}',
        '@book{f}',
        '@book{g, title={Seven}}',
      ].join('\n'),
    )
    expect(items.map(({ id }) => id)).toEqual(['a', 'c', 'line-4', 'g'])
    expect(refused.map(({ key, line }) => [key, line])).toEqual([
      ['b', 2],
      ['e', 5],
      ['a', 6],
      ['f', 7],
    ])
    expect(refused[0]?.reason).toBe('the entry is not closed')
    expect(refused[2]?.reason).toBe('the key is already used by the entry on line 1')
  })

  it('costs a field where only that is at fault', async () => {
    const { items, refused } = await parseBibtex(
      '@article{a, title={Fine}, journal={J},\n abstract={a $ sign}, year={2001}}',
    )
    expect(items[0]).toMatchObject({ title: 'Fine', issued: { 'date-parts': [[2001]] } })
    expect(refused.map(({ key, field }) => [key, field])).toEqual([['a', 'abstract']])
  })

  it('ends at the next entry, where a brace is lost within a value', async () => {
    const { items, refused } = await parseBibtex(
      '@book{a, title={Lost, year={2000}\n@book{b, title={Two}}\n@book{c, title="Open}\n}\n @book{d, title={Four}}',
    )
    expect(items.map(({ id }) => id)).toEqual(['b', 'd'])
    expect(refused).toEqual([
      { key: 'a', reason: 'a brace is not closed', line: 1 },
      { key: 'c', reason: 'a quotation mark is not closed', line: 3 },
    ])
  })

  it('is a list of names too long', async () => {
    const { items, refused } = await parseBibtex(
      `@a{b, author={${'x '.repeat(11_000)}}, title={T}}`,
    )
    expect(items[0]?.title).toBe('T')
    expect(refused).toMatchObject([{ key: 'b', field: 'author' }])
  })

  it('is a file too large', async () => {
    await expect(parseBibtex(' '.repeat(10_000_001))).rejects.toThrow('10000000')
  })

  it.each<[string, string]>([
    ['braces in braces', `@a{b, title={${'{'.repeat(40_000)}${'}'.repeat(40_000)}}}`],
    ['accents on accents', `@a{b, title={${'\\"'.repeat(40_000)}}}`],
    ['many names', `@a{b, author={${'x '.repeat(49_000)}}}`],
    ['open entries', '@a{b,c={\n'.repeat(50_000)],
    ['one open entry', '@a{b,c={'.repeat(50_000)],
    ['open comments', '@comment{\n'.repeat(50_000)],
    ['spaces', `@a{b, t = x${' '.repeat(500_000)}y`],
    ['percent signs', `@a{b, t = x ${'%'.repeat(500_000)}`],
    ['at signs', '@'.repeat(500_000)],
    ['spaces in names', `@a{b, author={a,b,c,d${' '.repeat(19_000)}x}}`.repeat(40)],
    ['commands', `@a{b, t={${'\\frac{'.repeat(15_000)}${'}'.repeat(15_000)}}}`],
    [
      'names that double',
      `@string{a0="xxxxxxxxxx"}${Array.from({ length: 60 }, (_, i) => `@string{a${i + 1}=a${i} # a${i}}`).join('')}@a{b,title=a60}`,
    ],
    [
      'entries in a circle',
      Array.from({ length: 500 }, (_, i) => `@a{k${i}, crossref={k${(i + 1) % 500}}, t={x}}`).join(
        '',
      ),
    ],
    [
      'names of objects',
      '@a{__proto__, __proto__={x}, constructor={y}, crossref={__proto__}}@a{constructor,title={q},crossref={toString}}',
    ],
  ])('ends with %s', async (_what, text) => {
    const { items, refused } = await parseBibtex(text)
    expect(JSON.stringify({ items, refused }).length).toBeLessThan(20_000_000)
    expect(Object.prototype).not.toHaveProperty('x')
  })
})

describe('what is no BibTeX', () => {
  it('is not guessed at, and no address is fetched', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer(({ url }, answer) => {
      asked.push(url)
      answer.end('@book{fetched, title={x}}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.bib`
    try {
      for (const text of [
        address,
        ` ${address}\n`,
        `["${address}"]`,
        `{"url":"${address}"}`,
        '10.1000/xyz',
        'Q42',
        `@${address}`,
      ]) {
        expect(await parseBibtex(text)).toEqual({ items: [], refused: [], notes: [] })
      }
      await parseBibtex(
        `@misc{a, title={x}, url={${address}}, doi={${address}}, file={${address}}}`,
      )
      expect(asked).toEqual([])
      await fetch(address)
      expect(asked).toEqual(['/x.bib'])
    } finally {
      server.close()
    }
  })
})
