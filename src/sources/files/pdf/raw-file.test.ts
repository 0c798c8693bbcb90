import { deflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findXmpDoi, mayHaveLayers } from './raw-file.ts'

/** A file with a compressed stream of a type. */
const packed = (type: string, content: string) =>
  Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n<</Type/${type}/Filter/FlateDecode/Length 9>>\nstream\r\n`),
    deflateSync(content),
    Buffer.from('\nendstream\nendobj\n'),
  ])

describe('layers', () => {
  it('are found in plain and in packed objects', () => {
    expect(mayHaveLayers(Buffer.from('<</Type/Catalog/OCProperties<<>>>>'))).toBe(true)
    expect(mayHaveLayers(packed('ObjStm', '1 0 <</Type/Catalog/OCProperties<<>>>>'))).toBe(true)
  })

  it('cannot be ruled out in an encrypted file, but in any other', () => {
    expect(mayHaveLayers(Buffer.from('trailer<</Encrypt 9 0 R>>'))).toBe(true)
    expect(mayHaveLayers(packed('ObjStm', '1 0 <</Type/Catalog>>'))).toBe(false)
    const cut = packed('ObjStm', '<</OCProperties<<>>>>').subarray(0, 75)
    expect(mayHaveLayers(cut)).toBe(false)
  })
})

describe('the DOI in XMP', () => {
  it.each([
    ['an element', '<prism:doi>10.1/a.b</prism:doi>'],
    ['an attribute', '<rdf:Description prism:doi="10.1/a.b" dc:title=""/>'],
  ])('is %s, plain or packed', (_form, xmp) => {
    expect(findXmpDoi(Buffer.from(`%PDF ${xmp}`))).toBe('10.1/a.b')
    expect(findXmpDoi(packed('Metadata', `<x:xmpmeta>${xmp}</x:xmpmeta>`))).toBe('10.1/a.b')
  })

  it('is empty where there is none', () => {
    expect(findXmpDoi(packed('Metadata', '<x:xmpmeta/>'))).toBe('')
    expect(findXmpDoi(Buffer.from('/Type/Metadata stream broken'))).toBe('')
  })
})
