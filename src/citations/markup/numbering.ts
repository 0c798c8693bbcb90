import { canonicalUrl } from './canonical-url.ts'
import type { CitedEntry } from './cited-text.ts'
import type { Definition } from './definition.ts'
import { byKey, entryOf, meaningOf } from './meaning.ts'

/** Gives local numbers to what a text cites, from 1 in the order of asking, one to each source. */
export class Numbering {
  readonly #definitions: ReadonlyMap<string, Definition>
  readonly #known: (n: number) => boolean
  readonly #entries: CitedEntry[] = []
  readonly #byLabel = new Map<string, number | undefined>()
  readonly #byUrl = new Map<string, number>()
  readonly #byIdentity = new Map<string, number>()

  constructor(definitions: readonly Definition[], known: (n: number) => boolean) {
    this.#known = known
    this.#definitions = byKey(definitions)
  }

  get entries(): readonly CitedEntry[] {
    return this.#entries
  }

  /** Whether a label stands for something. */
  has(key: string): boolean {
    return this.#byLabel.get(key) !== undefined || this.#meaningOf(key) !== undefined
  }

  /** The address that a label stands for, if it does. */
  urlOf(key: string): string | undefined {
    return this.#meaningOf(key)?.url
  }

  /** The local number of what a label stands for, if anything. */
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

  /** Gives a number also to what is only defined. */
  addDefinition({ key, url, label, note }: Definition): void {
    if (url === undefined) this.numberOfLabel(key)
    else this.#numberOf(entryOf(url, label, note))
  }

  #meaningOf(key: string): CitedEntry | undefined {
    return meaningOf(key, this.#definitions, this.#known)
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
