import { type Reader, refused, type Section, type Span } from '../../document.ts'
import { MAX_TEXT_UNITS } from '../../text-limits.ts'
import { findElement, findElements } from '../../xml.ts'
import { cslOfOffice, readCoreProperties } from './core-properties.ts'
import { eachPartOnce, linkOf, openPackage, type PackageParts } from './package-parts.ts'
import { isHiddenShape, readSlide, readSlideNotes } from './slide-text.ts'
import { createTimeCheck, timeUpNote } from './time-check.ts'
import { orUnreadable } from './unreadable-part.ts'

/** Reads a PowerPoint presentation: each slide a page, its title a section, with tables and the speaker's notes. */
export const readPptx: Reader = (bytes, { contentHash, fallbackTitle, timeoutMs }) =>
  orUnreadable(async () => {
    const isTimeUp = createTimeCheck(timeoutMs)
    const parts = await openPackage(bytes)
    const { text, pages, sections, notes } = await readSlides(parts, isTimeUp)
    if (text.trim() === '') {
      const hint = 'Save it as a PDF, run OCR on that and add the result.'
      return refused({
        reason: 'no_text',
        detail: 'None of its slides has text; they may contain only images.',
        hint,
      })
    }
    const properties = await readCoreProperties(parts)
    const title = properties.title ?? sections[0]?.title ?? fallbackTitle
    const csl = cslOfOffice(contentHash, 'speech', title, properties)
    return { ok: true, content: { title, text, pages, sections, csl, notes } }
  })

interface Slides {
  text: string
  readonly pages: Span[]
  readonly sections: Section[]
  readonly notes: string[]
}

async function readSlides(parts: PackageParts, isTimeUp: () => boolean): Promise<Slides> {
  const { once: slides, notes } = eachPartOnce('slides', await slidesOf(parts))
  const read: Slides = { text: '', pages: [], sections: [], notes: [...notes] }
  const withPictures: number[] = []
  const hidden: number[] = []
  const withHidden: number[] = []
  for (const [index, { part: name }] of slides.entries()) {
    const start = read.text.length
    if (start > 0 && isTimeUp()) {
      read.notes.push(timeUpNote(`slides 1 to ${index} of ${slides.length} were`))
      break
    }
    if (start > MAX_TEXT_UNITS) {
      read.notes.push(
        `only slides 1 to ${index} of ${slides.length} were read: the text is too long`,
      )
      break
    }
    const xml = await parts.xml(name)
    const links = await parts.relationships(name)
    const { title, body } = readSlide(xml)
    const spoken = links.find(({ type }) => type === 'notesSlide')?.target
    const said = spoken === undefined ? '' : readSlideNotes(await parts.xml(spoken))
    if (title !== undefined) read.sections.push({ title, level: 1, start })
    const isHidden = /^(?:0|false)$/.test(findElement(xml, 'sld')?.attributes.show ?? '')
    const texts = [
      isHidden ? '(Hidden slide)' : '',
      title ?? '',
      body,
      said === '' ? '' : `Speaker's notes: ${said}`,
    ]
    const text = texts.filter((one) => one !== '').join('\n\n')
    read.pages.push({ start, end: start + text.length })
    read.text += `${text}\n\n`
    if (links.some(({ type }) => /^(?:chart|diagramData)$/.test(type))) withPictures.push(index + 1)
    if (isHidden) hidden.push(index + 1)
    if (
      ['sp', 'graphicFrame', 'grpSp'].flatMap((kind) => findElements(xml, kind)).some(isHiddenShape)
    )
      withHidden.push(index + 1)
  }
  if (withPictures.length > 0)
    read.notes.push(`charts and diagrams are not read: slides ${withPictures.join(', ')}`)
  if (hidden.length > 0) read.notes.push(`hidden slides were read as well: ${hidden.join(', ')}`)
  if (withHidden.length > 0)
    read.notes.push(`hidden shapes were omitted: slides ${withHidden.join(', ')}`)
  read.text = read.text.trimEnd()
  const last = read.text.length
  return { ...read, pages: read.pages.map(({ start, end }) => spanWithin(start, end, last)) }
}

function spanWithin(start: number, end: number, last: number): Span {
  return { start: Math.min(start, last), end: Math.min(end, last) }
}

/** The parts of the slides in the order in which they are shown. */
async function slidesOf(parts: PackageParts): Promise<readonly { readonly part: string }[]> {
  const root = await parts.relationships('')
  const name = root.find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml'
  const links = await parts.relationships(name)
  return findElements(await parts.xml(name), 'sldId').flatMap((slide) => {
    const target = linkOf(slide, links)?.target
    return target === undefined || !parts.has(target) ? [] : [{ part: target }]
  })
}
