import { canonicalUrl, toSiteName } from '../../citations/markup/canonical-url.ts'
import type { CslItem } from '../../citations/source.ts'
import type { ToolResultPart } from '../../kernel/agent/message.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json } from '../../kernel/json.ts'
import { removeAddresses, type Unavailable } from './unavailable.ts'

/** Something that a search found or the user named, and that can be read; not evidence until it is read. */
export type WebPlace = {
  readonly url: string
  readonly title: string
  /** Of a paper: its full text. */
  readonly pdfUrl?: string
  /** Of a paper: its reference, without the abstract. */
  readonly csl?: CslItem
  /** Of a Wikipedia article: its language. The title is the article's. */
  readonly wikipedia?: string
}

/** A place as a model sees it: by number, without its address. */
export type NumberedPlace = { readonly result: number; readonly site: string }

/**
 * Numbers of results, by which a model names what to read. Minted by code from 1, each address once; the same results in
 * the same order get the same numbers. They are not citation numbers, which are minted on reading.
 */
export class WebPlaces {
  private readonly known: WebPlace[] = []
  private readonly numbers = new Map<string, number>()

  constructor(places: readonly WebPlace[] = []) {
    for (const place of places) this.add(place)
  }

  /** All places in the order of their numbers. */
  get all(): readonly WebPlace[] {
    return [...this.known]
  }

  /** A place's number: that of its address, or the next. */
  add(place: WebPlace): number {
    const key = canonicalUrl(place.url) ?? place.url
    const n = this.numbers.get(key)
    if (n !== undefined) return n
    this.known.push(place)
    this.numbers.set(key, this.known.length)
    return this.known.length
  }

  /** Whether a place has a number. */
  has({ url }: WebPlace): boolean {
    return this.numbers.has(canonicalUrl(url) ?? url)
  }

  /**
   * The place of a number.
   * @throws `invalid_input` for an unknown number, naming the valid ones
   */
  placeOf(n: number): WebPlace {
    const place = this.known[n - 1]
    if (place !== undefined) return place
    throw new ScholiumError('invalid_input', `There is no result ${n}. ${this.rangeText()}`)
  }

  /** The valid numbers, as a sentence for models. */
  rangeText(): string {
    const { length } = this.known
    return length === 0
      ? 'There are no results yet: search first.'
      : `Results go from 1 to ${length}.`
  }
}

/** The host of a place, by which a model may judge it. */
export function placeSiteName({ url }: WebPlace): string {
  return URL.canParse(url) ? toSiteName(url) : ''
}

/** Names of the web tools. */
export const webToolNames: ReadonlySet<string> = new Set([
  'search_web',
  'search_wikipedia',
  'search_papers',
  'read_page',
  'read_wikipedia',
  'read_transcript',
])

/** Names of the search tools, including the library's. */
export const searchToolNames: ReadonlySet<string> = new Set([
  'search_library',
  'search_web',
  'search_wikipedia',
  'search_papers',
])

/** A recorded search result, with its place, which a model does not see. */
export type FoundPlace = {
  readonly place: WebPlace
  readonly title: string
  readonly snippet: string
  readonly [about: string]: Json | undefined
}

/** A web tool's result as shown to a model, and the sources that were unavailable. */
interface PresentedResult {
  readonly result: ToolResultPart
  readonly unavailable: readonly Unavailable[]
}

/**
 * Numbers the results of a search and removes addresses. Unavailable sources are shortened; a tool that found nothing
 * because of them has failed. Results of other tools are unchanged.
 */
export function numberPlacesInResult(places: WebPlaces, result: ToolResultPart): PresentedResult {
  const { output, toolName } = result
  const isOfWeb = webToolNames.has(toolName) && result.isError !== true
  if (!isOfWeb || !isJsonObject(output)) return { result, unavailable: [] }
  const { results, unavailable, ...rest } = output
  if (results === undefined && unavailable === undefined) return { result, unavailable: [] }
  const missed = (unavailable ?? []) as unknown as readonly Unavailable[]
  const shown = {
    ...rest,
    ...(results === undefined ? {} : { results: numberPlaces(places, results) }),
    ...(missed.length === 0 ? {} : { unavailable: missed.map(shorten) }),
  }
  const isError = rest.error === undefined ? {} : { isError: true as const }
  return { result: { ...result, output: shown, ...isError }, unavailable: missed }
}

function numberPlaces(places: WebPlaces, results: Json): Json {
  return (results as unknown as readonly FoundPlace[]).map(({ place, snippet, ...about }) => ({
    result: places.add(place),
    site: placeSiteName(place),
    ...about,
    snippet: removeAddresses(snippet),
  })) as unknown as Json
}

/** A page's address is not for models. */
function shorten({ source, reason }: Unavailable): string {
  return `${/^https?:/.test(source) ? 'this result' : source}: ${reason}`
}
