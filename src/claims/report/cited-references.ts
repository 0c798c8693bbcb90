import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { Labels } from '../../citations/markup/token.ts'
import type { ReportCitation } from './find-citations.ts'
import type { ReferenceEntry } from './reference-list.ts'

/** Something that a report cites, before it is described. */
export interface CitedReference {
  readonly n: number
  readonly entry: ReferenceEntry | undefined
  /** The label in the report. */
  readonly label: string
  readonly url?: string
  readonly path?: string
  /** Offset of the first citation; -1 if it is only listed. */
  readonly at: number
}

/** A larger number in brackets is a year or an amount, unless the report lists it. */
const largestUnlisted = 999

/**
 * Numbers what a report cites. Listed numbers are kept; others continue after the largest, so that no number has two
 * meanings.
 */
export class CitedReferences implements Labels {
  readonly #entries: ReadonlyMap<string, ReferenceEntry>
  readonly #cited = new Map<string, CitedReference>()
  #next: number

  constructor(entries: readonly ReferenceEntry[]) {
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]))
    this.#next =
      1 + Math.max(largestUnlisted, ...entries.map(({ key }) => parseLabelNumber(key) ?? 0))
  }

  isMark(): boolean {
    return true
  }

  /** Accepts every number; {@link cites} decides which are citations. */
  isNumber(): boolean {
    return true
  }

  /** An undefined footnote or citation key is also a citation, of something that does not exist. */
  isName(key: string): boolean {
    return this.#entries.has(key) || /^[@^]/.test(key)
  }

  isListed(key: string): boolean {
    return this.#entries.has(key)
  }

  /** Whether numbers in brackets are a citation rather than an interval, year or amount. */
  cites({ keys, url, path }: ReportCitation): boolean {
    if (url !== undefined || path !== undefined || keys === undefined) return true
    const isKnown = (key: string) => this.#entries.has(key)
    const isPlausible = (key: string) => {
      const n = parseLabelNumber(key)
      return n === undefined || (n > 0 && n <= largestUnlisted)
    }
    return keys.every((key) => isKnown(key) || isPlausible(key))
  }

  numbersOf({ keys = [], url, path, start }: ReportCitation): readonly number[] {
    if (url !== undefined) return [this.#number(`url ${canonicalUrl(url) ?? url}`, start, { url })]
    if (path !== undefined) return [this.#number(`path ${path}`, start, { path })]
    return keys.map((key) => this.#number(key, start, {}))
  }

  /** Everything cited, by number, then everything only listed. */
  all(): readonly CitedReference[] {
    const uncited = [...this.#entries.values()].filter(({ key }) => !this.#cited.has(key))
    const listed = uncited.map((entry) => this.#describe(entry.key, -1, {}))
    return [...this.#cited.values(), ...listed].sort((one, other) => one.n - other.n)
  }

  #number(
    key: string,
    at: number,
    place: { readonly url?: string; readonly path?: string },
  ): number {
    const known = this.#cited.get(key) ?? this.#describe(key, at, place)
    this.#cited.set(key, known)
    return known.n
  }

  #describe(
    key: string,
    at: number,
    place: { readonly url?: string; readonly path?: string },
  ): CitedReference {
    const entry = this.#entries.get(key)
    const n = parseLabelNumber(key) ?? this.#next++
    const label = place.url ?? place.path ?? entry?.label ?? key
    return { n, entry, label, at, ...place }
  }
}

function parseLabelNumber(key: string): number | undefined {
  return /^\d{1,4}$/.test(key) ? Number(key) : undefined
}
