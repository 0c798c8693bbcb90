import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVocabulary, joinAtHyphen } from './hyphens.ts'
import type { PdfLine } from './lines.ts'
import { joinLines } from './paragraphs.ts'

const line = (text: string, y: number, more: Partial<PdfLine> = {}): PdfLine => ({
  text,
  x0: 0,
  x1: text.length * 5,
  y,
  size: 10,
  font: 'f',
  continuesRow: false,
  tilted: false,
  ...more,
})
const joined = (...lines: PdfLine[]) =>
  joinLines(lines, createVocabulary(lines.map(({ text }) => text))).text
const full = (text: string, y: number, more: Partial<PdfLine> = {}) =>
  line(text, y, { x1: (more.x0 ?? 0) + 200, ...more })

describe('joined lines', () => {
  it('break where the next word would have had room', () => {
    expect(
      joined(
        full('a line that is full and goes', 0),
        line('on here.', -12),
        full('Another line that is full', -24),
      ),
    ).toBe('a line that is full and goes on here.\nAnother line that is full')
  })

  it('part paragraphs by gaps, by indents and by sizes', () => {
    const lines = [0, -12, -24, -36].map((y) => full('words that fill the line whole', y))
    expect(joined(...lines, full('After a gap.', -60))).toMatch(/whole\n\nAfter a gap\.$/)
    const indented = [
      full('one two three', 0),
      full('four five six', -12),
      full('Seven eight', -24, { x0: 15 }),
      full('nine ten', -36),
    ]
    expect(joined(...indented)).toBe('one two three four five six\n\nSeven eight nine ten')
    expect(joined(full('A larger heading', 0, { size: 14 }), full('and its text', -15))).toBe(
      'A larger heading\n\nand its text',
    )
  })

  it('continue in the next column in the middle of a sentence only', () => {
    const top = { x0: 300 }
    expect(
      joined(full('a sentence that does not end', -500), full('here but there.', 0, top)),
    ).toBe('a sentence that does not end here but there.')
    expect(
      joined(full('A sentence that ends in its column.', -500), full('Another one.', 0, top)),
    ).toBe('A sentence that ends in its column.\n\nAnother one.')
  })

  it('keep the rows of a table on lines of their own', () => {
    const cell = { x0: 150, x1: 200, continuesRow: true }
    expect(
      joined(line('Hens', 0), line('12', 0, cell), line('Foxes', -12), line('3', -12, cell)),
    ).toBe('Hens 12\nFoxes 3')
  })

  it('put a drop cap to its word', () => {
    expect(
      joined(line('I', -10, { size: 30, x1: 10 }), line('N this paper', 0, { x0: 11, x1: 80 })),
    ).toBe('IN this paper')
  })

  it('say where each line starts', () => {
    const lines = fc.array(
      fc.record({
        text: fc.stringMatching(/^[a-zA-Z]{1,9}( [a-z]{1,9}){0,4}[-.]?$/),
        y: fc.integer({ min: -800, max: 0 }),
        x0: fc.integer({ min: 0, max: 300 }),
        continuesRow: fc.boolean(),
        size: fc.constantFrom(8, 10, 16),
      }),
    )
    fc.assert(
      fc.property(lines, (parts) => {
        const drawn = parts.map(({ text, y, ...more }) =>
          line(text, y, { ...more, x1: more.x0 + text.length * 5 }),
        )
        const { text, starts } = joinLines(drawn, new Map())
        drawn.forEach((one, index) => {
          const start = starts[index] as number
          const end = starts[index + 1] ?? text.length
          const kept = text.slice(start, Math.min(end, start + one.text.length))
          expect([one.text, one.text.replace(/-$/, '')]).toContain(kept)
        })
      }),
    )
  })
})

describe('a hyphen at the end of a line', () => {
  const join = (text: string, next: string, ...others: string[]) => {
    const found = joinAtHyphen(text, next, createVocabulary(others))
    return found === undefined
      ? undefined
      : text.slice(0, text.length - found.dropped) + found.separator + next
  }

  it('goes where it only broke a word', () => {
    expect(join('an exam-', 'ple of it')).toBe('an example of it')
    expect(join('an exam\u00ad', 'ple')).toBe('an example')
  })

  it('stays in compounds that the document shows elsewhere', () => {
    expect(join('a well-', 'known fox', 'the well-known hen')).toBe('a well-known fox')
    expect(join('state-of-the-', 'art')).toBe('state-of-the-art')
    expect(
      join('the question-', 'answering fox', 'some question here', 'some answering there'),
    ).toBe('the question-answering fox')
  })

  it('stays in a chain of words, and goes where it broke the first of them', () => {
    expect(join('the state-', 'of-the-art model', 'the state here')).toBe(
      'the state-of-the-art model',
    )
    expect(join('an end-', 'to-end one', 'to the end of it')).toBe('an end-to-end one')
    expect(join('a best-', 'in-class', 'some best-in-class')).toBe('a best-in-class')
    expect(join('a trans-', 'former-based model', 'the former here')).toBe(
      'a transformer-based model',
    )
  })

  it('stays before numbers and names, and where a word is left out', () => {
    expect(join('COVID-', '19')).toBe('COVID-19')
    expect(join('Smith-', 'Jones')).toBe('Smith-Jones')
    expect(join('pre-', 'and postwar')).toBe('pre- and postwar')
    expect(join('in Cite-', 'See', 'then CiteSee')).toBe('in CiteSee')
  })

  it('does not touch other lines', () => {
    expect(join('a dash -', 'so')).toBeUndefined()
    expect(join('no hyphen', 'so')).toBeUndefined()
    expect(join('https://example.org/a/', 'b?c')).toBe('https://example.org/a/b?c')
  })
})
