import { citableUrl } from './canonical-url.ts'
import type { CitedEntry } from './cited-text.ts'

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
