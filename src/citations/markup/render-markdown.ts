import { endsInTitle } from './blocks.ts'
import { siteName } from './canonical-url.ts'
import { isAttached } from './characters.ts'
import type { CitedEntry } from './cited-text.ts'
import { bareTarget, markdownTarget, withoutEntities } from './markdown-target.ts'
import { literalNumbers, unusedNumbers } from './note-numbers.ts'
import { safeEntries } from './safe-entries.ts'
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
