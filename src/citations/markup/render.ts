import { bareTarget, markdownTarget, withoutEntities } from './addresses.ts'
import { endsInTitle } from './blocks.ts'
import { numbersIn } from './brackets.ts'
import { citableUrl, siteName } from './canonical-url.ts'
import { isAttached } from './characters.ts'
import type { CitedEntry } from './cited-text.ts'
import { escapeHtml } from './escape-html.ts'
import { printable } from './printable.ts'
import { type StoredMark, storedBlocks, writeStored } from './stored-text.ts'

/**
 * A stored text as Markdown for people: a mark is `[site](https://…)`, a link is a link again, an attribute holds its address.
 * An entry without address is `[n]` with the number that it has elsewhere. What the text only defines follows as
 * definitions. What else stands in the text stays, so whoever shows it as HTML has to sanitise it.
 */
export function renderMarkdown(text: string, cited: readonly CitedEntry[]): string {
  const entries = safeEntries(cited)
  const mentioned = new Set<number>()
  const written = writeStored(text, entries.length, {
    mark: (mark, before) => {
      mentioned.add(mark.n)
      return markdownOf(mark, entries[mark.n - 1] as CitedEntry, before)
    },
  })
  const others = entries.filter(({ url }, index) => url !== undefined && !mentioned.has(index + 1))
  if (others.length === 0) return written
  const numbers = unusedNumbers(others.length, literalNumbers(text, entries.length))
  const definitions = others
    .map((entry, index) => `[${numbers[index]}]: ${withTitle(bareTarget(entry.url ?? ''), entry)}`)
    .join('\n')
  if (written.trim() === '') return definitions
  const isOpen = storedBlocks(text).openFence !== '' || endsInTitle(written)
  return isOpen ? `${definitions}\n\n${written}` : `${written.trimEnd()}\n\n${definitions}`
}

/** What a citing attribute of a tag holds for people: `href="…"` where the tag is a link, `src="…"` where it shows something, else `url="…"`. */
export function attributeOf({ tag }: StoredMark, { url, n }: CitedEntry): string {
  if (url === undefined) return `idx="${n}"`
  return `${attributeNameOf(tag)}="${withoutEntities(url)}"`
}

function attributeNameOf(tag: string): string {
  if (/^(?:a|area|base|link)$/.test(tag)) return 'href'
  const isShowing = /^(?:img|audio|video|source|track|i?frame|embed|script|input)$/.test(tag)
  return isShowing ? 'src' : 'url'
}

function markdownOf(mark: StoredMark, entry: CitedEntry, before: string): string {
  if (mark.kind === 'attribute') return attributeOf(mark, entry)
  const { url, n } = entry
  if (url === undefined) {
    const number = `${isAttached(before, before.length) ? ' ' : ''}[${n ?? mark.n}]`
    return mark.kind === 'link' ? `[${mark.words}]${number.trim()}` : number
  }
  if (mark.kind === 'link') return `[${mark.words}](${withTitle(markdownTarget(url), entry)})`
  if (before.endsWith('!')) return `<${withoutEntities(url)}>`
  return `[${siteName(url)}](${markdownTarget(url)})`
}

/** Longer titles are left out: some readers of Markdown would not take the link. */
const MAX_TITLE_CHARS = 400

function withTitle(target: string, { label = '' }: CitedEntry): string {
  if (label === '' || label.length > MAX_TITLE_CHARS) return target
  const title = withoutEntities(label.replace(/[\\"]/g, '\\$&'))
  return `${target} "${title}"`
}

/** Entries as they can be shown: an address that is not http or https is left out, others are as citations keep them. */
export function safeEntries(entries: readonly CitedEntry[]): readonly CitedEntry[] {
  return entries.map((entry) => {
    if (entry.url === undefined) return entry
    const url = citableUrl(entry.url)
    if (url === entry.url) return entry
    const { url: _unsafe, ...rest } = entry
    return url === undefined ? rest : { ...rest, url }
  })
}

/**
 * A stored text as HTML, to be put between two tags (`white-space: pre-wrap` keeps its lines): everything is escapeHtml, tags of
 * the text too, and nothing is an element but the links of its citations, which lead to http and https only.
 */
export function renderHtml(text: string, cited: readonly CitedEntry[]): string {
  const entries = safeEntries(cited)
  return writeStored(text, entries.length, {
    text: escapeHtml,
    image: (_words, written) => escapeHtml(written),
    mark: (mark) => {
      const entry = entries[mark.n - 1] as CitedEntry
      if (mark.kind === 'attribute') return escapeHtml(attributeOf(mark, entry))
      const { url, n, label } = entry
      const words = mark.kind === 'link' ? mark.words : ''
      if (url === undefined) return escapeHtml(`${words === '' ? '' : `${words} `}[${n ?? mark.n}]`)
      const title = label === undefined ? '' : ` title="${escapeHtml(label)}"`
      const shown = escapeHtml(words === '' ? siteName(url) : words)
      return `<a href="${escapeHtml(new URL(url).href)}"${title} rel="noopener noreferrer">${shown}</a>`
    },
  })
}

/**
 * A stored text as plain text with numbered notes: a mark is `[1]`, a link its words and `[1]`, and under "Sources" stands what
 * each number is. Numbers that the text has in brackets for something else are passed over.
 */
export function renderNotes(text: string, entries: readonly CitedEntry[]): string {
  return notesOf(text, entries, { text: (part) => part, linked: (words) => words })
}

/**
 * As {@link renderNotes}, for a terminal: numbers, words and addresses are hyperlinks (OSC 8) unless `isPlain`. No control
 * character of the text gets through.
 * @see https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda
 */
export function renderTerminalLinks(
  text: string,
  entries: readonly CitedEntry[],
  isPlain = false,
): string {
  const linked = (words: string, url: string | undefined) =>
    url === undefined || isPlain ? words : hyperlink(words, new URL(url).href)
  return notesOf(text, entries, { text: printable, linked })
}

interface NoteStyle {
  text(part: string): string
  linked(words: string, url: string | undefined): string
}

function notesOf(text: string, cited: readonly CitedEntry[], style: NoteStyle): string {
  const entries = safeEntries(cited)
  const numbers = unusedNumbers(entries.length, literalNumbers(text, entries.length))
  const written = writeStored(text, entries.length, {
    text: style.text,
    mark: (mark, before) => {
      const entry = entries[mark.n - 1] as CitedEntry
      if (mark.kind === 'attribute') return style.text(attributeOf(mark, entry))
      const number = style.linked(`[${numbers[mark.n - 1]}]`, entry.url)
      // A parenthesis right behind would make the number the words of a link.
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
  const fence = storedBlocks(text).openFence
  const body = fence === '' ? written.trimEnd() : `${written.trimEnd()}\n${fence}`
  const list = entries.map((entry, index) => noteOf(entry, numbers[index] as number, style))
  const sources = `Sources\n\n${list.join('\n')}`
  return body.trim() === '' ? sources : `${body}\n\n${sources}`
}

/** Whether words mean the same without their brackets: neither a list or code block at the start of a line, nor more of an address. */
function isSafeBare({ words, start }: StoredMark, text: string): boolean {
  const near = text.slice(Math.max(0, start - 200), start)
  const before = near.slice(near.lastIndexOf('\n') + 1)
  if (before.trim() === '') return /^\p{L}/u.test(words)
  return /^[\p{L}\p{N}"'“‘*_]/u.test(words) && !/:\/{0,2}\S*$/.test(before)
}

function noteOf(
  { url, n, label = '', note = '' }: CitedEntry,
  number: number,
  style: NoteStyle,
): string {
  const isTitle = label !== '' && !/:\/\/|[`[\]]/.test(label)
  const title = isTitle ? style.text(label) : ''
  const address = url === undefined ? '' : style.linked(style.text(bareTarget(url)), url)
  const what = [title, address].filter((part) => part !== '').join(', ')
  const remark = note === '' ? '' : ` # ${style.text(note)}`
  return `${style.linked(`[${number}]`, url)} ${what === '' ? `source ${n ?? number}` : what}${remark}`
}

function hyperlink(words: string, href: string): string {
  return `\u001b]8;;${href}\u001b\\${words}\u001b]8;;\u001b\\`
}

/** The numbers that stand in brackets in a text, or in marks beyond the local numbers up to `count`, and cite nothing. */
function literalNumbers(text: string, count: number): ReadonlySet<number> {
  const numbers = new Set<number>()
  for (const [, content = ''] of text.matchAll(/\[(\d[^[\]]{0,250})\]/g))
    for (const number of numbersIn(content)) numbers.add(number)
  for (const [, mark, index] of text.matchAll(/!CITE_(\d{1,9})!|idx\s*=\s*["']\s*(\d{1,9})/g)) {
    const number = Number(mark ?? index)
    if (number > count) numbers.add(number)
  }
  return numbers
}

/** The first `count` numbers from 1 that are not taken. */
function unusedNumbers(count: number, taken: ReadonlySet<number>): readonly number[] {
  const numbers: number[] = []
  for (let number = 1; numbers.length < count; number++)
    if (!taken.has(number)) numbers.push(number)
  return numbers
}
