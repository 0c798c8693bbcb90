import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CslItem } from '../citations/source.ts'
import { citationKeys } from './citation-keys.ts'
import { parseBibtex } from './parse-bibtex.ts'
import { toBibtex } from './write-bibtex.ts'

const work: CslItem = {
  id: '1',
  type: 'article-journal',
  title:
    'The 50% rule & C# in_the {wild}: DNA "x" \\alpha ~ ^ $5 -- a `` \'\' of <i>Homo sapiens</i> H<sub>2</sub>O über Ω 中文',
  author: [
    { family: 'Müller', given: 'Jörg' },
    { family: 'Berg', given: 'Jan', 'non-dropping-particle': 'van den' },
    { literal: 'World Health Organization' },
    { literal: 'Marks and Spencer' },
    { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
    { family: 'de Souza', given: 'Ana' },
    { family: 'O’Neil, X', given: 'a b' },
  ],
  issued: { 'date-parts': [[2020, 3, 5]] },
  'container-title': 'Things & Co',
  volume: '3',
  issue: '4',
  page: '1-9, 12-15',
  DOI: '10.1000/x_y%z#1',
  URL: 'https://a.example/c_d?e=%20&f=1',
}

async function roundTrip(item: CslItem): Promise<CslItem | undefined> {
  const { items, refused } = await parseBibtex(toBibtex([item]))
  expect(refused).toEqual([])
  return items[0]
}

describe('toBibtex', () => {
  it('writes what is read back as it was', async () => {
    const { id: _, ...rest } = work
    expect(await roundTrip(work)).toMatchObject(rest)
  })

  it('looks as people know it', () => {
    const item: CslItem = {
      id: 'x',
      type: 'paper-conference',
      title: 'Deep DNA reading with BERT',
      author: [{ family: 'Doe', given: 'Jane' }],
      issued: { 'date-parts': [[2019, 12]] },
      'container-title': 'Proceedings of X',
      page: '1–9',
    }
    expect(toBibtex([item])).toBe(
      [
        '@inproceedings{doe2019deep,',
        '  title = {Deep {DNA} reading with {BERT}},',
        '  author = {Doe, Jane},',
        '  year = {2019},',
        '  month = dec,',
        '  booktitle = {Proceedings of X},',
        '  pages = {1--9},',
        '}',
        '',
      ].join('\n'),
    )
  })

  it('says that not all are named as BibTeX does', () => {
    const author = [{ family: 'Doe', given: 'Jane' }, { literal: 'others' }]
    expect(toBibtex([{ id: 'x', type: 'book', author }])).toContain(
      'author = {Doe, Jane and others},',
    )
  })

  it('leaves names bare where BibTeX takes them as meant, so that it can shorten them', () => {
    const author = [
      { family: 'King', given: 'Martin Luther', suffix: 'Jr.' },
      { family: 'García Márquez', given: 'Gabriel' },
      { family: 'Sartre', given: 'Jean-Paul' },
      { family: 'de Souza', given: 'Ana' },
    ]
    expect(toBibtex([{ id: 'x', type: 'book', author }])).toContain(
      'author = {King, Jr., Martin Luther and García Márquez, Gabriel and Sartre, Jean-Paul and {de Souza}, Ana},',
    )
  })

  it.each<[string, Partial<CslItem>]>([
    ['book', { publisher: 'P', 'publisher-place': 'Q', edition: '2', ISBN: '9783161484100' }],
    [
      'chapter',
      { 'container-title': 'The Book', page: '5', editor: [{ family: 'E', given: 'F' }] },
    ],
    ['thesis', { publisher: 'MIT', genre: "Master's thesis" }],
    ['report', { publisher: 'NIST', number: 'TR-7' }],
    ['webpage', { URL: 'https://example.org/a', accessed: { 'date-parts': [[2024, 1, 2]] } }],
    ['article', { number: 'arXiv:1706.03762v5', publisher: 'arXiv', archive_collection: 'cs.CL' }],
    [
      'article-journal',
      { 'container-title': 'J', archive: 'arXiv', archive_location: 'arXiv:1706.03762v5' },
    ],
    [
      'report',
      { publisher: 'X', number: 'TR-7', archive: 'arXiv', archive_location: 'arXiv:1706.03762' },
    ],
    ['thesis', { publisher: 'MIT', genre: 'Habilitation' }],
    ['article-journal', { 'container-title': 'J', genre: 'Editorial' }],
    ['book', { author: [{ family: 'E', given: 'F' }, { literal: 'others' }] }],
    ['book', { editor: [{ family: 'E', given: 'F' }, { literal: 'others' }] }],
    ['article', { number: 'arXiv:hep-th/9901001', publisher: 'arXiv' }],
    [
      'article-journal',
      {
        issued: {
          'date-parts': [
            [2019, 12, 30],
            [2020, 1, 2],
          ],
        },
      },
    ],
    ['book', { issued: { literal: 'in press' } }],
    ['article-journal', { PMID: '123', PMCID: 'PMC456', DOI: '10.1000/1' }],
  ])('keeps a %s', async (type, parts) => {
    const item: CslItem = { id: 'k', 'citation-key': 'k', type, title: 'A title', ...parts }
    expect(await roundTrip(item)).toMatchObject(item)
  })

  it('keeps any title, name and container', async () => {
    const text = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .map((value) => value.replace(/[\p{Cc}\p{Z}]+/gu, ' ').trim())
      .filter((value) => value !== '' && !/<|>/.test(value) && value === value.normalize('NFC'))
    const signs = fc
      .array(fc.constantFrom(...'\\{}$&%#_~^-\'"`,=@ abcABéñ'), { minLength: 1, maxLength: 25 })
      .map((parts) => parts.join('').replace(/ +/g, ' ').trim())
      .filter((value) => value !== '')
    const word = fc.oneof(text, signs)
    const record = fc.record({ title: word, family: word, given: word, container: word })
    await fc.assert(
      fc.asyncProperty(record, async ({ title, family, given, container }) => {
        const item: CslItem = {
          id: 'k',
          type: 'article-journal',
          'citation-key': 'k',
          title,
          author: [{ family, given }, { literal: family }],
          'container-title': container,
          issued: { 'date-parts': [[2020]] },
        }
        expect(await roundTrip(item)).toEqual({ ...item, id: 'k' })
      }),
      { numRuns: 400 },
    )
  })
})

describe('citation keys', () => {
  const named = (id: string, title: string): CslItem => ({
    id,
    type: 'book',
    title,
    author: [{ family: 'Müller-Lüdenscheidt', given: 'A.' }],
    issued: { 'date-parts': [[2020]] },
  })

  it('are unique, and the same in any order', () => {
    const works = ['b', 'a', 'c'].map((id) => named(id, 'The Study: a thing'))
    const keys = citationKeys(works)
    expect(keys).toEqual([
      'mullerludenscheidt2020studya',
      'mullerludenscheidt2020study',
      'mullerludenscheidt2020studyb',
    ])
    expect(citationKeys([...works].reverse())).toEqual([...keys].reverse())
  })

  it('are those that works have, where BibTeX can read them', () => {
    const own = (id: string, key: string) => ({ ...named(id, 'Study'), 'citation-key': key })
    expect(
      citationKeys([
        own('1', 'Smith:99/a'),
        own('2', 'smith:99/a'),
        own('3', 'no key}'),
        own('4', ''),
      ]),
    ).toEqual([
      'Smith:99/a',
      'smith:99/aa',
      'mullerludenscheidt2020study',
      'mullerludenscheidt2020studya',
    ])
  })

  it('are there without author, year and title', () => {
    const bare = { id: 'x', type: 'book' }
    expect(citationKeys([bare, { ...bare, title: '中文' }])).toEqual(['ref', 'refa'])
  })
})
