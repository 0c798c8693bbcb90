import { basename, extname } from 'node:path'
import type { CslItem } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'
import type { Document } from './document.ts'
import { type FrontMatter, frontMatterOf } from './front-matter.ts'
import { MAX_TITLE_UNITS } from './text-limits.ts'

/** What the text of a file makes: a {@link Document} without what only the bytes tell. */
export type TextContent = Pick<Document, 'title' | 'text' | 'pages' | 'sections' | 'csl'>

/** A Markdown text without its front matter, which gives title, authors, date and address; headings give the sections. */
export function readMarkdown(written: string, id: Hash, path: string): TextContent {
  const front = frontMatterOf(written)
  const text = written.slice(front?.end ?? 0).replace(/^\n+/, '')
  const sections = headingsIn(text)
  const first = (key: string) => front?.entries.get(key)?.[0]
  const heading = sections.find((section) => section.level === 1)?.title
  const title = first('title') ?? heading ?? basename(path, extname(path))
  return { title, text, pages: [], sections, csl: cslOf(id, title, front) }
}

/** The headings (`#` and underlined) outside code fences, each with where its line starts. */
function headingsIn(text: string): Document['sections'] {
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
        headings.push({ title: plain(hashes[2] ?? ''), level: (hashes[1] as string).length, start })
      } else if (underline !== null && canBeUnderlined(before.line)) {
        const level = (underline[1] as string).startsWith('=') ? 1 : 2
        headings.push({ title: plain(before.line), level, start: before.start })
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

/** A heading's words without closing hashes and inline marks. Each pattern takes time in line with the length, whatever it is given. */
function plain(heading: string): string {
  return heading
    .trim()
    .slice(0, MAX_TITLE_UNITS)
    .toWellFormed()
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/g, '$1')
    .trimEnd()
    .replace(/\{#[\w-]+\}$/, '')
    .replace(/(\*\*|__|\*|`+)(.+?)\1/g, '$2')
    .trim()
}

function cslOf(id: Hash, title: string, front: FrontMatter | undefined): CslItem {
  const values = (...keys: string[]) => keys.flatMap((key) => front?.entries.get(key) ?? [])
  const author = values('author', 'authors').map((literal) => ({ literal }))
  const issued = dateOf(values('date', 'published')[0])
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

/** A date in ISO form (year, month, day; the last two may be missing); nothing else is sure. */
function dateOf(written: string | undefined): CslItem['issued'] {
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
