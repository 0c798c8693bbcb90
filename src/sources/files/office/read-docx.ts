import {
  type FormatReader,
  maxTextUnits,
  refuse,
  type Section,
  type Unreadable,
} from '../../document.ts'
import { type HtmlText, htmlToText } from '../html/html-to-text.ts'
import { readCoreProperties, toCsl } from './core-properties.ts'
import { sliceDocument } from './document-slices.ts'
import { readStyleLooks, withoutHiddenText } from './hidden-runs.ts'
import {
  catchUnreadable,
  createTimeCheck,
  openPackage,
  type PackageParts,
  timeUpNote,
} from './package-parts.ts'

/** Parts with text; pictures, fonts, macros and embedded files are not unpacked. */
const textPart =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|word\/(?:[^/]+\.xml|_rels\/[^/]+\.rels))$/
/** Word's title style is the top heading. */
const mammothStyles = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]

/** Reads a Word document: headings as sections, tables, lists, footnotes. Deleted text and comments are left out. */
export const readDocx: FormatReader = (bytes, { contentHash, fallbackTitle, timeoutMs }) =>
  catchUnreadable(async () => {
    const isTimeUp = createTimeCheck(timeoutMs)
    const parts = await openPackage(bytes)
    const read = await readBody(parts, isTimeUp)
    if ('reason' in read) return refuse(read)
    if (read.text.trim() === '') {
      const hint = 'If it is a scan, run OCR on it first and add the result.'
      return refuse({
        reason: 'no_text',
        detail: 'It has no text; it may contain only images.',
        hint,
      })
    }
    const properties = await readCoreProperties(parts)
    const heading = read.sections.find(({ level }) => level === 1)?.title
    const title = properties.title ?? heading ?? fallbackTitle
    const csl = toCsl(contentHash, 'document', title, properties)
    return { ok: true, content: { title, ...read, pages: [], csl } }
  })

const hiddenNote =
  'hidden text was omitted: marked as hidden, white on white, or at most 2 points high'

type BodyText = HtmlText & { readonly notes: readonly string[] }

async function readBody(
  parts: PackageParts,
  isTimeUp: () => boolean,
): Promise<BodyText | Unreadable> {
  const main = await mainPart(parts)
  const links = await parts.relationships(main)
  const styles = readStyleLooks(
    await parts.xml(links.find(({ type }) => type === 'styles')?.target ?? ''),
  )
  const others = await readOtherParts(parts, main)
  let isHiding = false
  const seenOf = async (name: string): Promise<string> => {
    const written = (await parts.text(name)) ?? ''
    const seen = withoutHiddenText(written, styles)
    isHiding ||= seen !== written
    return seen
  }
  for (const { target = '', type } of links)
    if (/notes$/.test(type) && target in others) others[target] = Buffer.from(await seenOf(target))
  const texts: string[] = []
  const sections: Section[] = []
  const notes: string[] = []
  let start = 0
  for (const slice of sliceDocument(await seenOf(main))) {
    if (start > maxTextUnits) notes.push('only the first part was read: the text is too long')
    else if (start > 0 && isTimeUp()) notes.push(timeUpNote('the first part was'))
    if (notes.length > 0) break
    const read = await htmlToText(await toHtml(others, main, slice))
    if ('reason' in read) return read
    if (read.text === '') continue
    sections.push(...read.sections.map((section) => ({ ...section, start: start + section.start })))
    texts.push(read.text)
    start += read.text.length + 2
  }
  if (isHiding) notes.push(hiddenNote)
  return { text: texts.join('\n\n'), sections, notes }
}

type Parts = Record<string, Uint8Array>

/** The library unpacks archives itself, so it is given one with only the text parts, whose real sizes are known. */
async function toHtml(others: Readonly<Parts>, main: string, xml: string): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  const { zipSync } = await import('fflate')
  const files = { ...others, [main]: Buffer.from(xml) }
  const { value: html } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(files, { level: 0 })) },
    {
      styleMap: mammothStyles,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    },
  )
  return html
}

async function mainPart(parts: PackageParts): Promise<string> {
  const links = await parts.relationships('')
  return links.find(({ type }) => type === 'officeDocument')?.target ?? 'word/document.xml'
}

/** The other parts needed for the text. */
async function readOtherParts(parts: PackageParts, main: string): Promise<Parts> {
  const files: Parts = {}
  const folder = main.replace(/[^/]*$/, '')
  for (const { name } of parts.archive.entries) {
    if (name === main || name in files) continue
    if (!textPart.test(name) && !(folder !== '' && isInFolder(folder, name))) continue
    const unpacked = await parts.bytes(name)
    if (unpacked !== undefined) files[name] = unpacked
  }
  return files
}

function isInFolder(folder: string, name: string): boolean {
  return (
    name.startsWith(folder) && /^(?:[^/]+\.xml|_rels\/[^/]+\.rels)$/.test(name.slice(folder.length))
  )
}
