import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderTable } from './table.ts'
import { countColumns, cut, cutStart, oneLine, printable, wrap } from './text.ts'

describe('printable', () => {
  it.each([
    ['a colour', '\u001b[31mred\u001b[0m', 'red'],
    ['a window title', '\u001b]0;owned\u0007safe', 'safe'],
    ['a window title behind words', 'a\u001b[2J\u001b]2;evil title\u0007 b', 'a b'],
    ['a title that ends otherwise', 'a\u001b]2;owned\u001b\\b\u009d2;owned\u009cc', 'abc'],
    [
      'sequences of all kinds',
      'a\u001b[?25hb\u001b(Bc\u001b[38;5;1md\u001b7e\u001b[2Jf\u0007',
      'abcdef',
    ],
    ['a picture', 'a\u001bPq#0;2;0;0;0#0~~\u001b\\b', 'ab'],
    ['a one-byte escape', 'a\u009b2Jb', 'ab'],
    ['a null byte, a bell and a backspace', 'a\u0000b\u0007c\u0008', 'abc'],
    ['a return that would overwrite the line', 'good\rbad\r\nnext', 'goodbad\nnext'],
    ['a turned writing direction', 'gpj\u202e.exe', 'gpj.exe'],
    [
      'embedded and isolated directions',
      'a\u202ab\u202bc\u202cd\u2066e\u2067f\u2068g\u2069',
      'abcdefg',
    ],
    ['marks of direction', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ])('takes out %s', (_what, text, kept) => {
    expect(printable(text)).toBe(kept)
  })

  it('leaves lines, tabs and every script alone', () => {
    const text = 'a\n\tб 中文 עברית 👩‍🔬'
    expect(printable(text)).toBe(text)
    expect(oneLine(text)).toBe('a б 中文 עברית 👩‍🔬')
  })
})

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['中文', 4],
    ['👩‍🔬', 2],
    ['🇩🇪', 2],
    ['✓', 1],
    ['한글', 4],
    ['a\u200bb', 2],
  ])('%s takes %i columns', (text, columns) => {
    expect(countColumns(text)).toBe(columns)
  })

  it('cuts to the columns, never through a character', () => {
    expect(cut('abcdef', 6)).toBe('abcdef')
    expect(cut('abcdef', 4)).toBe('abc…')
    expect(cut('中文字', 4)).toBe('中…')
    expect(cut('👩‍🔬👩‍🔬', 3)).toBe('👩‍🔬…')
    expect(cut('abc', 0)).toBe('')
    expect(cutStart('papers/中文.pdf', 9)).toBe('…中文.pdf')
    expect(cutStart('abc', 3)).toBe('abc')
  })

  it('no cut or wrapped line is wider than asked, and wrapping loses no letter', () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 80 }).map(oneLine)
    fc.assert(
      fc.property(texts, fc.integer({ min: 6, max: 40 }), (text, columns) => {
        const lines = wrap(text, columns, '  ')
        expect(countColumns(cut(text, columns))).toBeLessThanOrEqual(columns)
        for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })

  it('keeps the indentation of the first line and indents the others', () => {
    expect(wrap('  - one two three', 11, '    ')).toEqual(['  - one two', '    three'])
  })
})

describe('renderTable', () => {
  it('aligns columns and cuts only the last one, only on a terminal', () => {
    const rows = [['中文', 'a long question'] as const]
    expect(renderTable(['ID', 'QUESTION'], rows, 18)).toEqual([
      'ID    QUESTION',
      '中文  a long ques…',
    ])
    expect(renderTable(['ID', 'QUESTION'], rows, undefined)[1]).toBe('中文  a long question')
  })
})
