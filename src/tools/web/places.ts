import { canonicalUrl, siteName } from '../../citations/markup/canonical-url.ts'
import type { CslItem } from '../../citations/source.ts'
import { ScholiumError } from '../../kernel/errors.ts'

/** Something that a search found, or that the person named, and that can be read: no evidence before it is. */
export type Place = {
  readonly url: string
  readonly title: string
  /** Of a paper: where its text can be had. */
  readonly pdfUrl?: string
  /** Of a paper: its reference, without the abstract. */
  readonly csl?: CslItem
  /** Of an article of a Wikipedia: its language. The title is the article's. */
  readonly wikipedia?: string
}

/** A place as a model sees it: under a number, without its address. */
export type NumberedPlace = { readonly result: number; readonly site: string }

/**
 * The numbers of results: what a model names when it wants to read something. Given by code, from 1 on, each address once; the
 * same results in the same order get the same numbers. They are no citation numbers: those are minted when something is read.
 */
export class Places {
  private readonly known: Place[] = []
  private readonly numbers = new Map<string, number>()

  constructor(places: readonly Place[] = []) {
    for (const place of places) this.add(place)
  }

  /** All of them, in the order of their numbers. */
  get all(): readonly Place[] {
    return [...this.known]
  }

  /** A place's number: the one that its address has, or the next. */
  add(place: Place): number {
    const key = canonicalUrl(place.url) ?? place.url
    const n = this.numbers.get(key)
    if (n !== undefined) return n
    this.known.push(place)
    this.numbers.set(key, this.known.length)
    return this.known.length
  }

  /** Whether a place has a number. */
  has({ url }: Place): boolean {
    return this.numbers.has(canonicalUrl(url) ?? url)
  }

  /** What a number stands for. @throws `invalid_input` for a number of no result, naming those that there are */
  placeOf(n: number): Place {
    const place = this.known[n - 1]
    if (place !== undefined) return place
    throw new ScholiumError('invalid_input', `There is no result ${n}. ${this.rangeText()}`)
  }

  /** Which numbers there are, as a sentence for models. */
  rangeText(): string {
    const { length } = this.known
    return length === 0
      ? 'There are no results yet: search first.'
      : `Results go from 1 to ${length}.`
  }
}

/** The host of a place, by which a model may judge it. */
export function siteOf({ url }: Place): string {
  return URL.canParse(url) ? siteName(url) : ''
}
