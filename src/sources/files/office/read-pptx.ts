import {
  type FormatReader,
  maxTextUnits,
  refuse,
  type Section,
  type TextSpan,
} from '../../document.ts'
import { findElement, findElements, type XmlElement } from '../../xml.ts'
import { type Row, tableText } from '../tables/table-text.ts'
import { readCoreProperties, toCsl } from './core-properties.ts'
import {
  catchUnreadable,
  createTimeCheck,
  findLink,
  forEachPartOnce,
  openPackage,
  type PackageParts,
  timeUpNote,
} from './package-parts.ts'

/** Reads a PowerPoint presentation: each slide a page and section, with tables and speaker notes. */
export const readPptx: FormatReader = (bytes, { contentHash, fallbackTitle, timeoutMs }) =>
  catchUnreadable(async () => {
    const isTimeUp = createTimeCheck(timeoutMs)
    const parts = await openPackage(bytes)
    const { text, pages, sections, notes } = await readSlides(parts, isTimeUp)
    if (text.trim() === '') {
      const hint = 'Save it as a PDF, run OCR on that and add the result.'
      return refuse({
        reason: 'no_text',
        detail: 'None of its slides has text; they may contain only images.',
        hint,
      })
    }
    const properties = await readCoreProperties(parts)
    const title = properties.title ?? sections[0]?.title ?? fallbackTitle
    const csl = toCsl(contentHash, 'speech', title, properties)
    return { ok: true, content: { title, text, pages, sections, csl, notes } }
  })

interface Slides {
  text: string
  readonly pages: TextSpan[]
  readonly sections: Section[]
  readonly notes: string[]
}

async function readSlides(parts: PackageParts, isTimeUp: () => boolean): Promise<Slides> {
  const { once: slides, notes } = forEachPartOnce('slides', await listSlides(parts))
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
    if (start > maxTextUnits) {
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

function spanWithin(start: number, end: number, last: number): TextSpan {
  return { start: Math.min(start, last), end: Math.min(end, last) }
}

/** The parts of the slides in presentation order. */
async function listSlides(parts: PackageParts): Promise<readonly { readonly part: string }[]> {
  const root = await parts.relationships('')
  const name = root.find(({ type }) => type === 'officeDocument')?.target ?? 'ppt/presentation.xml'
  const links = await parts.relationships(name)
  return findElements(await parts.xml(name), 'sldId').flatMap((slide) => {
    const target = findLink(slide, links)?.target
    return target === undefined || !parts.has(target) ? [] : [{ part: target }]
  })
}

/** The text of a slide. */
interface SlideText {
  readonly title?: string
  /** Paragraphs and tables without the title, separated by blank lines. */
  readonly body: string
}

const titleTypes: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
/** Placeholders repeated on every slide. */
const furniture: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

/** The text of a slide's shapes in order. */
function readSlide(slide: readonly XmlElement[]): SlideText {
  const shapes = findShapes(findElement(slide, 'spTree')?.children ?? [])
  const titles = shapes.filter((shape) => titleTypes.has(placeholderType(shape) ?? ''))
  const title = titles
    .map((shape) => readParagraphs(shape).join(' '))
    .join(' ')
    .trim()
  const body = shapes
    .filter((shape) => !titles.includes(shape) && !furniture.has(placeholderType(shape) ?? ''))
    .map(readShape)
    .filter((text) => text !== '')
    .join('\n\n')
  return title === '' ? { body } : { title, body }
}

/** The text of a slide's speaker notes. */
function readSlideNotes(notes: readonly XmlElement[]): string {
  return findShapes(findElement(notes, 'spTree')?.children ?? [])
    .filter((shape) => placeholderType(shape) === 'body')
    .map((shape) => readParagraphs(shape).join('\n\n'))
    .join('\n\n')
    .trim()
}

/** Whether a shape, frame or group is hidden. */
function isHiddenShape(shape: XmlElement): boolean {
  const { hidden } = findElement(shape.children, 'cNvPr')?.attributes ?? {}
  return hidden === '1' || hidden === 'true'
}

/** Visible shapes and frames, including those in groups; of alternatives, the newest. */
function findShapes(children: XmlElement['children']): readonly XmlElement[] {
  return children.flatMap((child) => {
    if (typeof child === 'string' || isHiddenShape(child)) return []
    if (child.name === 'grpSp') return findShapes(child.children)
    if (child.name === 'AlternateContent') {
      const choice =
        findElement(child.children, 'Choice') ?? findElement(child.children, 'Fallback')
      return findShapes(choice?.children ?? [])
    }
    return child.name === 'sp' || child.name === 'graphicFrame' ? [child] : []
  })
}

function placeholderType(shape: XmlElement): string | undefined {
  const placeholder = findElement(findElement(shape.children, 'nvPr')?.children ?? [], 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes.type ?? 'obj')
}

function readShape(shape: XmlElement): string {
  const table = findElement(shape.children, 'tbl')
  if (table !== undefined) return readTable(table)
  const paragraphs = readParagraphs(shape)
  return paragraphs.length < 2
    ? paragraphs.join('')
    : paragraphs.map((text) => `- ${text}`).join('\n')
}

function readTable(table: XmlElement): string {
  const rows = findElements(table.children, 'tr').map((row): Row => {
    const cells = findElements(row.children, 'tc').map((cell) => readParagraphs(cell).join(' '))
    return new Map(cells.entries())
  })
  return tableText(rows)
}

/** The non-empty paragraphs of an element. */
function readParagraphs(element: XmlElement): readonly string[] {
  return findElements(element.children, 'p')
    .map((paragraph) =>
      readRuns(paragraph)
        .replace(/[^\S\n]+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
}

function readRuns({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return ''
      if (child.name === 't')
        return child.children.filter((one) => typeof one === 'string').join('')
      if (child.name === 'br') return ' '
      return child.name === 'pPr' ? '' : readRuns(child)
    })
    .join('')
}
