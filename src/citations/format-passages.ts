import { keepInside } from '../kernel/text/result-text.ts'
import type { ReadPassage } from './claim.ts'

const maxTitleCharacters = 200

/**
 * Passages as models read them: the titles of their sources under their numbers, then each passage in a tag that nothing in it can
 * end, with its number, page, section and position (`at`). Marks such as [7] that belong to the source itself read [ref 7], so
 * that they cannot be taken for ours.
 */
export function formatPassages(passages: readonly ReadPassage[]): string {
  const sources = formatTitles(passages)
  return [...(sources === '' ? [] : [sources]), ...passages.map(formatPassage)].join('\n\n')
}

/** The titles of sources under their numbers, one a line, each once; empty if none is known. */
export function formatTitles(
  sources: readonly { readonly n: number; readonly title?: string }[],
): string {
  const titles = new Map(sources.map(({ n, title }) => [n, title]))
  return [...titles]
    .filter(([, title]) => title !== undefined)
    .toSorted(([one], [other]) => one - other)
    .map(([n, title = '']) => `[${n}] ${onOneLine(title)}`)
    .join('\n')
}

function formatPassage({ n, page, section, start, text, title }: ReadPassage): string {
  const isNamed = section === undefined || section === title || text.startsWith(section)
  const place = [
    `source="[${n}]"`,
    ...(page === undefined ? [] : [`page="${page}"`]),
    ...(isNamed ? [] : [`section="${onOneLine(section).replaceAll('"', '”')}"`]),
    `at="${start}"`,
  ]
  return `<passage ${place.join(' ')}>\n${shownText(text)}\n</passage>`
}

/** A passage's text as {@link formatPassages} shows it. */
export function shownText(text: string): string {
  return keepInside(markReferences(text), 'passage')
}

/** The text of a prompt or result with another text for each passage that {@link formatPassages} wrote into it, whole or cut off. */
export function mapShownTexts(text: string, change: (shown: string) => string): string {
  return text.replaceAll(/(?<=<passage source=[^>\n]*>\n)[\s\S]*?(?=\n<\/passage>|$)/g, change)
}

function onOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= maxTitleCharacters ? line : `${line.slice(0, maxTitleCharacters - 1)}…`
}

/**
 * Numbers in square brackets, also several in a row, but for intervals that include 0 and for what an index may be, such as `a[3]`.
 */
const sourceMarks =
  /(?<![\])]|_\w{0,20}|(?<!\p{L})\p{L})(?:\[[1-9]\d{0,3}(?:\s*[,;–-]\s*[1-9]\d{0,3})*\])+/gu

/** The text in which a source's own reference marks, such as [7] and [3, 5], cannot be taken for citation numbers of the run. */
function markReferences(text: string): string {
  return text.replaceAll(sourceMarks, (marks) => marks.replaceAll('[', '[ref '))
}

/** The text with a source's own reference marks as they stand in the source, where a model copied them in their other form. */
export function unmarkReferences(text: string): string {
  return text.replaceAll(/\[ref (?=\d[\d\s,;–-]*\])/g, '[')
}
