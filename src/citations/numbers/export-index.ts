import { toCitableUrl, toSiteName } from '../markup/canonical-url.ts'
import type { CslItem } from '../source.ts'
import type { IndexEntry } from './index-entry.ts'

/** The export formats of an index. */
export type IndexForm = 'json' | 'markdown' | 'csv' | 'csl'

/** Exports the entries as JSON (from which an index can be restored), Markdown, CSV or CSL-JSON. */
export function exportIndex(entries: readonly IndexEntry[], form: IndexForm): string {
  switch (form) {
    case 'json':
      return `${JSON.stringify(entries, null, 2)}\n`
    case 'markdown':
      return indexToMarkdown(entries)
    case 'csv':
      return indexToCsv(entries)
    case 'csl':
      return `${JSON.stringify(indexToCsl(entries), null, 2)}\n`
  }
}

/** A numbered list in Markdown: each entry's title, linked if its address can be opened in a browser. */
export function indexToMarkdown(entries: readonly IndexEntry[]): string {
  return entries
    .map((entry) => {
      const url = formatLink(entry)
      const words = escapeMarkdown(formatName(entry))
      return `${entry.n}. ${url === undefined ? words : `[${words}](<${url}>)`}\n`
    })
    .join('')
}

const csvColumns = ['n', 'title', 'url', 'source_id', 'aliases', 'tags', 'metadata']

/**
 * One row for each entry after a header row; lists are separated by spaces (addresses) or `; ` (tags), metadata is JSON.
 * Values that a spreadsheet would take for a formula begin with an apostrophe.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4180
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
export function indexToCsv(entries: readonly IndexEntry[]): string {
  const rows = entries.map(({ n, title, url, sourceId, aliases = [], tags = [], metadata }) => [
    String(n),
    title ?? '',
    url ?? '',
    sourceId ?? '',
    aliases.join(' '),
    tags.join('; '),
    metadata === undefined ? '' : JSON.stringify(metadata),
  ])
  return [csvColumns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

/** One record for each entry: the source's record, otherwise what is known of the address. */
export function indexToCsl(entries: readonly IndexEntry[]): readonly CslItem[] {
  return entries.map(({ n, csl, title, url }) => ({
    ...(csl ?? { id: `citation-${n}`, type: url === undefined ? 'document' : 'webpage' }),
    ...(title === undefined || csl?.title !== undefined ? {} : { title }),
    ...(url === undefined || csl?.URL !== undefined ? {} : { URL: url }),
  }))
}

/** How many entries there are of each kind, and a line for each: for people and logs. */
export function summarizeIndex(entries: readonly IndexEntry[]): string {
  const addressed = entries.filter(({ url }) => url !== undefined).length
  const tags = new Map<string, number>()
  for (const tag of entries.flatMap((entry) => entry.tags ?? []))
    tags.set(tag, (tags.get(tag) ?? 0) + 1)
  const tagged = [...tags].map(([tag, count]) => `${oneLine(tag)} (${count})`).join(', ')
  const lines = entries.map((entry) => {
    const place = entry.url === undefined ? '' : `, ${findSite(entry.url)}`
    return `[${entry.n}] ${formatName(entry)}${place}`
  })
  const count = `${entries.length} ${entries.length === 1 ? 'source' : 'sources'}`
  const kinds = `${addressed} with an address, ${entries.length - addressed} without`
  const head = `${count}: ${kinds}${tagged === '' ? '' : `; tags: ${tagged}`}`
  return [head, ...lines].join('\n')
}

function formatName({ title, url, sourceId, n }: IndexEntry): string {
  const name = oneLine(title ?? '')
  return name === '' ? (url ?? sourceId ?? `source ${n}`) : name
}

/** The address, if it may be linked. */
function formatLink({ url }: IndexEntry): string | undefined {
  return url === undefined ? undefined : toCitableUrl(url)
}

function findSite(url: string): string {
  return toCitableUrl(url) === undefined ? oneLine(url) : toSiteName(url)
}

// Controls and bidirectional marks would change how a line is shown.
function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&!#|~]/g, '\\$&')
}

function csvCell(text: string): string {
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe
}
