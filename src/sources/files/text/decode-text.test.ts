import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding)

describe('decoding', () => {
  it('gives valid UTF-8 back as it is, but for line ends and null bytes', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 40 })
      .filter((value) => value.isWellFormed() && !/[\0\r\ufeff\ufffd]/.test(value))
    fc.assert(
      fc.property(text, (value) => {
        const prose = `${'Words of prose. '.repeat(20)}${value}`
        expect(decodeText(bytes(prose))).toEqual({ text: prose, notes: [] })
      }),
    )
  })

  it('knows UTF-8 and UTF-16 by their byte order marks', () => {
    expect(decodeText(bytes('\ufeffa köln'))).toEqual({ text: 'a köln', notes: [] })
    expect(decodeText(bytes('\ufeffa köln', 'utf16le'))).toEqual({ text: 'a köln', notes: [] })
    expect(decodeText(bytes('\ufeffa köln', 'utf16le').swap16())).toEqual({
      text: 'a köln',
      notes: [],
    })
  })

  it('knows UTF-16 without a mark by its zero bytes, and says so', () => {
    for (const wide of [
      bytes('What is CRISPR?', 'utf16le'),
      bytes('What is CRISPR?', 'utf16le').swap16(),
    ]) {
      const decoded = decodeText(wide)
      expect(decoded?.text).toBe('What is CRISPR?')
      expect(decoded?.notes).toEqual([expect.stringContaining('read as UTF-16')])
    }
  })

  it('reads Western text of before UTF-8, and says so', () => {
    const decoded = decodeText(bytes('Die Hühner der Müller schlafen früh.', 'latin1'))
    expect(decoded?.text).toBe('Die Hühner der Müller schlafen früh.')
    expect(decoded?.notes).toEqual([expect.stringContaining('Windows-1252')])
  })

  it('gives curly quotes, dashes and the euro of Windows-1252 on every Node', () => {
    const written = Buffer.concat([
      bytes('Sie sagt'),
      Buffer.from([0x84]),
      bytes('Früh', 'latin1'),
      Buffer.from([0x93]),
      bytes(' und zahlt 5'),
      Buffer.from([0x80]),
      bytes('pro Tag.'),
    ])
    expect(decodeText(written)?.text).toBe('Sie sagt„Früh“ und zahlt 5€pro Tag.')
  })

  it('replaces invalid bytes and counts them', () => {
    const broken = Buffer.concat([
      bytes('ein schöner Satz '),
      Buffer.from([0xff, 0xfe]),
      bytes(' und noch einer'),
    ])
    const decoded = decodeText(broken)
    expect(decoded?.text).toBe('ein schöner Satz \ufffd\ufffd und noch einer')
    expect(decoded?.notes).toEqual([expect.stringMatching(/^invalid UTF-8 .*: 2$/)])
  })

  it('takes null bytes out and counts them', () => {
    expect(decodeText(bytes('What is\0CRISPR\0 and who'))).toEqual({
      text: 'What isCRISPR and who',
      notes: ['null bytes left out: 2'],
    })
  })

  it('makes every line end a line feed', () => {
    expect(decodeText(bytes('a\r\nb\rc\nd\r\r\n'))?.text).toBe('a\nb\nc\nd\n\n')
  })

  it('gives nothing for bytes that are mostly no text', () => {
    const noise = Buffer.from(
      Array.from({ length: 2_000 }, (_, index) => (index * 7919 + (index >> 3) * 104_729) % 256),
    )
    expect(decodeText(noise)).toBeUndefined()
    expect(decodeText(Buffer.alloc(500))).toBeUndefined()
  })
})
