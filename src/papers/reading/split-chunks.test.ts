import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SourceId } from '../../citations/source.ts'
import { hashJson } from '../../kernel/json.ts'
import { splitPassages } from '../../retrieval/chunk.ts'
import type { Document, Section, TextSpan } from '../../sources/document.ts'
import { loadTokenCounter, type TokenCounter } from '../../team/count-tokens.ts'
import type { Chunk } from '../paper.ts'
import { readLayout } from './paper-structure.ts'
import { classifyChunk, cutChunks, cutVersion, placeChunks } from './split-chunks.ts'

const sourceId = 'a'.repeat(64) as SourceId
let countTokens: TokenCounter
beforeAll(async () => {
  countTokens = await loadTokenCounter()
})

interface Layout {
  readonly pages?: readonly TextSpan[]
  readonly sections?: readonly Section[]
  readonly references?: TextSpan
}

/** As the library gives a document back: its text and the passages that it was split into. */
function split(text: string, { pages = [], sections = [], references }: Layout = {}) {
  const document = { text, pages, sections, contentHash: sourceId } as unknown as Document
  const layout = readLayout(splitPassages(document, sourceId))
  const source = { sourceId, text, layout, references }
  return placeChunks(source, cutChunks(source, countTokens))
}

const sentences = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, index) => `Here ${word} number ${index} stands alone.`).join(
    ' ',
  )

/** The two texts' common part: the first's end that begins the second. */
function sharedBy(text: string, before: Chunk, after: Chunk): string {
  return text.slice(after.start, Math.max(after.start, before.end))
}

describe('chunks of a paper', () => {
  it('are cut as its version says: where another cut comes, raise it, for cuts are kept', () => {
    const text = `${sentences(300)}\n\nTable 1: trees\n1 2 3\n4 5 6\n\n${sentences(200, 'wörtlich')} 漢字漢字。 x = y + 2`
    const sections = [{ title: 'Methods', level: 1, start: text.indexOf('Table') }]
    const chunks = split(text, { sections })
    expect([cutVersion, hashJson(chunks).slice(0, 16)]).toEqual([1, 'b204555ab6b21b73'])
  })

  it('have at most 500 tokens, end with a sentence and share up to 50 with the next', () => {
    const text = sentences(400)
    const chunks = split(text)
    expect(chunks.length).toBeGreaterThan(5)
    for (const [index, chunk] of chunks.entries()) {
      const slice = text.slice(chunk.start, chunk.end)
      expect(chunk.tokens).toBe(countTokens(slice))
      expect(chunk.tokens).toBeLessThanOrEqual(500)
      expect(slice.endsWith('.')).toBe(true)
      expect(chunk.id).toBe(`${'a'.repeat(16)}:${chunk.start}-${chunk.end}`)
      const next = chunks[index + 1]
      if (next === undefined) continue
      expect(chunk.tokens).toBeGreaterThan(300)
      const shared = countTokens(sharedBy(text, chunk, next))
      expect(shared).toBeLessThanOrEqual(50)
      expect(shared).toBeGreaterThan(40)
    }
  })

  it('cross no page, and share nothing over its end', () => {
    const [one, two] = [sentences(90, 'first'), sentences(90, 'second')]
    const pages = [
      { start: 0, end: one.length },
      { start: one.length + 2, end: one.length + 2 + two.length },
    ]
    const text = `${one}\n\n${two}`
    const chunks = split(text, { pages })
    expect(new Set(chunks.map(({ page }) => page))).toEqual(new Set([1, 2]))
    for (const { page, start, end } of chunks)
      expect(text.slice(start, end).includes('second')).toBe(page === 2)
    const [last, next] = [
      chunks.findLast(({ page }) => page === 1),
      chunks.find(({ page }) => page === 2),
    ]
    expect(sharedBy(text, last as Chunk, next as Chunk)).toBe('')
  })

  it('are cut where a section begins near, and have the section of what they add', () => {
    const first = `Introduction\n\n${sentences(40)}`
    const text = `${first}\n\nMethods\n\n${sentences(60)}`
    const sections = [
      { title: 'Introduction', level: 1, start: 0 },
      { title: 'Methods', level: 1, start: first.length + 2 },
    ]
    const chunks = split(text, { sections })
    expect(chunks.map(({ section }) => section)).toEqual(['Introduction', 'Methods', 'Methods'])
    expect(chunks[0]?.end).toBe(first.length)
    expect(chunks[1]?.start).toBeLessThan(first.length)
  })

  it('keep the list of references apart from the text', () => {
    const body = sentences(20)
    const list = 'References\n\n[1] A. Author. A title. 2001.\n[2] B. Author. Another. 2002.'
    const text = `${body}\n\n${list}\n\nAppendix words follow.`
    const start = body.length + 2
    const references = { start, end: start + list.length }
    expect(split(text, { references }).map((chunk) => [chunk.kind, chunk.start])).toEqual([
      ['text', 0],
      ['references', start],
      ['text', references.end + 2],
    ])
  })

  it('mark tables and formulas', () => {
    const table = Array.from({ length: 120 }, (_, row) => `Model-${row} 61.${row} 42.1 ± 0.3 98 %`)
    expect(split(table.join('\n')).map(({ kind }) => kind)).toEqual(
      split(table.join('\n')).map(() => 'table'),
    )
    const rowEnds = split(table.join('\n')).map(({ end }) => table.join('\n')[end])
    expect(new Set(rowEnds)).toEqual(new Set(['\n', undefined]))
    expect(split('E = m c ² + ∑ x_i − λ ‖ w ‖ ≤ ε').map(({ kind }) => kind)).toEqual(['equation'])
  })

  it('count what stands between words, however odd it is', () => {
    const text = `${'word '.repeat(60)}${'\t \n'.repeat(250)}`.repeat(20)
    for (const { start, end, tokens } of split(text)) {
      expect(tokens).toBe(countTokens(text.slice(start, end)))
      expect(tokens).toBeLessThanOrEqual(500)
    }
  })

  it('take names of special tokens for words', () => {
    const text = 'What <|endoftext|> means <|fim_prefix|> here.'
    expect(split(text)).toMatchObject([{ start: 0, end: text.length, kind: 'text' }])
  })

  it('cut what has no spaces, between characters', () => {
    const texts = ['x'.repeat(30_000), '好'.repeat(3_000), '😀'.repeat(2_000), '='.repeat(30_000)]
    for (const text of texts) {
      const chunks = split(text)
      expect(chunks.length).toBeGreaterThan(1)
      for (const { start, end, tokens } of chunks) {
        expect(tokens).toBeLessThanOrEqual(500)
        expect(text.slice(start, end).isWellFormed()).toBe(true)
      }
    }
  })

  it('are not held up by white space or anything else that never ends', () => {
    for (const unit of [' ', '\n', '\u200d', `${' '.repeat(3_000)}a`]) {
      const text = `Begin ${unit.repeat(300_000 / unit.length)} end`
      const chunks = split(text)
      expect(chunks[0]?.start).toBe(0)
      expect(chunks.at(-1)?.end).toBe(text.length)
      for (const { start, end } of chunks) expect(end - start).toBeLessThanOrEqual(6_000)
    }
  })

  it('cover any text, in order, within bounds, whatever its pages, headings and list of references', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'word ',
        'A sentence ends. ',
        '\n\n',
        '\n',
        '12.5 ± 0.1 ',
        '\u0301',
        '\ud83d',
      ),
      fc.constantFrom('x'.repeat(900), '好'.repeat(500), '😀'.repeat(300), 'e\u0301'.repeat(300)),
      fc.string({ unit: 'binary' }),
    )
    const texts = fc.array(piece, { maxLength: 400 }).map((pieces) => pieces.join(''))
    const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 })
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(texts, shares, shares, share, (text, breaks, headings, from) => {
        const at = (one: number) => wholeCharacters(text, Math.floor(one * text.length))
        const starts = [0, ...breaks.map(at)].sort((one, other) => one - other)
        const pages = starts.map((start, index) => ({
          start,
          end: starts[index + 1] ?? text.length,
        }))
        const sections = headings
          .map((one) => ({ title: `s${at(one)}`, level: 1, start: at(one) }))
          .sort((one, other) => one.start - other.start)
        const references = { start: at(from), end: text.length }
        expectSound(text, pages, split(text, { pages, sections, references }))
      }),
      { numRuns: 60 },
    )
  })
})

function expectSound(text: string, pages: readonly TextSpan[], chunks: readonly Chunk[]): void {
  let covered = 0
  let before: Chunk | undefined
  for (const chunk of chunks) {
    const slice = text.slice(chunk.start, chunk.end)
    expect(slice.trim()).toBe(slice)
    expect(slice).not.toBe('')
    expect(chunk.tokens).toBe(countTokens(slice))
    expect(chunk.tokens).toBeLessThanOrEqual(500)
    expect(text.slice(covered, chunk.start).trim()).toBe('')
    expect(chunk.end).toBeGreaterThan(covered)
    expect(chunk.start).toBeGreaterThan(before?.start ?? -1)
    if (before !== undefined)
      expect(countTokens(sharedBy(text, before, chunk))).toBeLessThanOrEqual(50)
    const page = pages[(chunk.page ?? 0) - 1] as TextSpan
    expect(chunk.start).toBeGreaterThanOrEqual(page.start)
    expect(chunk.end).toBeLessThanOrEqual(page.end)
    expect(slice.isWellFormed() || !text.isWellFormed()).toBe(true)
    covered = chunk.end
    before = chunk
  }
  expect(text.slice(covered).trim()).toBe('')
}

/** The offset, or the one before where it would part a pair of surrogates. */
function wholeCharacters(text: string, offset: number): number {
  const isInside = /[\udc00-\udfff]/.test(text[offset] ?? '')
  return isInside ? Math.max(0, offset - 1) : offset
}

describe('what a chunk is', () => {
  it.each([
    ['Methods Accuracy\nDD 0.676 ± 0.074\nDD-SVM 0.754 ± 0.054\nB2C 0.672 ± 0.013', 'table'],
    ['| model | EM |\n|---|---|\n| base | large |\n| other | small |', 'table'],
    ['3d-cube 25 27 29 3 0 1.1 2.20x\n3d-morph 5 8 8 2 0 1.6 1.0 2.86x', 'table'],
    ['x + n + a = a x + ( n + a ) + x ²', 'equation'],
    ['‖ w ‖ ≤ λ ∑ x_i\nf ( x ) = θ · x', 'equation'],
    ['We ran it on 3 machines for 20 days in 2019, which cost 400 dollars in all.', 'text'],
    ['Let x be a vector in R. Then f(x) is at most λ times the norm of the vector x.', 'text'],
    ['A table of contents with words alone.\nA line\nAnother line', 'text'],
    ['M', 'text'],
    ['', 'text'],
  ])('tells %j from its words', (text, kind) => {
    expect(classifyChunk(text)).toBe(kind)
  })
})
