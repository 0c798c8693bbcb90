import { siteName } from './canonical-url.ts'
import type { CitedEntry } from './cited-text.ts'
import { escapeHtml } from './escape-html.ts'
import { attributeOf } from './render-markdown.ts'
import { safeEntries } from './safe-entries.ts'
import { writeStored } from './stored-text.ts'

/**
 * A stored text as HTML, to be put between two tags (`white-space: pre-wrap` keeps its lines): everything is escaped, tags of
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
