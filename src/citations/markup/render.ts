import { escapeEntities, toBareTarget, toMarkdownTarget } from './addresses.ts'
import { endsInTitle } from './blocks.ts'
import { parseNumbers } from './brackets.ts'
import { toCitableUrl, toSiteName } from './canonical-url.ts'
import { isAttached } from './characters.ts'
import type { CitedEntry } from './cited-text.ts'
import { escapeHtml } from './escape-html.ts'
import { printable } from './printable.ts'
import { readStoredBlocks, type StoredMark, writeStored } from './stored-text.ts'

/**
 * Renders a stored text as Markdown for people: a mark becomes `[site](https://…)`, a link a link, an attribute holds its
 * address. An entry without an address becomes `[n]` with its number in the index. Entries that the text only defines
 * follow as definitions. Everything else is unchanged, so sanitise the text before showing it as HTML.
 */
export function renderMarkdown(text: string, cited: readonly CitedEntry[]): string {
  const entries = toSafeEntries(cited)
  const mentioned = new Set<number>()
  const written = writeStored(text, entries.length, {
    mark: (mark, before) => {
      mentioned.add(mark.n)
      return renderMark(mark, entries[mark.n - 1] as CitedEntry, before)
    },
  })
  const others = entries.filter(({ url }, index) => url !== undefined && !mentioned.has(index + 1))
  if (others.length === 0) return written
  const numbers = pickUnusedNumbers(others.length, findLiteralNumbers(text, entries.length))
  const definitions = others
    .map(
      (entry, index) => `[${numbers[index]}]: ${appendTitle(toBareTarget(entry.url ?? ''), entry)}`,
    )
    .join('\n')
  if (written.trim() === '') return definitions
  const isOpen = readStoredBlocks(text).openFence !== '' || endsInTitle(written)
  return isOpen ? `${definitions}\n\n${written}` : `${written.trimEnd()}\n\n${definitions}`
}

/** A citing attribute for people: `href="…"` if the tag is a link, `src="…"` if it shows something, otherwise `url="…"`. */
function renderAttribute({ tag }: StoredMark, { url, n }: CitedEntry): string {
  if (url === undefined) return `idx="${n}"`
  return `${chooseAttributeName(tag)}="${escapeEntities(url)}"`
}

function chooseAttributeName(tag: string): string {
  if (/^(?:a|area|base|link)$/.test(tag)) return 'href'
  const isShowing = /^(?:img|audio|video|source|track|i?frame|embed|script|input)$/.test(tag)
  return isShowing ? 'src' : 'url'
}

function renderMark(mark: StoredMark, entry: CitedEntry, before: string): string {
  if (mark.kind === 'attribute') return renderAttribute(mark, entry)
  const { url, n } = entry
  if (url === undefined) {
    const number = `${isAttached(before, before.length) ? ' ' : ''}[${n ?? mark.n}]`
    return mark.kind === 'link' ? `[${mark.words}]${number.trim()}` : number
  }
  if (mark.kind === 'link') return `[${mark.words}](${appendTitle(toMarkdownTarget(url), entry)})`
  if (before.endsWith('!')) return `<${escapeEntities(url)}>`
  return `[${toSiteName(url)}](${toMarkdownTarget(url)})`
}

/** Longer titles are omitted: some Markdown readers would not accept the link. */
const maxTitleChars = 400

function appendTitle(target: string, { label = '' }: CitedEntry): string {
  if (label === '' || label.length > maxTitleChars) return target
  const title = escapeEntities(label.replace(/[\\"]/g, '\\$&'))
  return `${target} "${title}"`
}

/** Entries that are safe to show: addresses that are not http or https are removed, others are normalized. */
function toSafeEntries(entries: readonly CitedEntry[]): readonly CitedEntry[] {
  return entries.map((entry) => {
    if (entry.url === undefined) return entry
    const url = toCitableUrl(entry.url)
    if (url === entry.url) return entry
    const { url: _unsafe, ...rest } = entry
    return url === undefined ? rest : { ...rest, url }
  })
}

/**
 * Renders a stored text as HTML for use between two tags (`white-space: pre-wrap` keeps its lines). Everything is escaped,
 * including tags of the text; the only elements are the links of its citations, which are http or https.
 */
export function renderHtml(text: string, cited: readonly CitedEntry[]): string {
  const entries = toSafeEntries(cited)
  return writeStored(text, entries.length, {
    text: escapeHtml,
    image: (_words, written) => escapeHtml(written),
    mark: (mark) => {
      const entry = entries[mark.n - 1] as CitedEntry
      if (mark.kind === 'attribute') return escapeHtml(renderAttribute(mark, entry))
      const { url, n, label } = entry
      const words = mark.kind === 'link' ? mark.words : ''
      if (url === undefined) return escapeHtml(`${words === '' ? '' : `${words} `}[${n ?? mark.n}]`)
      const title = label === undefined ? '' : ` title="${escapeHtml(label)}"`
      const shown = escapeHtml(words === '' ? toSiteName(url) : words)
      return `<a href="${escapeHtml(new URL(url).href)}"${title} rel="noopener noreferrer">${shown}</a>`
    },
  })
}

/**
 * Renders a stored text as plain text with numbered notes: a mark becomes `[1]`, a link its words and `[1]`; the sources
 * follow under "Sources". Numbers that the text uses in brackets for something else are skipped.
 */
export function renderNotes(text: string, entries: readonly CitedEntry[]): string {
  return renderWithNotes(text, entries, { text: (part) => part, linked: (words) => words })
}

/**
 * Like {@link renderNotes}, for a terminal: numbers, words and addresses are hyperlinks (OSC 8) unless `isPlain`. Control
 * characters of the text are removed.
 * @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
 */
export function renderTerminalLinks(
  text: string,
  entries: readonly CitedEntry[],
  isPlain = false,
): string {
  const linked = (words: string, url: string | undefined) =>
    url === undefined || isPlain ? words : toHyperlink(words, new URL(url).href)
  return renderWithNotes(text, entries, { text: printable, linked })
}

interface NoteStyle {
  text(part: string): string
  linked(words: string, url: string | undefined): string
}

function renderWithNotes(text: string, cited: readonly CitedEntry[], style: NoteStyle): string {
  const entries = toSafeEntries(cited)
  const numbers = pickUnusedNumbers(entries.length, findLiteralNumbers(text, entries.length))
  const written = writeStored(text, entries.length, {
    text: style.text,
    mark: (mark, before) => {
      const entry = entries[mark.n - 1] as CitedEntry
      if (mark.kind === 'attribute') return style.text(renderAttribute(mark, entry))
      const number = style.linked(`[${numbers[mark.n - 1]}]`, entry.url)
      // A parenthesis directly after would make the number the text of a link.
      const gap = text.charAt(mark.end) === '(' ? ' ' : ''
      if (mark.kind === 'link' && !/^\d*$/.test(mark.words)) {
        const words = isSafeBare(mark, text) ? mark.words : `[${mark.words}]`
        return `${style.linked(style.text(words), entry.url)} ${number}${gap}`
      }
      const isGlued = before.endsWith(']') || isAttached(before, before.length)
      return `${isGlued ? ' ' : ''}${number}${gap}`
    },
  })
  if (entries.length === 0) return written
  const fence = readStoredBlocks(text).openFence
  const body = fence === '' ? written.trimEnd() : `${written.trimEnd()}\n${fence}`
  const list = entries.map((entry, index) => renderNote(entry, numbers[index] as number, style))
  const sources = `Sources\n\n${list.join('\n')}`
  return body.trim() === '' ? sources : `${body}\n\n${sources}`
}

/** Whether words mean the same without brackets: they neither start a list or code block nor continue an address. */
function isSafeBare({ words, start }: StoredMark, text: string): boolean {
  const near = text.slice(Math.max(0, start - 200), start)
  const before = near.slice(near.lastIndexOf('\n') + 1)
  if (before.trim() === '') return /^\p{L}/u.test(words)
  return /^[\p{L}\p{N}"'“‘*_]/u.test(words) && !/:\/{0,2}\S*$/.test(before)
}

function renderNote(
  { url, n, label = '', note = '' }: CitedEntry,
  number: number,
  style: NoteStyle,
): string {
  const isTitle = label !== '' && !/:\/\/|[`[\]]/.test(label)
  const title = isTitle ? style.text(label) : ''
  const address = url === undefined ? '' : style.linked(style.text(toBareTarget(url)), url)
  const what = [title, address].filter((part) => part !== '').join(', ')
  const remark = note === '' ? '' : ` # ${style.text(note)}`
  return `${style.linked(`[${number}]`, url)} ${what === '' ? `source ${n ?? number}` : what}${remark}`
}

function toHyperlink(words: string, href: string): string {
  return `\u001b]8;;${href}\u001b\\${words}\u001b]8;;\u001b\\`
}

/** The numbers in brackets, or in marks beyond the local numbers up to `count`, that cite nothing. */
function findLiteralNumbers(text: string, count: number): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const [, content = ''] of text.matchAll(/\[(\d[^[\]]{0,250})\]/g))
    for (const number of parseNumbers(content)) numbers.add(number)
  for (const [, mark, index] of text.matchAll(/!CITE_(\d{1,9})!|idx\s*=\s*["']\s*(\d{1,9})/g)) {
    const number = Number(mark ?? index)
    if (number > count) numbers.add(number)
  }
  return numbers
}

/** The first `count` numbers from 1 that are not taken. */
function pickUnusedNumbers(count: number, taken: ReadonlySet<number>): readonly number[] {
  const numbers: number[] = []
  for (let number = 1; numbers.length < count; number++)
    if (!taken.has(number)) numbers.push(number)
  return numbers
}
