import { siteName } from './canonical-url.ts'
import type { CitedEntry } from './cited-text.ts'
import { printable } from './printable.ts'
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
    text: escaped,
    image: (_words, written) => escaped(written),
    mark: (mark) => {
      const entry = entries[mark.n - 1] as CitedEntry
      if (mark.kind === 'attribute') return escaped(attributeOf(mark, entry))
      const { url, n, label } = entry
      const words = mark.kind === 'link' ? mark.words : ''
      if (url === undefined) return escaped(`${words === '' ? '' : `${words} `}[${n ?? mark.n}]`)
      const title = label === undefined ? '' : ` title="${escaped(label)}"`
      const shown = escaped(words === '' ? siteName(url) : words)
      return `<a href="${escaped(new URL(url).href)}"${title} rel="noopener noreferrer">${shown}</a>`
    },
  })
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
