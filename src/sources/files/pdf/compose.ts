import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import type { Document, TextSpan } from '../../document.ts'
import { type BodyStyle, findBodyStyle, findHeadings, type Heading } from './headings.ts'
import { createVocabulary, type Vocabulary } from './hyphens.ts'
import type { PdfLine } from './lines.ts'
import { type PdfInfo, toCsl } from './metadata.ts'
import { joinLines } from './paragraphs.ts'
import { toReadingOrder } from './reading-order.ts'

/** The part of a {@link Document} that comes from a PDF's pages. */
export interface PdfContent {
  readonly title: string
  readonly text: string
  readonly pages: readonly TextSpan[]
  readonly sections: Document['sections']
  readonly csl: CslItem
}

/** What a PDF draws. */
export interface DrawnPages {
  /** The lines of each page in drawing order. */
  readonly pages: readonly (readonly PdfLine[])[]
  /** Numbers of pages whose text is not drawn but recognised in a picture (OCR). */
  readonly recognised: ReadonlySet<number>
  readonly info: PdfInfo
}

/** Precedes the text of a recognised page. */
const recognisedMark =
  '[Not visible on the page: text that a program recognised in the picture of it]\n\n'

/** More headings per page, identified by size alone, are not headings: a poster, a table in large type. */
const maxSizeHeadingsPerPage = 4

/** Composes a PDF's text, pages, headings and title from its lines in drawing order. */
export function composePdf(
  id: Hash,
  { pages: drawnPages, recognised, info }: DrawnPages,
  fallbackTitle: string,
): PdfContent {
  const allPages = drawnPages.map(toReadingOrder)
  const title = findTitle(info.title, allPages[0] ?? []) ?? fallbackTitle
  const pages = removeRunningHeads(allPages)
  const body = findBodyStyle(pages)
  const vocabulary = createVocabulary(toLines(pages))
  return {
    title,
    csl: toCsl(id, title, info, allPages[0] ?? []),
    ...joinPages(pages, recognised, { body, vocabulary, title }),
  }
}

function* toLines(pages: readonly (readonly PdfLine[])[]): Iterable<string> {
  for (const lines of pages) for (const line of lines) yield line.text
}

interface PageFacts {
  readonly body: BodyStyle
  readonly vocabulary: Vocabulary
  readonly title: string
}

function joinPages(
  pages: readonly (readonly PdfLine[])[],
  recognised: ReadonlySet<number>,
  { body, vocabulary, title }: PageFacts,
): Pick<PdfContent, 'text' | 'pages' | 'sections'> {
  const texts: string[] = []
  const spans: TextSpan[] = []
  const headings: Heading[] = []
  let start = 0
  for (const [index, lines] of pages.entries()) {
    const joined = joinLines(lines, vocabulary)
    const found = findHeadings(lines, joined, body)
    const kept = index === 0 ? removeFrontMatter(found, title) : found
    const mark = recognised.has(index + 1) ? recognisedMark : ''
    const text = mark + joined.text
    const shift = start + mark.length
    headings.push(...kept.map((heading) => ({ ...heading, start: shift + heading.start })))
    texts.push(text)
    spans.push({ start, end: start + text.length })
    start += text.length + 2
  }
  const sections = credible(headings, pages.length).map(({ title: name, level, start: at }) => ({
    title: name,
    level,
    start: at,
  }))
  return { text: texts.join('\n\n'), pages: spans, sections }
}

/** Headings without entries of a table of contents and, if there are too many, without those identified by size alone. */
function credible(headings: readonly Heading[], pageCount: number): Heading[] {
  const titles = new Set(headings.map((heading) => heading.title))
  const isEntry = ({ title }: Heading) =>
    / \d+$/.test(title) && titles.has(title.replace(/ \d+$/, ''))
  const bySize = headings.filter((heading) => heading.bySize).length
  const areTooMany = bySize > maxSizeHeadingsPerPage * pageCount
  return headings.filter((heading) => !isEntry(heading) && !(areTooMany && heading.bySize))
}

/** The first page's headings without the title and authors in large type. */
function removeFrontMatter(headings: readonly Heading[], title: string): Heading[] {
  const firstSure = headings.findIndex((heading) => !heading.bySize)
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '')
  const said = letters(title)
  return headings.filter(
    (heading, index) =>
      !(heading.bySize && index < firstSure) && !said.includes(letters(heading.title)),
  )
}

const maxTitleChars = 300
/** Titles that programs write by default, and file names. */
const junkTitle =
  /^(?:microsoft (?:word|powerpoint|excel)\b|powerpoint presentation|presentation ?\d*$|untitled|document ?\d*$|slide ?\d+$|title$|no title|print|about:blank|https?:)|\.(?:docx?|pptx?|xlsx?|tex|dvi|ps|eps|pdf|indd|qxd|fm|rtf|txt|html?|md|odt|pages)$/i

/**
 * The document's title: from the metadata if plausible and its words are on the first page (without additions to the
 * largest text there, such as the journal); else that largest text; else any plausible title in the metadata; else
 * `undefined`.
 */
export function findTitle(
  metadataTitle: string | undefined,
  firstPage: readonly PdfLine[],
): string | undefined {
  const given = metadataTitle?.replace(/\s+/g, ' ').trim() ?? ''
  const shown = findLargestText(firstPage)
  if (!isSaneTitle(given)) return shown
  if (shown === undefined) return given
  const isLonger =
    given.length > shown.length && countLetters(given).startsWith(countLetters(shown))
  return !isLonger && isOnPage(given, firstPage) ? given : shown
}

function isSaneTitle(title: string): boolean {
  const words = title.match(/\p{L}{2,}/gu) ?? []
  return (
    words.length >= 2 && /\s/.test(title) && title.length <= maxTitleChars && !junkTitle.test(title)
  )
}

function isOnPage(title: string, page: readonly PdfLine[]): boolean {
  const said = new Set(splitWords(page.map((line) => line.text).join(' ')))
  const words = splitWords(title)
  return words.length > 0 && words.filter((word) => said.has(word)).length >= 0.7 * words.length
}

function countLetters(text: string): string {
  return splitWords(text).join('')
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []
}

/**
 * The largest run of lines of one size with at least two words, if larger than other text and in the upper part of the
 * page.
 */
function findLargestText(page: readonly PdfLine[]): string | undefined {
  const upright = page.filter((line) => !line.tilted && /\p{L}{2}/u.test(line.text))
  const heights = upright.map((line) => line.y)
  const middle = (Math.max(...heights) + Math.min(...heights)) / 2
  const sizes = [...new Set(upright.map((line) => Math.round(line.size * 2) / 2))]
  sizes.sort((one, other) => other - one)
  const smallest = sizes.at(-1) ?? 0
  for (const size of sizes) {
    const title = firstBlock(upright, size)
    if (title === undefined || title.y < middle) continue
    if (size > smallest && isTitleLike(title.text)) return title.text
  }
  return undefined
}

function isTitleLike(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? []
  const isLabel =
    /^(?:research article|original (?:article|paper|research)|review(?: article)?|open access|abstract)$/i
  return words.length >= 2 && text.length <= maxTitleChars && !isLabel.test(text)
}

/** The first adjacent lines of one size. */
function firstBlock(
  lines: readonly PdfLine[],
  size: number,
): { text: string; y: number } | undefined {
  const isOfSize = (line: PdfLine) => Math.abs(line.size - size) <= 0.5
  const first = lines.findIndex(isOfSize)
  const head = lines[first]
  if (head === undefined) return undefined
  let text = head.text
  for (const [index, line] of lines.slice(first + 1).entries()) {
    const before = lines[first + index] as PdfLine
    if (!isOfSize(line) || before.y - line.y > 2.2 * size) break
    text += ` ${line.text}`
  }
  return { text: text.replace(/(\p{L})- (?=\p{Ll})/gu, '$1').replace(/[\s*∗†]+$/, ''), y: head.y }
}

/** Minimum number and share of pages on which text at the same place is a running head. */
const minPages = 3
const minPartOfPages = 0.3
/** Tolerance of a running head's baseline between pages, in points. */
const placeTolerancePoints = 4
/** Rows inspected at the top and bottom of a page. */
const outerRows = 2
/** Minimum distance of a running head from the text, in font sizes. */
const minDistanceEm = 1.4

/**
 * Removes running heads and feet, page numbers and repeated margin stamps. Only certain cases: the same words in the
 * same place on three pages and a third of all, whose first occurrence is kept, or a bare number that counts with the
 * pages. A page with nothing else is kept.
 */
export function removeRunningHeads(
  pages: readonly (readonly PdfLine[])[],
): readonly (readonly PdfLine[])[] {
  if (pages.length < minPages) return pages
  const groups = new Map<string, Set<number>>()
  pages.forEach((lines, page) => {
    for (const line of findOuterLines(lines)) {
      for (const key of listKeys(line, page)) {
        const group = groups.get(key) ?? new Set()
        groups.set(key, group.add(page))
      }
    }
  })
  const isRepeated = (line: PdfLine, page: number) =>
    listKeys(line, page).some((key) => {
      const group = groups.get(key) ?? new Set()
      if (key.startsWith('number')) return group.size >= minPages
      const isFirst = group.values().next().value === page
      return !isFirst && group.size >= Math.max(minPages, minPartOfPages * pages.length)
    })
  return pages.map((lines, page) => {
    const repeated = new Set(findOuterLines(lines).filter((line) => isRepeated(line, page)))
    const kept = lines.filter((line) => !repeated.has(line))
    return kept.length === 0 ? lines : kept
  })
}

/** Margin stamps, and top and bottom rows set apart from the rest. */
function findOuterLines(lines: readonly PdfLine[]): PdfLine[] {
  const upright = lines.filter((line) => !line.tilted)
  const downwards = groupRows(upright, (one, other) => other.y - one.y)
  const upwards = groupRows(upright, (one, other) => one.y - other.y)
  return [...lines.filter((line) => line.tilted), ...apart(downwards), ...apart(upwards)]
}

function groupRows(
  lines: readonly PdfLine[],
  order: (one: PdfLine, other: PdfLine) => number,
): PdfLine[][] {
  const rows: PdfLine[][] = []
  for (const line of [...lines].sort(order)) {
    const first = rows.at(-1)?.[0]
    if (first !== undefined && Math.abs(first.y - line.y) < 0.5 * first.size)
      rows.at(-1)?.push(line)
    else if (rows.length > outerRows) break
    else rows.push([line])
  }
  return rows
}

function apart(rows: readonly PdfLine[][]): PdfLine[] {
  for (let count = outerRows; count > 0; count--) {
    const [last, next] = [rows[count - 1]?.[0], rows[count]?.[0]]
    if (last === undefined || next === undefined) continue
    const isApart = Math.abs(last.y - next.y) > minDistanceEm * Math.max(last.size, next.size)
    if (isApart) return rows.slice(0, count).flat()
  }
  return []
}

/** Each line counts for two neighbouring places, so that rounding does not separate equal ones. */
function listKeys(line: PdfLine, page: number): string[] {
  const number = findPageNumber(line.text)
  const said = number === undefined ? `words ${line.text}` : `number ${number - page}`
  const place = line.y / placeTolerancePoints
  return [Math.floor(place), Math.ceil(place)].map((row) => `${said} at ${row}`)
}

function findPageNumber(text: string): number | undefined {
  const found =
    /^(?:page|p\.)?\s*[-–—|[(]?\s*(\d{1,4})\s*[-–—|\])]?(?:\s*(?:of|\/)\s*\d{1,4})?$/i.exec(text)
  return found === null ? undefined : Number(found[1])
}
