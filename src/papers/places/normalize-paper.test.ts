import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Source, SourceId } from '../../citations/source.ts'
import type { Paper } from '../paper.ts'
import {
  normalizePaper,
  normalizePapers,
  paperFromSource,
  paperFromWork,
  parseAuthors,
  parseDate,
} from './normalize-paper.ts'

const whole = {
  id: '2401.00011v2',
  title: 'Block Sparse\n  Attention',
  authors: ['Ada Quill', 'Bruno Hatherley'],
  abstract: 'We study\u0000 attention.',
  published: '2024-01-05T12:00:00Z',
  categories: ['cs.CL', 'cs.LG'],
  doi: 'https://doi.org/10.1000/ABC',
  pdf_url: 'http://arxiv.org/pdf/2401.00011v2',
}

describe('normalisePaper', () => {
  it('reads a whole record', () => {
    expect(normalizePaper(whole, 'arXiv')).toMatchObject({
      id: 'arxiv:2401.00011',
      title: 'Block Sparse Attention',
      authors: ['Ada Quill', 'Bruno Hatherley'],
      abstract: 'We study attention.',
      published: '2024-01-05',
      categories: ['cs.CL', 'cs.LG'],
      arxivId: '2401.00011v2',
      doi: '10.1000/abc',
      pdfUrl: 'https://arxiv.org/pdf/2401.00011v2',
      url: 'https://arxiv.org/abs/2401.00011v2',
      foundBy: ['arXiv'],
      csl: {
        title: 'Block Sparse Attention',
        issued: { 'date-parts': [[2024, 1, 5]] },
        author: [
          { family: 'Quill', given: 'Ada' },
          { family: 'Hatherley', given: 'Bruno' },
        ],
      },
    })
  })

  it.each([
    [{ ...whole, id: 'http://arxiv.org/abs/2401.00011v2' }, '2401.00011v2'],
    [{ ...whole, id: undefined, entry_id: 'https://arxiv.org/abs/math/0309136' }, 'math/0309136'],
    [{ ...whole, id: 'arXiv:2401.00011' }, '2401.00011'],
    [{ ...whole, id: '7', url: 'https://arxiv.org/pdf/2401.00011v3.pdf' }, '2401.00011v3'],
    [{ ...whole, id: undefined, pdf_url: 'https://arxiv.org/pdf/2401.00011v1' }, '2401.00011v1'],
    [{ title: 'T', arxiv_id: 'quant-ph/0201082v1' }, 'quant-ph/0201082v1'],
    [{ title: 'T', doi: '10.48550/arXiv.2401.00011' }, '2401.00011'],
  ])('finds the id in %j', (entry, arxivId) => {
    expect(normalizePaper(entry, 'x')?.arxivId).toBe(arxivId)
  })

  it('gives arXiv’s own address where no PDF is linked', () => {
    for (const pdf_url of [null, '', undefined, 'javascript:alert(1)', 7]) {
      const paper = normalizePaper({ ...whole, pdf_url }, 'x')
      expect(paper?.pdfUrl).toBe('https://arxiv.org/pdf/2401.00011v2')
    }
    const links = [{ href: 'https://mirror.test/a.pdf', type: 'application/pdf' }]
    expect(normalizePaper({ ...whole, pdf_url: null, links }, 'x')?.pdfUrl).toBe(
      'https://mirror.test/a.pdf',
    )
  })

  it('reads summary for abstract, and categories in a text', () => {
    const { abstract: _, categories: __, ...rest } = whole
    const entry = { ...rest, summary: 'Short.', categories: "['cs.AI', 'stat.ML']" }
    expect(normalizePaper(entry, 'x')).toMatchObject({
      abstract: 'Short.',
      categories: ['cs.AI', 'stat.ML'],
    })
  })

  it('knows a work by its DOI where arXiv does not know it', () => {
    const paper = normalizePaper({ title: 'T', doi: 'doi:10.1000/X.1' }, 'x')
    expect(paper).toMatchObject({ id: 'doi:10.1000/x.1' })
    expect(paper).not.toHaveProperty('pdfUrl')
  })

  it('leaves out and counts what is no paper', () => {
    const entries = [null, 'text', [], {}, { title: 'No id' }, { id: '2401.00011' }, whole]
    const { papers, leftOut } = normalizePapers(entries, 'x')
    expect([papers.length, leftOut]).toEqual([1, 6])
  })

  it('takes no count below nothing, and none that JSON would change', () => {
    const counted = (citationCount: unknown) => normalizePaper({ ...whole, citationCount }, 'x')
    expect(counted('-0')).toHaveProperty('citationCount', 0)
    expect(counted(-1)).not.toHaveProperty('citationCount')
  })

  it('makes a paper of anything or nothing, and never throws', () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const paper = normalizePaper(entry, 'x')
        if (paper !== undefined) expectPaper(paper)
      }),
      { numRuns: 3_000 },
    )
  })

  it('gives the same for the same record whatever the order of its fields', () => {
    const names = Object.keys(whole) as (keyof typeof whole)[]
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (order) => {
        const entry = Object.fromEntries(order.map((name) => [name, whole[name]]))
        expect(normalizePaper(entry, 'x')).toEqual(normalizePaper(whole, 'x'))
      }),
    )
  })
})

/** Records with the fields that are read, holding whatever there is. */
const anyEntry = fc.oneof(
  fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }),
  fc.record(
    {
      title: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      authors: fc.oneof(
        fc.string(),
        fc.array(fc.anything()),
        fc.dictionary(fc.string(), fc.anything()),
      ),
      author: fc.anything(),
      id: fc.oneof(
        fc.constantFrom('2401.00011', 'http://arxiv.org/abs/2401.00011v9'),
        fc.anything(),
      ),
      entry_id: fc.oneof(fc.webUrl(), fc.anything()),
      abstract: fc.anything(),
      summary: fc.string({ unit: 'binary' }),
      published: fc.oneof(fc.date({ noInvalidDate: false }), fc.double(), fc.string()),
      year: fc.anything(),
      categories: fc.oneof(fc.string(), fc.array(fc.anything())),
      doi: fc.oneof(fc.constant('10.1000/a b'), fc.string()),
      pdf_url: fc.oneof(
        fc.webUrl(),
        fc.constantFrom('file:///etc/passwd', 'javascript:0'),
        fc.anything(),
      ),
      links: fc.array(fc.anything()),
      citationCount: fc.anything(),
    },
    { requiredKeys: [] },
  ),
)

/** What the rest of the program relies on. */
function expectPaper(paper: Paper): void {
  expect(JSON.parse(JSON.stringify(paper))).toEqual(paper)
  expect(paper.id).toMatch(/^(?:arxiv|doi):\S/)
  expect(paper.title.trim()).not.toBe('')
  expect(`${paper.title}${paper.abstract}${paper.authors.join('')}`).not.toMatch(/\p{Cc}/u)
  expect(paper.published).toMatch(/^(?:\d{4}(?:-\d\d(?:-\d\d)?)?)?$/)
  for (const url of [paper.url, paper.pdfUrl]) {
    if (url !== undefined) expect(url).toMatch(/^https?:\/\//)
  }
}

describe('papers of look-ups and of the library', () => {
  it('are known by the service’s own id where there is no other', () => {
    const record = { source: 'openalex', item: { id: 'W7', type: 'article', title: 'T' } } as const
    expect(paperFromWork({ record, sourceId: 'W7' }, 'OpenAlex')?.id).toBe('openalex:W7')
    const other = { ...record, source: 'semantic-scholar' } as const
    expect(paperFromWork({ record: other, sourceId: 'ab' }, 'S2')?.id).toBe('s2:ab')
    expect(paperFromWork({ record }, 'OpenAlex')).toBeUndefined()
  })

  it('have their source and their file, and nothing to fetch', () => {
    const id = 'a'.repeat(64) as SourceId
    const csl = { id, type: 'article', title: '', number: 'arXiv:2401.00011v2' }
    const source: Source = { id, kind: 'pdf', title: 'My file', path: '/x.pdf', sizeBytes: 1, csl }
    const paper = paperFromSource(source, 'library')
    expect(paper).toMatchObject({
      id: 'arxiv:2401.00011',
      title: 'My file',
      path: '/x.pdf',
      sourceId: id,
    })
    expect(paper).not.toHaveProperty('pdfUrl')
    const { number: _, ...unknown } = csl
    expect(paperFromSource({ ...source, csl: unknown }, 'library').id).toBe(
      `file:${'a'.repeat(16)}`,
    )
  })
})

describe('authorNames', () => {
  it.each([
    [
      ['Ada Quill', 'Bruno Hatherley'],
      ['Ada Quill', 'Bruno Hatherley'],
    ],
    [
      [{ name: 'Ada Quill' }, { name: null }, { family: 'Hatherley', given: 'Bruno' }],
      ['Ada Quill', 'Bruno Hatherley'],
    ],
    [{ name: 'Ada Quill', affiliation: 'X' }, ['Ada Quill']],
    [{ 0: 'Ada Quill', 1: { name: 'Bruno Hatherley' } }, ['Ada Quill', 'Bruno Hatherley']],
    ['Ada Quill', ['Ada Quill']],
    ['Ada Quill, Bruno Hatherley and Carla Osei', ['Ada Quill', 'Bruno Hatherley', 'Carla Osei']],
    ['Ada Quill, Bruno Hatherley, and Carla Osei', ['Ada Quill', 'Bruno Hatherley', 'Carla Osei']],
    ['Quill, Ada and Hatherley, Bruno', ['Ada Quill', 'Bruno Hatherley']],
    ['Quill, Ada; Hatherley, Bruno', ['Ada Quill', 'Bruno Hatherley']],
    ['Quill, A., Hatherley, B. C.', ['A. Quill', 'B. C. Hatherley']],
    ['Ada Quill et al.', ['Ada Quill et al.']],
    ['Ada Quill, et al.', ['Ada Quill']],
    ['["Ada Quill", "Bruno Hatherley"]', ['Ada Quill', 'Bruno Hatherley']],
    ["['Ada Quill', \"Bruno O'Hatherley\"]", ['Ada Quill', "Bruno O'Hatherley"]],
    [['Quill, Ada'], ['Ada Quill']],
    [
      ['van den Berg, Jan', 'Plato'],
      ['Jan van den Berg', 'Plato'],
    ],
    [undefined, []],
    [7, []],
    ['', []],
    [[1, null, '', {}], []],
  ])('reads %j', (value, names) => {
    expect(parseAuthors(value)).toEqual(names)
  })

  it('never throws, and gives lines of text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), (value) => {
        for (const name of parseAuthors(value)) expect(name).toMatch(/^[^\p{Cc}]+$/u)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('paperDate', () => {
  it.each([
    ['2024-01-05T12:00:00Z', '2024-01-05'],
    ['2024-01-05', '2024-01-05'],
    ['2024/1/5', '2024-01-05'],
    ['2024-01', '2024-01'],
    ['2024', '2024'],
    [2024, '2024'],
    ['2024-02-30', '2024-02'],
    ['2023-02-29', '2023-02'],
    ['2024-13-01', '2024'],
    ['5 January 2024', '2024-01-05'],
    ['Jan 5, 2024', '2024-01-05'],
    ['January 2024', '2024-01'],
    ['Fri, 05 Jan 2024 12:00:00 GMT', '2024-01-05'],
    ['Monday, March 4th, 2019', '2019-03-04'],
    [1_704_456_000, '2024-01-05'],
    [1_704_456_000_000, '2024-01-05'],
    ['1704456000', '2024-01-05'],
    [{ year: 2024, month: 1 }, '2024-01'],
    ['some day', ''],
    ['0000-00-00', ''],
    ['20240105', ''],
    [null, ''],
    [Number.NaN, ''],
    [-1, ''],
    [[], ''],
  ])('reads %j', (value, date) => {
    expect(parseDate(value)).toBe(date)
  })

  it('gives a date or nothing', () => {
    const values = fc.oneof(
      fc.anything(),
      fc.double(),
      fc.stringMatching(/^[\dTZ:\-/ ,a-z]{0,25}$/),
    )
    fc.assert(
      fc.property(values, (value) => {
        const date = parseDate(value)
        if (date.length === 10) expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
        else expect(date).toMatch(/^(?:\d{4}(?:-\d\d)?)?$/)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads every day as ISO writes it', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true }),
        (day) => {
          expect(parseDate(day.toISOString())).toBe(day.toISOString().slice(0, 10))
        },
      ),
    )
  })
})
