import { describe, expect, it } from 'vitest'
import { sliceDocument } from './document-slices.ts'

const before = '<?xml version="1.0"?><w:document xmlns:w="x"><w:body>'
const after = '<w:sectPr/></w:body></w:document>'
const long = 'words '.repeat(20_000)
const paragraph = (text: string, inside = '') =>
  `<w:p w:rsidR="00AB12CD"><w:pPr>${inside}<w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:b/><w:sz w:val="22"/></w:rPr><w:t>${text}</w:t></w:r></w:p>`
const numbered = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
const slicesOf = (...parts: readonly string[]) => [
  ...sliceDocument(`${before}${parts.join('')}${after}`),
]
const many = (part: string) => Array.from({ length: 100 }, () => part)

describe('the slices of a document', () => {
  it('are the document itself where it is short', () => {
    const xml = `${before}${paragraph('a')}${after}`
    expect([...sliceDocument(xml)]).toEqual([xml])
  })

  it('have each paragraph once, in order, in a document that is whole', () => {
    const slices = slicesOf(...Array.from({ length: 100 }, (_, n) => paragraph(`${n} ${long}`)))
    expect(slices.length).toBeGreaterThan(10)
    for (const slice of slices) {
      expect(slice.startsWith(before)).toBe(true)
      expect(slice).toMatch(/<\/w:body><\/w:document>$/)
      expect(slice.split('<w:p>').length).toBe(slice.split('</w:p>').length)
    }
    const numbers = slices.flatMap((slice) => [...slice.matchAll(/<w:t>(\d+) /g)].map(([, n]) => n))
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => String(n)))
  })

  it('lose formatting that no text depends on, and no other', () => {
    const [slice = ''] = slicesOf(...many(paragraph(long)))
    expect(slice).not.toMatch(/rsidR|w:sz|w:jc/)
    expect(slice).toContain('<w:b/>')
  })

  it('are not cut in a table, a list or a field', () => {
    expect(slicesOf('<w:tbl>', ...many(paragraph(long)), '</w:tbl>')).toHaveLength(2)
    expect(slicesOf(...many(paragraph(long, numbered)))).toHaveLength(2)
    const field = (type: string) => paragraph('', `<w:fldChar w:fldCharType="${type}"/>`)
    expect(slicesOf(field('begin'), ...many(paragraph(long)), field('end'))).toHaveLength(2)
  })
})
