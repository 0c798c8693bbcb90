import { posix } from 'node:path'
import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import {
  type FormatReader,
  maxTextUnits,
  refuse,
  type Section,
  type Unreadable,
} from '../../document.ts'
import { findElement, findElements, textContent, type XmlElement } from '../../xml.ts'
import { htmlToText } from '../html/html-to-text.ts'
import { toIssued } from '../office/core-properties.ts'
import {
  catchUnreadable,
  forEachPartOnce,
  openPackage,
  type PackageParts,
  UnreadablePart,
} from '../office/package-parts.ts'

/** Reads an e-book: chapters in reading order as sections, and the package's metadata. */
export const readEpub: FormatReader = (bytes, { contentHash, fallbackTitle }) =>
  catchUnreadable(async () => {
    const parts = await openPackage(bytes)
    await requireUnlocked(parts)
    const book = await readEpubPackage(parts)
    const { text, sections, notes, firstRefusal } = await readChapters(parts, book.chapters)
    if (text === '' && firstRefusal !== undefined) return refuse(firstRefusal)
    if (text === '') {
      const hint = 'If its pages are images, save it as a PDF, run OCR on that and add the result.'
      return refuse({ reason: 'no_text', detail: 'None of its chapters has text.', hint })
    }
    const said = chooseTitle(book.metadata)
    const title = said === '' ? fallbackTitle : said
    const csl = toCsl(contentHash, title, book.metadata)
    return { ok: true, content: { title, text, pages: [], sections, csl, notes } }
  })

/** Fonts may be scrambled; scrambled chapters mean that the book is DRM-protected. */
async function requireUnlocked(parts: PackageParts): Promise<void> {
  const text = (await parts.text('META-INF/encryption.xml')) ?? ''
  if (!/CipherReference[^>]*URI="[^"]*\.x?html?"/i.test(text)) return
  const hint = 'Get a copy without copy protection.'
  const detail = 'It is copy-protected.'
  throw new UnreadablePart({ reason: 'encrypted', detail, hint })
}

const missing: Unreadable = {
  reason: 'broken',
  detail: 'It is missing.',
  hint: 'Download the book again.',
}

async function readChapters(parts: PackageParts, named: EpubPackage['chapters']) {
  const { once: chapters, notes: said } = forEachPartOnce('chapters', named)
  const texts: string[] = []
  const sections: Section[] = []
  const notes = [...said]
  let start = 0
  let firstRefusal: Unreadable | undefined
  for (const [index, { part, label }] of chapters.entries()) {
    if (start > maxTextUnits) {
      notes.push(
        `only the first ${index} of ${chapters.length} parts were read: the text is too long`,
      )
      break
    }
    const html = await parts.text(part)
    const read = html === undefined ? missing : await htmlToText(html)
    if ('reason' in read) {
      firstRefusal ??= read
      notes.push(`${label ?? part} could not be read: ${read.detail}`)
      continue
    }
    if (read.text.trim() === '') continue
    // A chapter without a heading gets its name from the table of contents.
    if (label !== undefined && (read.sections[0]?.start ?? Number.POSITIVE_INFINITY) > 0)
      sections.push({ title: label, level: 1, start })
    sections.push(...read.sections.map((section) => ({ ...section, start: start + section.start })))
    texts.push(read.text)
    start += read.text.length + 2
  }
  return { text: texts.join('\n\n'), sections, notes, firstRefusal }
}

/** An e-book's package: chapters in reading order and metadata. */
interface EpubPackage {
  /** Part names; `label` is the chapter's name in the table of contents. */
  readonly chapters: readonly { readonly part: string; readonly label?: string }[]
  readonly metadata: readonly XmlElement[]
}

/**
 * Reads an e-book's package.
 * @see https://www.w3.org/TR/epub-33/
 * @throws {@link UnreadablePart} if there is none
 */
async function readEpubPackage(parts: PackageParts): Promise<EpubPackage> {
  const container = await parts.xml('META-INF/container.xml')
  const name = findElement(container, 'rootfile')?.attributes['full-path'] ?? ''
  if (!parts.has(name)) {
    const hint = 'Download it again, or save it again in an e-book editor.'
    throw new UnreadablePart({ reason: 'broken', detail: 'Its package is missing.', hint })
  }
  const book = await parts.xml(name)
  const folder = posix.dirname(name)
  const items = new Map(
    findElements(book, 'item').map(({ attributes }) => [
      attributes.id ?? '',
      { attributes, part: resolvePart(folder, attributes.href ?? '') },
    ]),
  )
  const labels = await readLabels(parts, [...items.values()])
  const chapters = findElements(book, 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes.idref ?? '')
    if (item === undefined || !isText(item.attributes['media-type'])) return []
    const label = labels.get(item.part)
    return [{ part: item.part, ...(label === undefined ? {} : { label }) }]
  })
  return { chapters, metadata: findElement(book, 'metadata')?.children.filter(isElement) ?? [] }
}

function isElement(child: XmlElement | string): child is XmlElement {
  return typeof child !== 'string'
}

function isText(mediaType = ''): boolean {
  return mediaType === 'application/xhtml+xml' || mediaType === 'text/html'
}

/** The part a link refers to, without the fragment. */
function resolvePart(folder: string, link: string): string {
  const path = link.replace(/[#?].*$/, '')
  try {
    return posix.join(folder, decodeURIComponent(path))
  } catch {
    return posix.join(folder, path)
  }
}

type Item = { readonly attributes: Readonly<Record<string, string>>; readonly part: string }

/** Part names in the table of contents: EPUB 3 navigation or EPUB 2 NCX. */
async function readLabels(
  parts: PackageParts,
  items: readonly Item[],
): Promise<ReadonlyMap<string, string>> {
  const navigation =
    items.find(({ attributes }) => (attributes.properties ?? '').split(' ').includes('nav')) ??
    items.find(({ attributes }) => attributes['media-type'] === 'application/x-dtbncx+xml')
  const labels = new Map<string, string>()
  if (navigation === undefined || !parts.has(navigation.part)) return labels
  const folder = posix.dirname(navigation.part)
  const elements = await parts.xml(navigation.part).catch(() => []) // Labels are optional.
  const points = findPoints(elements)
  for (const { link, label } of points) {
    const part = resolvePart(folder, link)
    if (label !== '' && !labels.has(part)) labels.set(part, label)
  }
  return labels
}

function findPoints(among: XmlElement['children']): readonly { link: string; label: string }[] {
  return among.flatMap((one) => {
    if (typeof one === 'string') return []
    const inside = findPoints(one.children)
    const link =
      one.name === 'a'
        ? one.attributes.href
        : one.name === 'navPoint'
          ? one.children.filter(isElement).find(({ name }) => name === 'content')?.attributes.src
          : undefined
    if (link === undefined) return inside
    const said = one.name === 'a' ? one : findElement(one.children, 'navLabel')
    return [{ link, label: textContent(said).replace(/\s+/g, ' ').trim() }, ...inside]
  })
}

/** A book's Dublin Core metadata as CSL-JSON. */
function toCsl(id: Hash, title: string, metadata: readonly XmlElement[]): CslItem {
  const values = (name: string) =>
    metadata
      .filter((element) => element.name === name)
      .map((element) => ({ element, text: textContent(element).replace(/\s+/g, ' ').trim() }))
      .filter(({ text }) => text !== '')
  const first = (name: string) => values(name)[0]?.text
  const author = values('creator')
    .filter(({ element }) => /^(?:aut)?$/.test(element.attributes['opf:role'] ?? ''))
    .map(({ text }) => ({ literal: text }))
  const [publisher, language] = [first('publisher'), first('language')]
  const issued = toIssued(first('date') ?? '', 0)
  const abstract = first('description')?.replace(/<[^>]{0,200}>/g, '')
  const isbn = values('identifier')
    .map(({ text }) => /(?:97[89][-\s]?)?(?:\d[-\s]?){9}[\dX]/i.exec(text)?.[0])
    .find((found) => found !== undefined && isIsbn(found))
  return {
    id,
    type: 'book',
    title,
    ...(author.length === 0 ? {} : { author }),
    ...(issued === undefined ? {} : { issued }),
    ...(publisher === undefined ? {} : { publisher }),
    ...(language === undefined ? {} : { language }),
    ...(abstract === undefined ? {} : { abstract }),
    ...(isbn === undefined ? {} : { ISBN: isbn.replace(/[-\s]/g, '') }),
  }
}

/**
 * Whether the check digit is correct.
 * @see https://www.isbn-international.org
 */
function isIsbn(written: string): boolean {
  const digits = [...written.replace(/[-\s]/g, '').toUpperCase()].map((one) =>
    one === 'X' ? 10 : Number(one),
  )
  if (digits.length === 13)
    return (
      digits.reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 3), 0) % 10 === 0
    )
  return (
    digits.length === 10 &&
    digits.reduce((sum, digit, index) => sum + digit * (10 - index), 0) % 11 === 0
  )
}

/** The book's title. */
function chooseTitle(metadata: readonly XmlElement[]): string {
  return textContent(metadata.find(({ name }) => name === 'title'))
    .replace(/\s+/g, ' ')
    .trim()
}
