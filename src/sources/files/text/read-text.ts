import { basename, extname } from 'node:path'
import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import { type Document, maxTitleUnits } from '../../document.ts'

/** The part of a {@link Document} that comes from its text. */
export type TextContent = Pick<Document, 'title' | 'text' | 'pages' | 'sections' | 'csl'>

/** Reads Markdown. The front matter gives title, authors, date and address and is removed; headings become sections. */
export function readMarkdown(written: string, id: Hash, path: string): TextContent {
  const front = parseFrontMatter(written)
  const text = written.slice(front?.end ?? 0).replace(/^\n+/, '')
  const sections = findHeadings(text)
  const first = (key: string) => front?.entries.get(key)?.[0]
  const heading = sections.find((section) => section.level === 1)?.title
  const title = first('title') ?? heading ?? basename(path, extname(path))
  return { title, text, pages: [], sections, csl: toCsl(id, title, front) }
}

/** The headings (`#` and underlined) outside code fences, each with the start of its line. */
function findHeadings(text: string): Document['sections'] {
  const headings: { title: string; level: number; start: number }[] = []
  let start = 0
  let fence: string | undefined
  let before = { line: '', start: 0 }
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line)
    if (mark !== null) fence = fenceAfter(fence, mark[1] as string, mark[2] as string)
    else if (fence === undefined) {
      const hashes = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/.exec(line)
      const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(line)
      if (hashes !== null) {
        headings.push({
          title: cleanHeading(hashes[2] ?? ''),
          level: (hashes[1] as string).length,
          start,
        })
      } else if (underline !== null && canBeUnderlined(before.line)) {
        const level = (underline[1] as string).startsWith('=') ? 1 : 2
        headings.push({ title: cleanHeading(before.line), level, start: before.start })
      }
    }
    before = { line: fence === undefined && mark === null ? line : '', start }
    start += line.length + 1
  }
  return headings.filter((heading) => heading.title !== '')
}

/** @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function fenceAfter(open: string | undefined, mark: string, rest: string): string | undefined {
  if (open === undefined) return mark.startsWith('`') && rest.includes('`') ? undefined : mark
  const closes = mark[0] === open[0] && mark.length >= open.length && rest.trim() === ''
  return closes ? undefined : open
}

function canBeUnderlined(line: string): boolean {
  return (
    line.trim() !== '' &&
    !/^(?: {0,3}(?:#{1,6}[ \t]|>|[-*+][ \t]|\d+[.)][ \t]|\|)| {4}|\t)/.test(line) &&
    !/^[-=*_ \t]+$/.test(line)
  )
}

/** A heading's text without closing hashes and inline marks. Each pattern runs in linear time. */
function cleanHeading(heading: string): string {
  return heading
    .trim()
    .slice(0, maxTitleUnits)
    .toWellFormed()
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/g, '$1')
    .trimEnd()
    .replace(/\{#[\w-]+\}$/, '')
    .replace(/(\*\*|__|\*|`+)(.+?)\1/g, '$2')
    .trim()
}

function toCsl(id: Hash, title: string, front: FrontMatter | undefined): CslItem {
  const values = (...keys: string[]) => keys.flatMap((key) => front?.entries.get(key) ?? [])
  const author = values('author', 'authors').map((literal) => ({ literal }))
  const issued = parseDate(values('date', 'published')[0])
  const [url] = values('url', 'link', 'canonical_url').filter((value) => /^https?:\/\//.test(value))
  const doi = /10\.\d{4,9}\/\S+/.exec(values('doi')[0] ?? '')?.[0]
  return {
    id,
    type: 'document',
    title,
    ...(author.length === 0 ? {} : { author }),
    ...(issued === undefined ? {} : { issued }),
    ...(url === undefined ? {} : { URL: url }),
    ...(doi === undefined ? {} : { DOI: doi }),
  }
}

/** An ISO date (year, month, day; the last two optional); other formats are ambiguous. */
function parseDate(written: string | undefined): CslItem['issued'] {
  const parts = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?![\d/.])/.exec(written ?? '')
  if (parts === null) return undefined
  return {
    'date-parts': [
      parts
        .slice(1)
        .filter((part) => part !== undefined)
        .map(Number),
    ],
  }
}

/** The entries before a Markdown text: single values as written, lists item by item. */
interface FrontMatter {
  readonly entries: ReadonlyMap<string, readonly string[]>
  /** Where the text starts. */
  readonly end: number
}

const maxFrontMatterLines = 200

/**
 * Parses the subset of YAML front matter needed for titles and authors: `key: value`, `key: [a, b]`, and lists of plain
 * values or `name: value` entries. `undefined` if there is none.
 */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  if (!/^---[ \t]*\n/.test(text)) return undefined
  const lines = text.split('\n', maxFrontMatterLines)
  const closing = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line))
  if (closing < 0) return undefined
  const inside = lines.slice(1, closing)
  const entries = parseEntries(inside)
  if (entries.size === 0 && inside.some((line) => line.trim() !== '')) return undefined
  const end = lines.slice(0, closing + 1).reduce((sum, line) => sum + line.length + 1, 0)
  return { entries, end: Math.min(end, text.length) }
}

/** The patterns run in linear time: none can match the same spaces in two ways. */
function parseEntries(lines: readonly string[]): Map<string, string[]> {
  const entries = new Map<string, string[]>()
  let key = ''
  for (const line of lines) {
    const entry = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t](.*))?$/.exec(line)
    const item = /^[ \t]*-[ \t]+([^ \t].*)$/.exec(line)
    if (entry !== null) {
      key = (entry[1] as string).toLowerCase()
      entries.set(key, parseValues(entry[2] ?? ''))
    } else if (item !== null && key !== '') {
      entries.get(key)?.push(unquote((item[1] as string).replace(/^name:(?=[ \t]*\S)/, '')))
    }
  }
  return entries
}

function parseValues(written: string): string[] {
  const value = written.trim()
  if (value === '' || /^[|>][+-]?$/.test(value)) return []
  const list = /^\[(.*)\]$/.exec(value)
  if (list === null) return [unquote(value)]
  const items = (list[1] as string).match(/[ \t]*"[^"]*"|[ \t]*'[^']*'|[^,]+/g) ?? []
  return items.map(unquote).filter((item) => item !== '')
}

function unquote(written: string): string {
  const value = written.trim()
  const quoted = /^(["'])(.*)\1[ \t]*(?:#.*)?$/.exec(value)
  return quoted === null ? value.replace(/[ \t]#.*$/s, '').trimEnd() : (quoted[2] as string)
}

const maxTitleChars = 100

/** Reads plain text. The title is its first line if that looks like one, else the file name. */
export function readPlainText(text: string, id: Hash, path: string): TextContent {
  const title = findTitle(text) ?? basename(path, extname(path))
  return { title, text, pages: [], sections: [], csl: { id, type: 'document', title } }
}

/** The first line, if it is short, does not end like a sentence, and is followed by a blank line or underline. */
function findTitle(text: string): string | undefined {
  const [first = '', second = ''] = text.slice(0, 2_000).trimStart().split('\n')
  const title = first.trim()
  const isSetApart = second.trim() === '' || /^([=\-~*#^"'`])\1{2,}\s*$/.test(second)
  const isTitle =
    /\p{L}{2}/u.test(title) && title.length <= maxTitleChars && !/[.,;:!{}<>]$/.test(title)
  return isTitle && isSetApart && text.trim().length > title.length ? title : undefined
}
