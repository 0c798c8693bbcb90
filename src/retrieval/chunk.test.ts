import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Passage } from '../citations/source.ts'
import { sha256 } from '../kernel/json.ts'
import type { Document } from '../sources/document.ts'
import { isSignpost, splitPassages } from './chunk.ts'

const id = sha256('a source')

function documentOf(text: string, changes: Partial<Document> = {}): Document {
  return {
    contentHash: id,
    kind: 'text',
    sizeBytes: text.length,
    title: 'A title',
    text,
    pages: [],
    sections: [],
    csl: { id: 'a', type: 'document' },
    notes: [],
    ...changes,
  }
}

/** The offset, or the one before when it is inside a surrogate pair. */
const wholeCharacters = (text: string, offset: number) =>
  /^[\udc00-\udfff]/.test(text.slice(offset)) ? Math.max(0, offset - 1) : offset
const sentence = (words: number, mark: string) => `${`${mark} `.repeat(words - 1)}end.`
const wordCount = ({ text }: Passage) => text.split(/\s+/).length
const split = (document: Document) => splitPassages(document, id)

describe('splitPassages', () => {
  it('keeps a short text whole', () => {
    const [passage, ...others] = split(documentOf('  One. Two.\n\nThree.  \n'))
    expect(passage).toEqual({
      id: `${id.slice(0, 16)}:2-19`,
      sourceId: id,
      start: 2,
      end: 19,
      text: 'One. Two.\n\nThree.',
    })
    expect(others).toEqual([])
  })

  it('makes passages of 110 to 220 words that end with sentences', () => {
    const text = Array.from({ length: 60 }, (_, index) => sentence(20 + (index % 9), 'Word')).join(
      ' ',
    )
    const passages = split(documentOf(text))
    expect(passages.length).toBeGreaterThan(5)
    for (const passage of passages) {
      expect(wordCount(passage)).toBeGreaterThanOrEqual(110)
      expect(wordCount(passage)).toBeLessThanOrEqual(220)
      expect(passage.text).toMatch(/^Word.*end\.$/)
    }
  })

  it('keeps a table with its header and caption, above or below it', () => {
    const rows = 'Type Correct Wrong\n\nFirst of them all 94% 86%\n\nSecond of them 6% 14%'
    const before = sentence(180, 'Before')
    const after = sentence(180, 'After')
    for (const table of [`${rows}\n\nTable 2: How often.`, `Table 2: How often.\n\n${rows}`]) {
      const passages = split(documentOf(`${before}\n\n${table}\n\n${after}`))
      expect(passages.filter(({ text }) => text.includes(table))).toHaveLength(1)
    }
  })

  it('makes ticks of charts passages of their own, of which nothing is indexed', () => {
    const ticks = '0\n\n5\n\n10\n\n15\n\n20\n\n25\n\n30'
    const text = `${sentence(20, 'Before')}\n\n${ticks}\n\nFigure 3: Rates.\n\n${sentence(20, 'After')}`
    const passages = split(documentOf(text, { kind: 'pdf' }))
    expect(passages.map((passage) => isSignpost(passage))).toEqual([false, true, false])
    expect(passages[1]?.text).toBe(ticks)
    expect(split(documentOf(text))).toHaveLength(1)
  })

  it('ends with a paragraph where one is near', () => {
    const paragraph = (count: number, mark: string) =>
      Array(count).fill(sentence(20, mark)).join(' ')
    const text = [paragraph(5, 'A'), paragraph(5, 'B'), paragraph(3, 'C')].join('\n\n')
    const marks = split(documentOf(text)).map((passage) => new Set(passage.text.match(/[A-C]/g)))
    expect(marks).toEqual([new Set('A'), new Set('BC')])
  })

  it('makes no passage too long where sentences are', () => {
    const text = [150, 100, 170, 219, 3].map((words) => sentence(words, 'Word')).join(' ')
    const counts = split(documentOf(text)).map(wordCount)
    expect(Math.max(...counts)).toBeLessThanOrEqual(220)
    expect(counts.reduce((sum, count) => sum + count)).toBe(642)
  })

  it('lets no passage cross a page or a heading, and says where each is', () => {
    const text = 'Before.\n# One\nFirst page. Still one\nSecond page.\n# Two\nMore.'
    const at = (words: string) => text.indexOf(words)
    const passages = split(
      documentOf(text, {
        pages: [
          { start: 0, end: at('Second') },
          { start: at('Second'), end: text.length },
        ],
        sections: [
          { title: 'One', level: 1, start: at('# One') },
          { title: 'Two', level: 1, start: at('# Two') },
        ],
      }),
    )
    expect(passages.map(({ text, page, section }) => [text, page, section])).toEqual([
      ['Before.', 1, undefined],
      ['# One\nFirst page. Still one', 1, 'One'],
      ['Second page.', 2, 'One'],
      ['# Two\nMore.', 2, 'Two'],
    ])
  })

  it('keeps the numbers of pages that have no text', () => {
    const pages = [
      { start: 0, end: 3 },
      { start: 3, end: 3 },
      { start: 3, end: 6 },
    ]
    expect(split(documentOf('one two', { pages })).map(({ page }) => page)).toEqual([
      1,
      3,
      undefined,
    ])
  })

  it('gives no page to what stands between pages', () => {
    const pages = [
      { start: 4, end: 8 },
      { start: 12, end: 16 },
    ]
    const passages = split(documentOf('out one out two', { pages }))
    expect(passages.map(({ text, page }) => [text, page])).toEqual([
      ['out', undefined],
      ['one', 1],
      ['out', undefined],
      ['two', 2],
    ])
  })

  it('cuts what has no sentences or no spaces', () => {
    const lines = [sentence(900, 'word').replace('.', ''), 'x'.repeat(20_000), '好'.repeat(3_000)]
    for (const passage of split(documentOf(lines.join('\n\n')))) {
      expect(wordCount(passage)).toBeLessThanOrEqual(220)
      expect(passage.text.length).toBeLessThanOrEqual(220 * 24)
    }
  })

  it('gives exact slices in order that leave out white space only, for any text, pages and headings', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'word ',
        'Sentence. ',
        '\n\n',
        '\n',
        'x'.repeat(600),
        '好'.repeat(300),
        '😀'.repeat(400),
      ),
      fc.string({ unit: 'binary' }),
    )
    const texts = fc.array(piece, { maxLength: 300 }).map((pieces) => pieces.join(''))
    const offsets = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })
    fc.assert(
      fc.property(texts, offsets, offsets, (text, pageShares, sectionShares) => {
        const at = (shares: readonly number[]) =>
          shares
            .map((share) => wholeCharacters(text, Math.floor(share * text.length)))
            .sort((left, right) => left - right)
        const breaks = at(pageShares)
        const pages = breaks.map((start, index) => ({
          start,
          end: breaks[index + 1] ?? text.length,
        }))
        const sections = at(sectionShares).map((start) => ({ title: `s${start}`, level: 1, start }))
        let covered = 0
        for (const passage of split(documentOf(text, { pages, sections }))) {
          expect(passage.text).toBe(text.slice(passage.start, passage.end))
          expect(passage.text.trim()).toBe(passage.text)
          expect(passage.text.isWellFormed() || !text.isWellFormed()).toBe(true)
          expect(text.slice(covered, passage.start).trim()).toBe('')
          for (const cut of [...breaks, ...sections.map(({ start }) => start)]) {
            expect(cut <= passage.start || cut >= passage.end).toBe(true)
          }
          covered = passage.end
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
      { numRuns: 60 },
    )
  })
})

describe('isSignpost', () => {
  const passage = (text: string, section?: string) =>
    ({ ...split(documentOf(text))[0], ...(section ? { section } : {}) }) as Passage

  it.each([
    ['# CRISPR', 'CRISPR'],
    ['1.2  Results', 'Results'.toUpperCase()],
    ['## See also\n\n- [One](one.md)\n- [Two](https://two.example/a)', 'See also'],
    ['– 117 –', undefined],
  ])('knows headings and links alone: %s', (text, section) => {
    expect(isSignpost(passage(text, section))).toBe(section !== 'RESULTS')
  })

  it.each([
    ['CRISPR', undefined],
    ['117 mg', undefined],
    ['# CRISPR\n\nIt cuts.', 'CRISPR'],
    ['- [One](one.md) tells how it cuts', 'See also'],
    ['See [One](one.md).', undefined],
  ])('takes everything else for text: %s', (text, section) => {
    expect(isSignpost(passage(text, section))).toBe(false)
  })
})
