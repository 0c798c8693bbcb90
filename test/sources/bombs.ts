import { crc32, deflateSync } from 'node:zlib'
import {
  columnName,
  docxOf,
  epubOf,
  linksOf,
  officeParts,
  paragraph,
  pptxOf,
  shapeOf,
  xlsxOf,
  zipOf,
} from './office-files.ts'
import { deflated, type RawMember, rawZip, stored, swelling } from './raw-zip.ts'

/** What a file is that would take far more than its size: the reasons for which it may be refused, or that it is read in part. */
export interface Bomb {
  readonly make: () => string | Uint8Array
  readonly ends: readonly string[]
}

const wordXml =
  '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
const officeMembers = (main: string, type: string): readonly RawMember[] =>
  Object.entries(officeParts(main, type)).map(([name, text]) => deflated(name, text))
const docxMembers = officeMembers('word/document.xml', 'wordprocessingml.document.main')
const deep = (open: string, close: string, times = 100_000) =>
  `${open.repeat(times)}deep${close.repeat(times)}`
const entities = `<!DOCTYPE x [<!ENTITY a0 "${'lol'.repeat(30)}">${Array.from(
  { length: 20 },
  (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
).join('')}]>`

/** Small archives and documents that unpack, expand or nest without end, by file name. */
export const bombs: Readonly<Record<string, Bomb>> = {
  'classic.zip': {
    make: () =>
      rawZip([swelling('zeros.txt', 4_000), stored('beside.txt', 'The file beside it is read.')]),
    ends: ['too_large', 'read'],
  },
  'liar.zip': {
    make: () => rawZip([{ ...swelling('zeros.txt', 4_000), sizeBytes: 1_000 }]),
    ends: ['too_large'],
  },
  'many-at-the-limit.zip': {
    make: () =>
      rawZip(
        Array.from({ length: 30 }, (_, index) => ({
          ...swelling(`${index}.bin`, 90),
          name: `${index}.bin`,
        })),
      ),
    ends: ['too_large'],
  },
  'nested.zip': { make: () => nest(6), ends: ['too_large'] },
  'overlapping.zip': {
    make: () => {
      const shared = swelling('0.txt', 9)
      return rawZip([
        shared,
        ...Array.from({ length: 9_000 }, (_, index) => ({
          ...shared,
          name: `${index + 1}.txt`,
          shares: 0,
        })),
      ])
    },
    ends: ['broken'],
  },
  'members.zip': {
    make: () => rawZip(Array.from({ length: 100_000 }, (_, index) => stored(`${index}.txt`, 'x'))),
    ends: ['too_large'],
  },
  'hidden-members.zip': {
    make: () =>
      rawZip(
        Array.from({ length: 100_000 }, (_, index) => stored(`${index}.txt`, 'x')),
        { count: 5, large: [5n, 0n, 0n] },
      ),
    ends: ['broken'],
  },
  'two-gigabytes.docx': {
    make: () =>
      rawZip([
        ...docxMembers,
        swelling('word/document.xml', 2_000, wordXml, '</w:body></w:document>'),
      ]),
    ends: ['too_large'],
  },
  'hundred-megabytes.docx': {
    make: () => docxOf(paragraph('words ').repeat(1_000_000)),
    ends: ['read', 'too_large', 'timed_out'],
  },
  'entities.docx': {
    make: () =>
      zipOf({
        ...officeParts('word/document.xml', 'wordprocessingml.document.main'),
        'word/document.xml': `${entities}${wordXml}${paragraph('&a20;')}</w:body></w:document>`,
      }),
    ends: ['broken', 'read', 'no_text'],
  },
  'deep.docx': {
    make: () => docxOf(deep('<w:sdt><w:sdtContent>', '</w:sdtContent></w:sdt>')),
    ends: ['too_large'],
  },
  'sparse.xlsx': { make: () => xlsxOf({ Sparse: sparseSheet() }), ends: ['read'] },
  'strings.xlsx': { make: stringsBomb, ends: ['read'] },
  'entities.xlsx': {
    make: () =>
      xlsxOf({
        S: `${entities}<worksheet><sheetData><row><c t="inlineStr"><is><t>&a20;</t></is></c></row></sheetData></worksheet>`,
      }),
    ends: ['broken', 'read'],
  },
  'deep.xlsx': {
    make: () =>
      xlsxOf({
        S: `<worksheet><sheetData><row>${deep('<c>', '</c>')}</row></sheetData></worksheet>`,
      }),
    ends: ['too_large'],
  },
  'sheets.xlsx': { make: sheetsBomb, ends: ['read', 'timed_out', 'too_large'] },
  'deep.pptx': {
    make: () => pptxOf([{ title: 'Deep', shapes: deep('<p:grpSp>', '</p:grpSp>') }]),
    ends: ['too_large'],
  },
  'entities.pptx': {
    make: () => pptxOf([{ title: `${'&a20;'}`, shapes: shapeOf(['&a20;']) }]),
    ends: ['read'],
  },
  'deep.epub': {
    make: () => epubOf({ 'a.xhtml': deep('<div>', '</div>') }, '<dc:title>Deep</dc:title>'),
    ends: ['no_text', 'too_large'],
  },
  'spine.epub': { make: spineBomb, ends: ['read'] },
  'deep.html': {
    make: () => `<!doctype html><html><body>${deep('<div>', '</div>')}</body></html>`,
    ends: ['too_large'],
  },
  'cell.csv': { make: () => `name,text\nAnn,${'x'.repeat(95_000_000)}\n`, ends: ['too_large'] },
  'quote.csv': {
    make: () => `name,text\nAnn,"${'never closed, line after line\n'.repeat(300_000)}`,
    ends: ['read'],
  },
  'columns.csv': {
    make: () => `${'a,'.repeat(400_000)}\n${'b,'.repeat(400_000)}\n`,
    ends: ['read', 'too_large'],
  },
  'tree-loop.pdf': {
    make: () => pdf('<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1000000>>'),
    ends: ['broken', 'timed_out', 'no_text'],
  },
  'self-length.pdf': {
    make: () =>
      pdf(
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
        '<</Length 4 0 R>>stream\nBT (x) Tj ET\nendstream',
      ),
    ends: ['broken', 'no_text', 'timed_out', 'read'],
  },
  'object-streams.pdf': {
    make: () =>
      pdf(
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '3 0 R',
        '<</Type/ObjStm/N 1/First 4/Extends 4 0 R/Length 9>>stream\n4 0 4 0 R\nendstream',
      ),
    ends: ['broken', 'no_text', 'timed_out'],
  },
  'text.png': { make: () => png(60_000, 60_000, true), ends: ['read'] },
  'dimensions.png': { make: () => png(0xffffffff, 0xffffffff, false), ends: ['read'] },
  'exif.jpg': { make: lyingJpeg, ends: ['read', 'broken'] },
}

function nest(depth: number): Uint8Array {
  let inner = rawZip([swelling('zeros.txt', 100)])
  for (let level = 0; level < depth; level++) {
    inner = rawZip(Array.from({ length: 10 }, (_, index) => deflated(`${index}.zip`, inner)))
  }
  return inner
}

/** A cell in the last column of every thousandth row: 17 thousand million places, if each had one. */
function sparseSheet(): string {
  const rows = Array.from({ length: 1_048 }, (_, index) => {
    const number = (index + 1) * 1_000
    return `<row r="${number}"><c r="A${number}"><v>${number}</v></c><c r="XFD${number}"><v>1</v></c></row>`
  })
  return `<worksheet><dimension ref="A1:${columnName(16_383)}1048576"/><sheetData>${rows.join('')}</sheetData></worksheet>`
}

/** Two hundred thousand cells that share one text of 30 KB. */
function stringsBomb(): Uint8Array {
  const rows = Array.from({ length: 200_000 }, () => '<row><c t="s"><v>0</v></c></row>')
  return xlsxOf({
    S: [['long '.repeat(6_000)]],
    T: `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}

/** Five thousand sheets that are one part. */
function sheetsBomb(): Uint8Array {
  const names = Array.from({ length: 5_000 }, (_, index) => `S${index}`)
  const rows = '<row><c t="inlineStr"><is><t>words that are said again</t></is></c></row>'.repeat(
    2_000,
  )
  return zipOf({
    ...officeParts('xl/workbook.xml', 'spreadsheetml.sheet.main'),
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets>${names.map((name) => `<sheet name="${name}" r:id="s"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': linksOf({ s: ['worksheet', 'sheet.xml'] }),
    'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
}

/** A book that reads one chapter a hundred thousand times. */
function spineBomb(): Uint8Array {
  const spine = '<itemref idref="c"/>'.repeat(100_000)
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
    'a.opf': `<package><metadata/><manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${spine}</spine></package>`,
    'c.xhtml': `<html><body>${'<p>Words of a chapter.</p>'.repeat(3_000)}</body></html>`,
  })
}

function pdf(...rest: readonly string[]): Uint8Array {
  let body = '%PDF-1.7\n'
  for (const [index, object] of ['<</Type/Catalog/Pages 2 0 R>>', ...rest].entries())
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
  return Buffer.from(`${body}trailer\n<</Root 1 0 R/Size 9>>\n%%EOF`, 'latin1')
}

/** A picture that claims a size; with a text that unpacks to 500 MB and a colour profile that does too. */
function png(width: number, height: number, withTexts: boolean): Uint8Array {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2], 8)
  const packed = withTexts ? deflateSync(Buffer.alloc(500_000_000)) : Buffer.alloc(0)
  const texts = withTexts
    ? [
        chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), packed])),
        chunk('iCCP', Buffer.concat([Buffer.from('p\0\0'), packed])),
      ]
    : []
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', size),
    ...texts,
    chunk('IDAT', Buffer.alloc(8)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(type, 4, 'latin1')
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])), 0)
  return Buffer.concat([head, data, sum])
}

/** Exif entries that claim four thousand million values each, and directories that point at themselves. */
function lyingJpeg(): Uint8Array {
  const entries = 4_000
  const tiff = Buffer.alloc(8 + 2 + entries * 12 + 4)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(8, 4)
  tiff.writeUInt16LE(entries, 8)
  for (let index = 0; index < entries; index++) {
    const at = 10 + index * 12
    tiff.writeUInt16LE(index % 2 === 0 ? 0x8769 : 0x9286, at)
    tiff.writeUInt16LE(index % 2 === 0 ? 4 : 7, at + 2)
    tiff.writeUInt32LE(index % 2 === 0 ? 1 : 0xfffffff0, at + 4)
    tiff.writeUInt32LE(8, at + 8)
  }
  tiff.writeUInt32LE(8, tiff.length - 4)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 4)
  return Buffer.concat([head, body, Buffer.from([0xff, 0xd9])])
}
