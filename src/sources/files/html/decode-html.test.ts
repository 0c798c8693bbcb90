import { describe, expect, it } from 'vitest'
import { decodeHtml } from './decode-html.ts'

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const declared = (label: string) => `<meta charset="${label}">`

describe('the encoding of a page', () => {
  it.each([
    ['windows-1252', [0x93, 0x80, 0x94, 0xe9], '“€”é'],
    ['Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['GBK', [0xd6, 0xd0, 0xce, 0xc4], '中文'],
    ['EUC-KR', [0xc7, 0xd1, 0xb1, 0xdb], '한글'],
    ['iso-8859-1', [0x92], '’'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
  ])('is what it declares: %s', (label, written, text) => {
    expect(decodeHtml(bytes(declared(label), written))?.text).toBe(declared(label) + text)
  })

  it('may be declared as for HTTP, or as XML does', () => {
    const http = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">'
    expect(decodeHtml(bytes(http, [0xd6, 0xd0]))?.text).toContain('中')
    expect(
      decodeHtml(bytes('<?xml version="1.0" encoding="EUC-KR"?>', [0xc7, 0xd1]))?.text,
    ).toContain('한')
  })

  it('is that of its byte order mark, or UTF-8 if the bytes are, whatever is declared', () => {
    const page = `${declared('shift_jis')}Grüße, schöne Welt – “ä”`
    expect(decodeHtml(Buffer.from(page))?.text).toBe(page)
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>ü</p>', 'utf16le')])
    expect(decodeHtml(marked)?.text).toBe('<p>ü</p>')
  })

  it('is no name that nobody knows, and nothing in a comment', () => {
    expect(decodeHtml(Buffer.from(`${declared('x-nothing')}<p>ü`))?.text).toContain('ü')
    expect(
      decodeHtml(bytes('<!-- <meta charset="gbk"> --><p>caf', [0xe9], '</p>'))?.text,
    ).toContain('café')
  })

  it('says how many places it could not make out', () => {
    const decoded = decodeHtml(bytes(declared('euc-kr'), [0xff, 0x20], 'text'))
    expect(decoded?.notes).toEqual(['invalid euc-kr replaced by \ufffd: 1'])
  })
})
