import { crc32 } from 'node:zlib'

/** A word in each of the samples. */
export const sampleWord = 'glimmerstone'

/** A small generated file of one kind. */
export interface SampleFile {
  /** The kind, for a person. */
  readonly name: string
  readonly file: string
  readonly bytes: Uint8Array
}

const sentence = `The ${sampleWord} is a mineral that melts at 412 degrees, as this small file says to whoever reads it.`
const encode = (text: string) => new TextEncoder().encode(text)
const xml = (body: string) => encode(`<?xml version="1.0" encoding="UTF-8"?>${body}`)

/** A minimal file of every kind that can be read. */
export async function sampleFiles(): Promise<readonly SampleFile[]> {
  const { zipSync } = await import('fflate')
  return [
    { name: 'PDF', file: 'a.pdf', bytes: encode(pdf()) },
    { name: 'Word', file: 'a.docx', bytes: zipSync(docx()) },
    { name: 'Excel', file: 'a.xlsx', bytes: zipSync(xlsx()) },
    { name: 'PowerPoint', file: 'a.pptx', bytes: zipSync(pptx()) },
    { name: 'EPUB', file: 'a.epub', bytes: zipSync(epub(), { level: 0 }) },
    { name: 'HTML', file: 'a.html', bytes: encode(page()) },
    { name: 'CSV', file: 'a.csv', bytes: encode(`name,says\nstone,${sentence}\n`) },
    { name: 'pictures', file: 'a.png', bytes: png() },
    { name: 'Markdown', file: 'a.md', bytes: encode(`# Stones\n\n${sentence}\n`) },
    { name: 'text', file: 'a.txt', bytes: encode(sentence) },
  ]
}

/** @see https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf (annex H.3) */
function pdf(): string {
  const content = `BT /F1 8 Tf 20 100 Td (${sentence}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

const packageTypes = 'http://schemas.openxmlformats.org/package/2006/content-types'
const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const office = 'application/vnd.openxmlformats-officedocument'

/** The common parts of an Office file: its content types, and which part is the document. */
function officePackage(main: string, types: Readonly<Record<string, string>>) {
  const overrides = Object.entries(types).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${office}.${type}+xml"/>`,
  )
  return {
    '[Content_Types].xml': xml(
      `<Types xmlns="${packageTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`,
    ),
    '_rels/.rels': relations([['officeDocument', main]]),
  }
}

function relations(targets: readonly (readonly [type: string, target: string])[]): Uint8Array {
  const all = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationTypes}/${type}" Target="${target}"/>`,
  )
  return xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`,
  )
}

function docx() {
  const main = 'word/document.xml'
  return {
    ...officePackage(main, { [main]: 'wordprocessingml.document.main' }),
    [main]: xml(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${sentence}</w:t></w:r></w:p></w:body></w:document>`,
    ),
  }
}

function xlsx() {
  const main = 'xl/workbook.xml'
  const sheet = 'xl/worksheets/sheet1.xml'
  const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  return {
    ...officePackage(main, {
      [main]: 'spreadsheetml.sheet.main',
      [sheet]: 'spreadsheetml.worksheet',
    }),
    [main]: xml(
      `<workbook xmlns="${namespace}" xmlns:r="${relationTypes}"><sheets><sheet name="Stones" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations([['worksheet', 'worksheets/sheet1.xml']]),
    [sheet]: xml(
      `<worksheet xmlns="${namespace}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>says</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>${sentence}</t></is></c></row></sheetData></worksheet>`,
    ),
  }
}

function pptx() {
  const main = 'ppt/presentation.xml'
  const slide = 'ppt/slides/slide1.xml'
  const names = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relationTypes}"`
  return {
    ...officePackage(main, {
      [main]: 'presentationml.presentation.main',
      [slide]: 'presentationml.slide',
    }),
    [main]: xml(
      `<p:presentation ${names}><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    ),
    'ppt/_rels/presentation.xml.rels': relations([['slide', 'slides/slide1.xml']]),
    [slide]: xml(
      `<p:sld ${names}><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${sentence}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
    ),
  }
}

/** @see https://www.w3.org/TR/epub-33/ */
function epub() {
  return {
    mimetype: encode('application/epub+zip'),
    'META-INF/container.xml': xml(
      '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    'book.opf': xml(
      '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">stones</dc:identifier><dc:title>Stones</dc:title><dc:language>en</dc:language></metadata><manifest><item id="c1" href="c1.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c1"/></spine></package>',
    ),
    'c1.xhtml': xml(
      `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Stones</title></head><body><h1>Stones</h1><p>${sentence}</p></body></html>`,
    ),
  }
}

function page(): string {
  return `<!doctype html><html lang="en"><head><title>Stones</title></head><body><article><h1>Stones</h1><p>${sentence}</p><p>${sentence.replace('small file', 'page')}</p></article></body></html>`
}

/** A picture of one pixel whose description is the sentence. @see https://www.w3.org/TR/png-3/ */
function png(): Uint8Array {
  const chunk = (type: string, data: Uint8Array) => {
    const typed = Buffer.concat([encode(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(typed))
    return Buffer.concat([length, typed, checksum])
  }
  const header = new Uint8Array([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const points = new Uint8Array([0x78, 0x9c, 0x63, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01])
  return Buffer.concat([
    new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', encode(`Description\0${sentence}`)),
    chunk('IDAT', points),
    chunk('IEND', new Uint8Array()),
  ])
}
