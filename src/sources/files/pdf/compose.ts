import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import type { Document, Span } from '../../document.ts'
import { type BodyStyle, bodyStyleOf, type Heading, headingsOf } from './headings.ts'
import { type Vocabulary, vocabularyOf } from './hyphens.ts'
import type { Line } from './lines.ts'
import { cslOfPdf, type PdfInfo } from './metadata.ts'
import { joinLines } from './paragraphs.ts'
import { inReadingOrder } from './reading-order.ts'
import { withoutRunningHeads } from './running-heads.ts'
import { titleOf } from './title.ts'

/** What a PDF's pages make: a {@link Document} without what only the file's bytes tell. */
export interface PdfContent {
  readonly title: string
  readonly text: string
  readonly pages: readonly Span[]
  readonly sections: Document['sections']
  readonly csl: CslItem
}

/** What a PDF draws. */
export interface DrawnPages {
  /** The lines of each page in the order in which they are drawn. */
  readonly pages: readonly (readonly Line[])[]
  /** The numbers of the pages whose text is not drawn, but what a program recognised in a picture of the page. */
  readonly recognised: ReadonlySet<number>
  readonly info: PdfInfo
}

/** What stands before the text of a page that is recognised. */
const RECOGNISED_MARK =
  '[Not visible on the page: text that a program recognised in the picture of it]\n\n'

/** More headings a page than this, told by size alone, are not headings: a poster, a table in large type. */
const MAX_SIZE_HEADINGS_PER_PAGE = 4

/** The text of a PDF, with pages, headings and title, from its lines in the order in which they are drawn. */
export function composePdf(
  id: Hash,
  { pages: drawnPages, recognised, info }: DrawnPages,
  fallbackTitle: string,
): PdfContent {
  const allPages = drawnPages.map(inReadingOrder)
  const title = titleOf(info.title, allPages[0] ?? []) ?? fallbackTitle
  const pages = withoutRunningHeads(allPages)
  const body = bodyStyleOf(pages)
  const vocabulary = vocabularyOf(linesOf(pages))
  return {
    title,
    csl: cslOfPdf(id, title, info, allPages[0] ?? []),
    ...joinPages(pages, recognised, { body, vocabulary, title }),
  }
}

function* linesOf(pages: readonly (readonly Line[])[]): Iterable<string> {
  for (const lines of pages) for (const line of lines) yield line.text
}

interface PageFacts {
  readonly body: BodyStyle
  readonly vocabulary: Vocabulary
  readonly title: string
}

function joinPages(
  pages: readonly (readonly Line[])[],
  recognised: ReadonlySet<number>,
  { body, vocabulary, title }: PageFacts,
): Pick<PdfContent, 'text' | 'pages' | 'sections'> {
  const texts: string[] = []
  const spans: Span[] = []
  const headings: Heading[] = []
  let start = 0
  for (const [index, lines] of pages.entries()) {
    const joined = joinLines(lines, vocabulary)
    const found = headingsOf(lines, joined, body)
    const kept = index === 0 ? withoutFrontMatter(found, title) : found
    const mark = recognised.has(index + 1) ? RECOGNISED_MARK : ''
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

/** The headings without a table of contents' entries and, where there are too many, without those told by size alone. */
function credible(headings: readonly Heading[], pageCount: number): Heading[] {
  const titles = new Set(headings.map((heading) => heading.title))
  const isEntry = ({ title }: Heading) =>
    / \d+$/.test(title) && titles.has(title.replace(/ \d+$/, ''))
  const bySize = headings.filter((heading) => heading.bySize).length
  const areTooMany = bySize > MAX_SIZE_HEADINGS_PER_PAGE * pageCount
  return headings.filter((heading) => !isEntry(heading) && !(areTooMany && heading.bySize))
}

/** The first page's headings without its title and the authors' names in large type. */
function withoutFrontMatter(headings: readonly Heading[], title: string): Heading[] {
  const firstSure = headings.findIndex((heading) => !heading.bySize)
  const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '')
  const said = letters(title)
  return headings.filter(
    (heading, index) =>
      !(heading.bySize && index < firstSure) && !said.includes(letters(heading.title)),
  )
}
