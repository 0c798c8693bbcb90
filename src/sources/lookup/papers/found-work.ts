import { identifiersOf } from '../../../bibliography/identifiers.ts'
import type { MetadataRecord } from '../../../bibliography/metadata-record.ts'
import { toCitableUrl } from '../../../citations/markup/canonical-url.ts'
import { type LookupAccess, withAccessDate } from '../access.ts'
import { toLine } from '../values.ts'

/** A work that a source of papers knows. */
export interface FoundWork {
  /** What it says of the work, as a reference; its abstract is there too. */
  readonly record: MetadataRecord
  /** Its own name for the work: a paper's id, or the arXiv id with its version. */
  readonly sourceId?: string
  /** Where people read about it; only http and https. */
  readonly url?: string
  /** Where its text can be had free of charge; only http and https. */
  readonly pdfUrl?: string
  /** How many works cite it, as far as the source knows. */
  readonly citationCount?: number
}

/** A page of what a source found. */
export interface FoundWorks {
  readonly works: readonly FoundWork[]
  /** How many there are in all, as the source counts. */
  readonly total?: number
  /** The offset of the next page; absent on the last, and where the source gives no more. */
  readonly nextOffset?: number
  /** How many entries of this page were no works that can be cited: they have neither title nor DOI. */
  readonly leftOut: number
}

/** What is searched for in every source of papers. */
export interface WorkSearch {
  /** Words of any field. One of these three is needed. */
  readonly query?: string
  readonly title?: string
  readonly author?: string
  /** The first and the last year of publication. */
  readonly fromYear?: number
  readonly toYear?: number
  /** How many works at most. Default 10; more than the source allows are not asked for */
  readonly limit?: number
  readonly offset?: number
}

/** The identifiers in something that a person or a model wrote: a DOI, an arXiv id, an address of one. */
export function parseIdentifiers(written: string): {
  readonly doi?: string
  /** With its version where one is named: `2301.00001v2`. */
  readonly arxiv?: string
} {
  const text = written.trim()
  const isUrl = /^https?:\/\//i.test(text)
  const { doi, arxiv } = identifiersOf({
    id: '',
    type: 'article',
    DOI: text,
    ...(isUrl ? { URL: text } : { number: `arXiv:${text.replace(/^arxiv:\s*/i, '')}` }),
  })
  const version = arxiv?.version === undefined ? '' : `v${arxiv.version}`
  return {
    ...(doi === undefined ? {} : { doi }),
    ...(arxiv === undefined ? {} : { arxiv: `${arxiv.id}${version}` }),
  }
}

/** A work whose reference has the day of the look-up. */
export function withAccessDateOfWork<Work extends FoundWork>(
  work: Work,
  access: LookupAccess,
): Work {
  return { ...work, record: { ...work.record, item: withAccessDate(work.record.item, access) } }
}

/** Where people read about a work: the address that the source gives, or that of its DOI. */
export function landingPage({ item }: MetadataRecord): string | undefined {
  const doi = item.DOI === undefined ? undefined : `https://doi.org/${encodeURI(item.DOI)}`
  return webAddress(item.URL) ?? doi
}

/** An http or https address, `undefined` for anything else. */
export function webAddress(value: unknown): string | undefined {
  const url = toLine(value, 2_000)
  return url === undefined ? undefined : toCitableUrl(url)
}

/** A limit within what a source allows, in steps of one. */
export function clampLimit(limit: number | undefined, most: number): number {
  return Math.min(Math.max(1, Math.trunc(limit ?? 10)), most)
}
