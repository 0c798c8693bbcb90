import type { CitedEntry } from './cited-text.ts'
import type { Definition } from './definition.ts'

/** Definitions by their label. Of two for one label the first counts, as in Markdown. */
export function byKey(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  const first = new Map<string, Definition>()
  for (const definition of definitions)
    if (!first.has(definition.key)) first.set(definition.key, definition)
  return first
}

/** A label may stand for another, and that for another, so many times; this also ends circles. */
const MAX_STEPS = 8

/** What a label stands for: an address that it is defined as, also by way of others, or a number that is known. */
export function meaningOf(
  key: string,
  definitions: ReadonlyMap<string, Definition>,
  isKnown: (n: number) => boolean,
): CitedEntry | undefined {
  let last = key
  for (let steps = 0; steps <= MAX_STEPS; steps++) {
    const found = definitions.get(last)
    if (found?.url !== undefined) return entryOf(found.url, found.label, found.note)
    if (found?.alias === undefined) break
    last = found.alias
  }
  const n = /^\d+$/.test(last) ? Number(last) : 0
  return n > 0 && isKnown(n) ? { n } : undefined
}

/** An address as an entry, with what is said of it. */
export function entryOf(url: string, label?: string, note?: string): CitedEntry {
  return { url, ...(label !== undefined && { label }), ...(note !== undefined && { note }) }
}
