import { isAttached } from './characters.ts'
import type { CitedEntry } from './cited-text.ts'
import { bareTarget } from './markdown-target.ts'
import { literalNumbers, unusedNumbers } from './note-numbers.ts'
import { printable } from './printable.ts'
import { attributeOf } from './render-markdown.ts'
import { safeEntries } from './safe-entries.ts'
import { type StoredMark, storedBlocks, writeStored } from './stored-text.ts'

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
