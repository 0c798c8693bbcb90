import { canonicalUrl } from './canonical-url.ts'
import type { CitedEntry } from './cited-text.ts'
import type { Definition } from './definition.ts'

/** Assigns local numbers to what a text cites: one for each source, from 1 in the order requested. */
export class Numbering {
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #known: (n: number) => boolean
  readonly #entries: CitedEntry[] = []
  readonly #byLabel = new Map<string, number | undefined>()
  readonly #byUrl = new Map<string, number>()
  readonly #byIdentity = new Map<string, number>()

  constructor(definitions: readonly Definition[], known: (n: number) => boolean) {
    this.#known = known
    this.#definitions = indexDefinitions(definitions)
  }

  get entries(): readonly CitedEntry[] {
    return this.#entries
  }

  /** Whether a label has a meaning. */
  has(key: string): boolean {
    return this.#byLabel.get(key) !== undefined || this.#meaningOf(key) !== undefined
  }

  /** The address that a label stands for, if any. */
  urlOf(key: string): string | undefined {
    return this.#meaningOf(key)?.url
  }

  /** The local number of a label, if it has a meaning. */
  numberOfLabel(key: string): number | undefined {
    const given = this.#byLabel.get(key)
    if (given !== undefined) return given
    const meaning = this.#meaningOf(key)
    const number = meaning && this.#numberOf(meaning)
    this.#byLabel.set(key, number)
    return number
  }

  /** The local number of an address. */
  numberOfUrl(url: string, label?: string): number {
    const given = label === undefined ? this.#byUrl.get(url) : undefined
    return given ?? this.#numberOf({ url, ...(label !== undefined && { label }) })
  }

  /** Also numbers something that is only defined. */
  addDefinition({ key, url, label, note }: Definition): void {
    if (url === undefined) this.numberOfLabel(key)
    else this.#numberOf(toEntry(url, label, note))
  }

  #meaningOf(key: string): CitedEntry | undefined {
    return resolveLabel(key, this.#definitions, this.#known)
  }

  #numberOf(entry: CitedEntry): number {
    const { url, n } = entry
    const identity = url === undefined ? `#${n}` : (canonicalUrl(url) ?? url)
    const given = this.#byIdentity.get(identity)
    const number = given ?? this.#entries.push(entry)
    if (given !== undefined) this.#entries[given - 1] = { ...entry, ...this.#entries[given - 1] }
    this.#byIdentity.set(identity, number)
    if (url !== undefined) this.#byUrl.set(url, number)
    return number
  }
}

/** Definitions by label. Of two with the same label the first counts, as in Markdown. */
export function indexDefinitions(
  definitions: readonly Definition[],
): ReadonlyMap<string, Definition> {
  const first = new Map<string, Definition>()
  for (const definition of definitions)
    if (!first.has(definition.key)) first.set(definition.key, definition)
  return first
}

/** How many labels may refer to one another in a chain; this also ends cycles. */
const maxSteps = 8

/** What a label stands for: an address it is defined as, directly or through other labels, or a known number. */
export function resolveLabel(
  key: string,
  definitions: ReadonlyMap<string, Definition>,
  isKnown: (n: number) => boolean,
): CitedEntry | undefined {
  let last = key
  for (let steps = 0; steps <= maxSteps; steps++) {
    const found = definitions.get(last)
    if (found?.url !== undefined) return toEntry(found.url, found.label, found.note)
    if (found?.alias === undefined) break
    last = found.alias
  }
  const n = /^\d+$/.test(last) ? Number(last) : 0
  return n > 0 && isKnown(n) ? { n } : undefined
}

/** An address as an entry, with its label and note. */
function toEntry(url: string, label?: string, note?: string): CitedEntry {
  return { url, ...(label !== undefined && { label }), ...(note !== undefined && { note }) }
}
