import { type Reader, refused, type Section, type Unreadable } from '../../document.ts'
import { MAX_TEXT_UNITS } from '../../text-limits.ts'
import { htmlToText } from '../html/html-to-text.ts'
import { eachPartOnce, openPackage, type PackageParts } from '../office/package-parts.ts'
import { orUnreadable, UnreadablePart } from '../office/unreadable-part.ts'
import { cslOfEpub, type EpubPackage, readEpubPackage, titleOfEpub } from './epub-package.ts'

/** Reads an e-book: its chapters in reading order as sections, and what its package says of the book. */
export const readEpub: Reader = (bytes, { contentHash, fallbackTitle }) =>
  orUnreadable(async () => {
    const parts = await openPackage(bytes)
    await requireUnlocked(parts)
    const book = await readEpubPackage(parts)
    const { text, sections, notes, firstRefusal } = await readChapters(parts, book.chapters)
    if (text === '' && firstRefusal !== undefined) return refused(firstRefusal)
    if (text === '') {
      const hint = 'If its pages are images, save it as a PDF, run OCR on that and add the result.'
      return refused({ reason: 'no_text', detail: 'None of its chapters has text.', hint })
    }
    const said = titleOfEpub(book.metadata)
    const title = said === '' ? fallbackTitle : said
    const csl = cslOfEpub(contentHash, title, book.metadata)
    return { ok: true, content: { title, text, pages: [], sections, csl, notes } }
  })

/** Fonts may be scrambled; when chapters are, the book is locked to a shop's reader. */
async function requireUnlocked(parts: PackageParts): Promise<void> {
  const text = (await parts.text('META-INF/encryption.xml')) ?? ''
  if (!/CipherReference[^>]*URI="[^"]*\.x?html?"/i.test(text)) return
  const hint = 'Get a copy without copy protection.'
  const detail = 'It is copy-protected.'
  throw new UnreadablePart({ reason: 'encrypted', detail, hint })
}

const MISSING: Unreadable = {
  reason: 'broken',
  detail: 'It is missing.',
  hint: 'Download the book again.',
}

async function readChapters(parts: PackageParts, named: EpubPackage['chapters']) {
  const { once: chapters, notes: said } = eachPartOnce('chapters', named)
  const texts: string[] = []
  const sections: Section[] = []
  const notes = [...said]
  let start = 0
  let firstRefusal: Unreadable | undefined
  for (const [index, { part, label }] of chapters.entries()) {
    if (start > MAX_TEXT_UNITS) {
      notes.push(
        `only the first ${index} of ${chapters.length} parts were read: the text is too long`,
      )
      break
    }
    const html = await parts.text(part)
    const read = html === undefined ? MISSING : await htmlToText(html)
    if ('reason' in read) {
      firstRefusal ??= read
      notes.push(`${label ?? part} could not be read: ${read.detail}`)
      continue
    }
    if (read.text.trim() === '') continue
    // A chapter without a heading of its own has the name that the table of contents gives it.
    if (label !== undefined && (read.sections[0]?.start ?? Number.POSITIVE_INFINITY) > 0)
      sections.push({ title: label, level: 1, start })
    sections.push(...read.sections.map((section) => ({ ...section, start: start + section.start })))
    texts.push(read.text)
    start += read.text.length + 2
  }
  return { text: texts.join('\n\n'), sections, notes, firstRefusal }
}
