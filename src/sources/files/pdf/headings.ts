import type { PdfLine } from './lines.ts'
import type { JoinedLines } from './paragraphs.ts'

/** The size and font of most of a document's text. */
export interface BodyStyle {
  readonly size: number
  readonly font: string
}

/** A heading, and its offset in the page's text. */
export interface Heading {
  readonly title: string
  /** 1 is the highest. */
  readonly level: number
  readonly start: number
  /** Identified by size alone, the weakest evidence. */
  readonly bySize: boolean
}

const maxHeadingChars = 120
const maxHeadingLines = 4
/** A heading followed by the section's first sentence on the same line. */
const runIn = /( \S*\p{L}{2}\)?)\. \p{Lu}.*$/u
/** Text this many times the body size may be a heading. */
const headingSize = 1.12
const numberedHeading =
  /^(?:([1-9]\d?(?:\.[1-9]\d?){0,3})\.?|([IVX]{1,5})\.|([A-Z](?:\.\d{1,2}){0,3})\.?|Chapter \d+:?|Appendix [A-Z\d]:?)\s+\p{Lu}/u
const known =
  /^(?:abstract|summary|introduction|background|related work|methods?|materials and methods|results(?: and discussion)?|discussion|conclusions?|acknowledge?ments?|references|bibliography|appendix|contents|table of contents)$/i

/** The style of most characters in upright lines. */
export function findBodyStyle(pages: readonly (readonly PdfLine[])[]): BodyStyle {
  const counts = new Map<string, { style: BodyStyle; characters: number }>()
  for (const { tilted, size, font, text } of pages.flat()) {
    if (tilted) continue
    const key = `${font} ${Math.round(10 * size)}`
    const entry = counts.get(key) ?? { style: { size, font }, characters: 0 }
    entry.characters += text.length
    counts.set(key, entry)
  }
  let most: { style: BodyStyle; characters: number } | undefined
  for (const entry of counts.values()) {
    if (most === undefined || entry.characters > most.characters) most = entry
  }
  return most?.style ?? { size: 10, font: '' }
}

/**
 * The headings of a page: lines set apart that are numbered or well-known and in another font than the body, or clearly
 * larger than it.
 */
export function findHeadings(
  lines: readonly PdfLine[],
  { starts, breaks }: JoinedLines,
  body: BodyStyle,
): Heading[] {
  const headings: Heading[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as PdfLine
    if (line.tilted || (index > 0 && !isApart(breaks[index]))) continue
    const end = findBlockEnd(lines, breaks, index)
    const words = lines.slice(index, end).map((part) => part.text)
    const title = words.join(' ').replace(runIn, '$1')
    const found = findHeading(title, line, body)
    if (found !== undefined && end - index <= maxHeadingLines) {
      headings.push({ ...found, title, start: starts[index] as number })
      index = end - 1
    }
  }
  return headings
}

function isApart(kind: JoinedLines['breaks'][number] | undefined): boolean {
  return kind === 'paragraph' || kind === 'line'
}

/** The end of the block starting at `index`: cells of its row and adjacent lines of the same style. */
function findBlockEnd(
  lines: readonly PdfLine[],
  breaks: JoinedLines['breaks'],
  index: number,
): number {
  const first = lines[index] as PdfLine
  let last = first
  let end = index + 1
  for (; end < lines.length; end++) {
    const line = lines[end] as PdfLine
    if (line.continuesRow || breaks[end] === 'none') continue
    const isAlike = line.font === first.font && Math.abs(line.size - first.size) < 0.05 * first.size
    const down = last.y - line.y
    const isApartFromNumber = breaks[end] === 'paragraph' && !/\p{L}{2}/u.test(last.text)
    if (
      isApartFromNumber ||
      !isAlike ||
      down < 0 ||
      down > 1.6 * line.size ||
      numberedHeading.test(line.text)
    )
      break
    last = line
  }
  return end
}

function findHeading(
  title: string,
  line: PdfLine,
  body: BodyStyle,
): { level: number; bySize: boolean } | undefined {
  if (title.length > maxHeadingChars || !/\p{L}{3}/u.test(title) || /[.,;]$/.test(title))
    return undefined
  if (/\.{4}|(?:\. ){3}/.test(title)) return undefined
  const isLarge = line.size >= headingSize * body.size
  const isMarked = isLarge || (line.font !== body.font && line.size >= 0.9 * body.size)
  const isShouted = title === title.toUpperCase() && title.length >= 5 && title.length <= 60
  const numbered = numberedHeading.exec(title)
  if (numbered !== null && (isMarked || (isShouted && numbered[3] === undefined)))
    return { level: headingLevel(numbered), bySize: false }
  if (!isMarked) return undefined
  if (known.test(title) || (isShouted && isLarge)) return { level: 1, bySize: false }
  if (!isLarge || !/^[\p{Lu}\p{Lo}\d“"]/u.test(title)) return undefined
  return { level: line.size >= 1.4 * body.size ? 1 : 2, bySize: true }
}

function headingLevel([, decimal, , letter]: RegExpExecArray): number {
  const number = decimal ?? letter
  return number === undefined ? 1 : number.split('.').length
}
