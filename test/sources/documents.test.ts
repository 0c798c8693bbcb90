import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { docxOf, epubOf, paragraph, pptxOf, shapeOf, xlsxOf, zipOf } from './office-files.ts'
import { pagesOf, ReadingFolder, sectionsOf } from './reading.ts'

const folder = new ReadingFolder()
afterAll(() => folder.remove())

describe('a Word document', () => {
  const table = (...rows: string[][]) =>
    `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

  it('gives its headings as sections, its tables as rows, and what its properties say', async () => {
    const body =
      paragraph('Tides', 'Heading1') +
      paragraph('The Moon raises two bulges of water.') +
      paragraph('Neap tides', 'Heading2') +
      paragraph('They are weak &amp; come twice a month.') +
      table(['Port', 'Range'], ['Dover', '6.8 m'], ['Hull', '5 m'])
    const properties = {
      title: 'On tides',
      author: 'Ann Moon; Bo Sun',
      created: '2024-03-05T10:00:00Z',
    }
    const document = await folder.document('tides.docx', docxOf(body, properties))
    expect(sectionsOf(document)).toEqual({
      Tides: 'Tides\n\nThe Moon raises two bulges of water.',
      'Neap tides':
        'Neap tides\n\nThey are weak & come twice a month.\n\nPort: Dover; Range: 6.8 m.\n\nPort: Hull; Range: 5 m.',
    })
    expect(document).toMatchObject({ kind: 'docx', title: 'On tides', pages: [] })
    expect(document.csl).toMatchObject({
      author: [{ literal: 'Ann Moon' }, { literal: 'Bo Sun' }],
      issued: { 'date-parts': [[2024, 3, 5]] },
    })
  })

  it('is told by its content, whatever its name', async () => {
    expect(await folder.document('letter.bin', docxOf(paragraph('Dear Ann')))).toMatchObject({
      kind: 'docx',
      text: 'Dear Ann',
      title: 'letter',
    })
  })

  it('leaves out deleted text, and never opens what lies outside of it', async () => {
    const image =
      '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" descr="A hen"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:link="out"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    const body = `<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t>here</w:t></w:r></w:ins></w:p>${image}`
    const links = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="out" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`
    const { text } = await folder.document(
      'edited.docx',
      docxOf(body, {}, { 'word/_rels/document.xml.rels': links }),
    )
    expect(text).toMatch(/^here/)
    expect(text).not.toMatch(/gone|root:/)
  })

  it('of thousands of pages is read in slices, each heading where its text stands', async () => {
    const text = 'The tide rises and falls. '.repeat(400)
    const body = Array.from(
      { length: 800 },
      (_, index) => paragraph(`Part ${index}`, 'Heading1') + paragraph(text),
    )
    const document = await folder.document('long.docx', docxOf(body.join('')))
    expect(document.text.length).toBeGreaterThan(8_000_000)
    expect(document.sections).toHaveLength(800)
    for (const [index, { title, start }] of document.sections.entries()) {
      expect(title).toBe(`Part ${index}`)
      expect(document.text.startsWith(`${title}\n\nThe tide`, start)).toBe(true)
    }
    expect(document.notes).toEqual([])
  })

  it('of other programs is read with its footnotes, lists and tables', async () => {
    const data = join(
      dirname(createRequire(import.meta.url).resolve('mammoth/package.json')),
      'test/test-data',
    )
    const read = async (name: string) =>
      (await folder.document(name, readFileSync(join(data, name)))).text
    expect(await read('footnotes.docx')).toMatch(/Ouch[\s\S]*A tachyon walks into a bar/)
    expect(await read('simple-list.docx')).toMatch(/- Apple\n- Banana/)
    expect(await read('tables.docx')).toMatch(/Top left[\s\S]*Bottom right/)
    expect(await read('strict-format.docx')).toMatch(/Test/)
    expect(await read('text-box.docx')).toMatch(/Datum plane/)
    expect(
      await folder.refusal('empty.docx', readFileSync(join(data, 'empty.docx'))),
    ).toMatchObject({ reason: 'no_text' })
  })
})

describe('a workbook', () => {
  it('gives each sheet as a section and each row as a sentence with the names of its columns', async () => {
    const document = await folder.document(
      'sales.xlsx',
      xlsxOf(
        {
          Sales: [
            ['Sales by region, 2025'],
            [],
            ['Region', 'Sales', 'Share', 'When'],
            ['North', [1_234.5, 1], [0.125, 2], [45_356, 3]],
            ['South', [-17, 4], undefined, [45_356.5, 5]],
          ],
          Empty: [],
          Notes: [['All figures are preliminary.']],
        },
        ['#,##0.00', '0.0%', 'yyyy\\-mm\\-dd', '[$€-407]#,##0;([$€-407]#,##0)', 'd/m/yy h:mm'],
      ),
    )
    expect(sectionsOf(document)).toEqual({
      Sales:
        'Sales\n\nSales by region, 2025.\n\nRegion: North; Sales: 1,234.50; Share: 12.5%; When: 2024-03-05.\n\nRegion: South; Sales: (€17); When: 2024-03-05 12:00.',
      Notes: 'Notes\n\nAll figures are preliminary.',
    })
    expect(document.notes).toEqual(['empty sheets: Empty'])
  })

  it('reads hidden sheets and says so, and cells of every type', async () => {
    const rows = [
      '<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:r><x:t>Na</x:t></x:r><x:r><x:t>me</x:t></x:r><x:rPh><x:t>reading</x:t></x:rPh></x:is></x:c><x:c r="C1" t="str"><x:v>Fine &amp; well</x:v></x:c></x:row>',
      '<x:row r="7"><x:c r="A7" t="b"><x:v>1</x:v></x:c><x:c r="C7" t="e"><x:v>#N/A</x:v></x:c></x:row>',
      '<x:row r="8"><x:c r="A8"><x:v>0.30000000000000004</x:v></x:c></x:row>',
    ]
    const sheet = `<x:worksheet xmlns:x="m"><x:sheetData>${rows.join('')}</x:sheetData></x:worksheet>`
    const { text } = await folder.document('types.xlsx', xlsxOf({ S: sheet }))
    expect(text).toBe('S\n\nName: TRUE; Fine & well: #N/A.\n\nName: 0.3.')
  })

  it('without a value is empty', async () => {
    expect(await folder.refusal('none.xlsx', xlsxOf({ A: [], B: [] }))).toMatchObject({
      reason: 'empty',
    })
  })
})

describe('a presentation', () => {
  it('gives each slide as a page in the order shown, its title as a section, with tables and notes', async () => {
    const cell = (text: string) =>
      `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
    const table = `<p:graphicFrame><a:tbl><a:tr>${cell('Year')}${cell('Output')}</a:tr><a:tr>${cell('2025')}${cell('7 t')}</a:tr></a:tbl></p:graphicFrame>`
    const group = `<p:grpSp>${shapeOf(['In a group.'])}</p:grpSp>${shapeOf(['12'], '<p:ph type="sldNum"/>')}`
    const document = await folder.document(
      'talk.pptx',
      pptxOf(
        [
          { title: 'Results', shapes: table + group, spoken: 'Output fell.' },
          { title: 'Aims', shapes: shapeOf(['To measure.', 'To compare.']) },
          { isHidden: true, shapes: shapeOf(['No title here.']) },
        ],
        [1, 0, 2],
      ),
    )
    expect(pagesOf(document)).toEqual([
      'Aims\n\n- To measure.\n- To compare.',
      "Results\n\nYear: 2025; Output: 7 t.\n\nIn a group.\n\nSpeaker's notes: Output fell.",
      '(Hidden slide)\n\nNo title here.',
    ])
    expect(document.sections.map(({ title }) => title)).toEqual(['Aims', 'Results'])
    expect(document.notes).toEqual(['hidden slides were read as well: 3'])
  })

  it('of pictures alone has no text', async () => {
    expect(await folder.refusal('pictures.pptx', pptxOf([{}, {}]))).toMatchObject({
      reason: 'no_text',
    })
  })
})

describe('an e-book', () => {
  it('gives its chapters in reading order as sections, and its metadata', async () => {
    const metadata =
      '<dc:title>The Sea</dc:title><dc:creator>Ann Wave</dc:creator><dc:publisher>Shore</dc:publisher><dc:identifier>urn:uuid:1234567890123</dc:identifier><dc:identifier>978-0-306-40615-7</dc:identifier><dc:language>en-GB</dc:language><dc:date>1851-10-18</dc:date>'
    const chapters = {
      'b two.xhtml': '<h1>One</h1><p>It began at sea.</p><h2>More</h2><p>Waves.</p>',
      'a.xhtml':
        '<p>It ended on land.</p><table><tr><th>Year<th>Ships</th></tr><tr><td>1850</td><td>12</td></tr></table>',
    }
    const document = await folder.document(
      'sea.epub',
      epubOf(chapters, metadata, { 'a.xhtml': 'The end' }),
    )
    expect(sectionsOf(document)).toEqual({
      One: 'One\n\nIt began at sea.',
      More: 'More\n\nWaves.',
      'The end': 'It ended on land.\n\nYear: 1850; Ships: 12.',
    })
    expect(document).toMatchObject({
      title: 'The Sea',
      csl: {
        type: 'book',
        author: [{ literal: 'Ann Wave' }],
        publisher: 'Shore',
        language: 'en-GB',
        ISBN: '9780306406157',
        issued: { 'date-parts': [[1851, 10, 18]] },
      },
    })
  })

  it('that is locked to a shop is refused as locked', async () => {
    const book = zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container/>',
      'META-INF/encryption.xml': '<encryption><CipherReference URI="OEBPS/a.xhtml"/></encryption>',
    })
    expect(await folder.refusal('locked.epub', book)).toMatchObject({ reason: 'encrypted' })
  })
})

describe('documents of other kinds', () => {
  it.each([
    ['text', /docx|Word/],
    ['spreadsheet', /xlsx/],
    ['presentation', /pptx/],
  ])('of OpenDocument %s are refused with what to save them as', async (what, hint) => {
    const file = zipOf({
      mimetype: `application/vnd.oasis.opendocument.${what}`,
      'content.xml': '<x/>',
    })
    expect(await folder.refusal('a.odx', file)).toMatchObject({
      reason: 'unsupported_kind',
      hint: expect.stringMatching(hint),
    })
  })

  it('of a web page give its text', async () => {
    const page =
      '<!doctype html><title>Hens</title><article><h1>Hens</h1><p>Hens sleep on perches at night, where no fox can come to them.</p></article>'
    expect(await folder.document('hens.txt', page)).toMatchObject({ kind: 'html', title: 'Hens' })
  })
})
