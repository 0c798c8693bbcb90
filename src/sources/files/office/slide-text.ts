import { findElement, findElements, type XmlElement } from '../../xml.ts'
import { type Row, tableText } from '../tables/table-text.ts'

/** What a slide says. */
export interface SlideText {
  readonly title?: string
  /** Its paragraphs and tables without the title, parted by blank lines. */
  readonly body: string
}

const TITLES: ReadonlySet<string> = new Set(['title', 'ctrTitle'])
/** What stands on every slide. */
const FURNITURE: ReadonlySet<string> = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

/** The text of a slide's shapes in their order. */
export function readSlide(slide: readonly XmlElement[]): SlideText {
  const shapes = shapesIn(findElement(slide, 'spTree')?.children ?? [])
  const titles = shapes.filter((shape) => TITLES.has(placeholderOf(shape) ?? ''))
  const title = titles
    .map((shape) => paragraphsOf(shape).join(' '))
    .join(' ')
    .trim()
  const body = shapes
    .filter((shape) => !titles.includes(shape) && !FURNITURE.has(placeholderOf(shape) ?? ''))
    .map(textOfShape)
    .filter((text) => text !== '')
    .join('\n\n')
  return title === '' ? { body } : { title, body }
}

/** What the speaker's notes of a slide say. */
export function readSlideNotes(notes: readonly XmlElement[]): string {
  return shapesIn(findElement(notes, 'spTree')?.children ?? [])
    .filter((shape) => placeholderOf(shape) === 'body')
    .map((shape) => paragraphsOf(shape).join('\n\n'))
    .join('\n\n')
    .trim()
}

/** Whether a shape, a frame or a group is there, but not shown. */
export function isHiddenShape(shape: XmlElement): boolean {
  const { hidden } = findElement(shape.children, 'cNvPr')?.attributes ?? {}
  return hidden === '1' || hidden === 'true'
}

/** Shapes and frames that are shown, those in groups too; of alternatives the one for programs that know the newest forms. */
function shapesIn(children: XmlElement['children']): readonly XmlElement[] {
  return children.flatMap((child) => {
    if (typeof child === 'string' || isHiddenShape(child)) return []
    if (child.name === 'grpSp') return shapesIn(child.children)
    if (child.name === 'AlternateContent') {
      const choice =
        findElement(child.children, 'Choice') ?? findElement(child.children, 'Fallback')
      return shapesIn(choice?.children ?? [])
    }
    return child.name === 'sp' || child.name === 'graphicFrame' ? [child] : []
  })
}

function placeholderOf(shape: XmlElement): string | undefined {
  const placeholder = findElement(findElement(shape.children, 'nvPr')?.children ?? [], 'ph')
  return placeholder === undefined ? undefined : (placeholder.attributes.type ?? 'obj')
}

function textOfShape(shape: XmlElement): string {
  const table = findElement(shape.children, 'tbl')
  if (table !== undefined) return textOfTable(table)
  const paragraphs = paragraphsOf(shape)
  return paragraphs.length < 2
    ? paragraphs.join('')
    : paragraphs.map((text) => `- ${text}`).join('\n')
}

function textOfTable(table: XmlElement): string {
  const rows = findElements(table.children, 'tr').map((row): Row => {
    const cells = findElements(row.children, 'tc').map((cell) => paragraphsOf(cell).join(' '))
    return new Map(cells.entries())
  })
  return tableText(rows)
}

/** The paragraphs in an element that have words. */
function paragraphsOf(element: XmlElement): readonly string[] {
  return findElements(element.children, 'p')
    .map((paragraph) =>
      runsOf(paragraph)
        .replace(/[^\S\n]+/g, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
}

function runsOf({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (typeof child === 'string') return ''
      if (child.name === 't')
        return child.children.filter((one) => typeof one === 'string').join('')
      if (child.name === 'br') return ' '
      return child.name === 'pPr' ? '' : runsOf(child)
    })
    .join('')
}
