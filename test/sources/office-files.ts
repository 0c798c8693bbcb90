import { strToU8, type Zippable, zipSync } from 'fflate'

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const relationshipsOf = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** A zip of texts and bytes by their names. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const members: Zippable = {}
  for (const [name, content] of Object.entries(files))
    members[name] = typeof content === 'string' ? strToU8(content) : content
  return zipSync(members, { mtime: new Date(2_026, 0, 1) })
}

/** Metadata of a document. */
export interface Properties {
  readonly title?: string
  readonly author?: string
  readonly created?: string
}

/** The parts that every Office package has: content types, the link to its main part, and its properties. */
export function officeParts(
  main: string,
  contentType: string,
  { title = '', author = '', created = '' }: Properties = {},
): Record<string, string> {
  return {
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${contentType}+xml"/></Types>`,
    '_rels/.rels': linksOf({
      rId1: ['officeDocument', main],
      rId2: ['core-properties', 'docProps/core.xml'],
    }),
    'docProps/core.xml': `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dcterms:created>${created}</dcterms:created></cp:coreProperties>`,
  }
}

/** A part of links: their types and targets by id. */
export function linksOf(
  links: Readonly<Record<string, readonly [type: string, target: string]>>,
): string {
  const items = Object.entries(links).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${relationshipsOf}/${type}" Target="${target}"/>`,
  )
  return `${declaration}<Relationships xmlns="${packageRelationships}">${items.join('')}</Relationships>`
}

/** A Word document from the XML of its body. */
export function docxOf(
  body: string,
  properties?: Properties,
  more: Record<string, string> = {},
): Uint8Array {
  const heading = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`
  return zipOf({
    ...officeParts('word/document.xml', 'wordprocessingml.document.main', properties),
    'word/document.xml': `${declaration}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `${declaration}<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${heading(1)}${heading(2)}</w:styles>`,
    ...more,
  })
}

/** A paragraph of a Word document. */
export function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

/** A cell: text, a number, or a number with the number of its style. */
export type Cell = string | number | readonly [value: number, style: number] | undefined

/** A workbook: the rows of each sheet by its name, and the format codes of its styles from 1 on. */
export function xlsxOf(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[] | string>>,
  formats: readonly string[] = [],
  properties?: Properties,
): Uint8Array {
  const names = Object.keys(sheets)
  const strings: string[] = []
  const parts = Object.fromEntries(
    names.map((name, index) => [
      `xl/worksheets/sheet${index + 1}.xml`,
      sheetOf(sheets[name] ?? [], strings),
    ]),
  )
  const list = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index + 1}"/>`,
  )
  const links: Record<string, [string, string]> = {
    strings: ['sharedStrings', 'sharedStrings.xml'],
    styles: ['styles', 'styles.xml'],
  }
  for (const index of names.keys())
    links[`s${index + 1}`] = ['worksheet', `worksheets/sheet${index + 1}.xml`]
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code}"/>`,
  )
  const styles = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`)
  return zipOf({
    ...officeParts('xl/workbook.xml', 'spreadsheetml.sheet.main', properties),
    'xl/workbook.xml': `${declaration}<workbook xmlns="m" xmlns:r="${relationshipsOf}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': linksOf(links),
    'xl/sharedStrings.xml': `${declaration}<sst>${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${declaration}<styleSheet><numFmts>${codes.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...parts,
  })
}

function sheetOf(rows: readonly (readonly Cell[])[] | string, strings: string[]): string {
  if (typeof rows === 'string') return rows
  const written = rows.map((cells, row) => {
    const inside = cells.map((cell, column) =>
      cellOf(cell, `${columnName(column)}${row + 1}`, strings),
    )
    return `<row r="${row + 1}">${inside.join('')}</row>`
  })
  return `${declaration}<worksheet><sheetData>${written.join('')}</sheetData></worksheet>`
}

function cellOf(cell: Cell, reference: string, strings: string[]): string {
  if (cell === undefined) return ''
  if (typeof cell === 'string')
    return `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`
  const [value, style] = typeof cell === 'number' ? [cell, 0] : cell
  return `<c r="${reference}" s="${style}"><v>${value}</v></c>`
}

/** A column's letters: 27 is "AB". */
export function columnName(column: number): string {
  const rest = Math.floor(column / 26)
  return `${rest > 0 ? columnName(rest - 1) : ''}${String.fromCharCode(65 + (column % 26))}`
}

/** A slide: its title, the XML of its other shapes, and what the speaker says. */
export interface SlideParts {
  readonly title?: string
  readonly shapes?: string
  readonly spoken?: string
  readonly isHidden?: true
}

/** A presentation; `order` names the slides as they are shown. */
export function pptxOf(
  slides: readonly SlideParts[],
  order = [...slides.keys()],
  properties?: Properties,
): Uint8Array {
  const files: Record<string, string> = officeParts(
    'ppt/presentation.xml',
    'presentationml.presentation.main',
    properties,
  )
  const links: Record<string, [string, string]> = {}
  for (const [index, { title, shapes = '', spoken, isHidden }] of slides.entries()) {
    const number = index + 1
    links[`rId${number}`] = ['slide', `slides/slide${number}.xml`]
    const heading = title === undefined ? '' : shapeOf([title], '<p:ph type="title"/>')
    const attributes = isHidden ? ' show="0"' : ''
    files[`ppt/slides/slide${number}.xml`] =
      `${declaration}<p:sld${attributes} xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${heading}${shapes}</p:spTree></p:cSld></p:sld>`
    if (spoken === undefined) continue
    files[`ppt/slides/_rels/slide${number}.xml.rels`] = linksOf({
      n: ['notesSlide', `../notesSlides/n${number}.xml`],
    })
    files[`ppt/notesSlides/n${number}.xml`] =
      `${declaration}<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shapeOf([spoken], '<p:ph type="body"/>')}</p:spTree></p:cSld></p:notes>`
  }
  const list = order.map((index, place) => `<p:sldId id="${256 + place}" r:id="rId${index + 1}"/>`)
  files['ppt/presentation.xml'] =
    `${declaration}<p:presentation xmlns:p="p" xmlns:r="${relationshipsOf}"><p:sldIdLst>${list.join('')}</p:sldIdLst></p:presentation>`
  files['ppt/_rels/presentation.xml.rels'] = linksOf(links)
  return zipOf(files)
}

/** A shape of a slide with paragraphs. */
export function shapeOf(paragraphs: readonly string[], placeholder = ''): string {
  const text = paragraphs.map((one) => `<a:p><a:r><a:t>${one}</a:t></a:r></a:p>`)
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${text.join('')}</p:txBody></p:sp>`
}

/** An e-book: chapters as XHTML bodies by file name, in order; `metadata` is Dublin Core. */
export function epubOf(
  chapters: Readonly<Record<string, string>>,
  metadata: string,
  labels: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(chapters)
  const items = names.map(
    (name, index) =>
      `<item id="c${index}" href="text/${encodeURIComponent(name)}" media-type="application/xhtml+xml"/>`,
  )
  const spine = names.map((_, index) => `<itemref idref="c${index}"/>`)
  const points = Object.entries(labels).map(
    ([name, label]) => `<li><a href="text/${name}">${label}</a></li>`,
  )
  const files: Record<string, string> = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `${declaration}<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    'OEBPS/book.opf': `${declaration}<package xmlns:dc="dc"><metadata>${metadata}</metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    'OEBPS/nav.xhtml': `${declaration}<html><body><nav><ol>${points.join('')}</ol></nav></body></html>`,
  }
  for (const name of names)
    files[`OEBPS/text/${name}`] =
      `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${chapters[name]}</body></html>`
  return zipOf(files)
}
