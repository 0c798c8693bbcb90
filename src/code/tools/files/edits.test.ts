import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineHash, splitLines } from './code-text.ts'
import { applyEdits } from './edits.ts'

const anchor = (text: string, number: number) =>
  `${number}:${lineHash(splitLines(text)[number - 1]?.text ?? '')}`
const changed = (text: string, edits: Parameters<typeof applyEdits>[1]) =>
  applyEdits(text, edits).text

describe('exact edits', () => {
  it('replace a text that stands there once', () => {
    expect(changed('a b c', [{ old: 'b', new: 'x' }])).toBe('a x c')
    expect(changed('a b b', [{ old: 'b', new: 'x', all: true }])).toBe('a x x')
    expect(changed('cost', [{ old: 'cost', new: '$& $1' }])).toBe('$& $1')
  })

  it('are refused where they fit nowhere or in several places', () => {
    expect(() => changed('one\n  two\nthree', [{ old: 'two \nx', new: '' }])).toThrow(
      /2:.{4}\| {2}two/,
    )
    expect(() => changed('b\nb', [{ old: 'b', new: 'x' }])).toThrow('2 places (lines 1, 2)')
  })

  it('find lines that end otherwise, and write them so', () => {
    expect(changed('a\r\nb\r\nc', [{ old: 'a\nb', new: 'x\ny\nz' }])).toBe('x\r\ny\r\nz\r\nc')
    expect(changed('a\nb\r\nc\r\nd\r\n', [{ old: 'a\nb', new: 'x\ny' }])).toBe('x\ny\r\nc\r\nd\r\n')
    expect(changed('a\r\nb', [{ old: 'b', new: 'c\nd' }])).toBe('a\r\nc\r\nd')
  })
})

describe('edits of lines', () => {
  const text = 'one\ntwo\nthree\nfour'

  it('replace, put in and take out', () => {
    const at = (number: number) => anchor(text, number)
    expect(changed(text, [{ from: at(2), text: 'x\ny' }])).toBe('one\nx\ny\nthree\nfour')
    expect(changed(text, [{ from: at(2), to: at(3), text: 'x\n' }])).toBe('one\nx\nfour')
    expect(changed(text, [{ from: at(2), to: at(3), text: '' }])).toBe('one\nfour')
    expect(changed(text, [{ from: at(2), text: '\n' }])).toBe('one\n\nthree\nfour')
    expect(changed(text, [{ after: at(1), text: 'x' }])).toBe('one\nx\ntwo\nthree\nfour')
    expect(changed(text, [{ after: at(4), text: 'x' }])).toBe(`${text}\nx`)
    expect(changed(text, [{ after: '0', text: 'x\n' }])).toBe(`x\n${text}`)
    expect(changed('', [{ after: '0', text: 'x' }])).toBe('x\n')
  })

  it('show the lines as they are now when one is another', () => {
    const stale = () => changed(text, [{ from: '2:0000', text: 'x' }])
    expect(stale).toThrow(
      `no longer there. It is now:\n${anchor(text, 1)}|one\n${anchor(text, 2)}|two`,
    )
    expect(() => changed(text, [{ from: '9:0000', text: 'x' }])).toThrow('There are 4 lines.')
    expect(() => changed(text, [{ from: 'two', text: 'x' }])).toThrow('names no line')
  })
})

describe('several edits', () => {
  it('are all meant for the text as it is', () => {
    const text = 'a\nb\nc\n'
    const edits = [
      { from: anchor(text, 3), text: 'C1\nC2' },
      { old: 'a', new: 'b' },
      { after: anchor(text, 1), text: 'new' },
    ]
    expect(changed(text, edits)).toBe('b\nnew\nb\nC1\nC2\n')
  })

  it('are refused where they meet', () => {
    const text = 'a\nb\nc\n'
    const edits = [
      { old: 'a\nb', new: 'x' },
      { from: anchor(text, 2), text: 'y' },
    ]
    expect(() => changed(text, edits)).toThrow('about the same text')
  })

  it('change nothing but what they name', () => {
    const lines = fc.array(
      fc.tuple(
        fc.constantFrom('', 'x', 'é y', '\ufeff', 'a\rb', '𝄞'),
        fc.constantFrom('\n', '\r\n'),
      ),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(lines, fc.nat(), fc.boolean(), (parts, seed, isOpen) => {
        const whole = parts.map(([line, end]) => line + end).join('')
        const text = isOpen ? `${whole}last` : whole
        const all = splitLines(text)
        const index = seed % all.length
        const line = all[index]
        if (line === undefined) return
        const edited = changed(text, [{ from: anchor(text, index + 1), text: 'NEW' }])
        expect(edited).toBe(`${text.slice(0, line.start)}NEW${text.slice(line.end)}`)
        expect(all.map((one) => one.text + one.lineEnd).join('')).toBe(text)
      }),
    )
  })
})
