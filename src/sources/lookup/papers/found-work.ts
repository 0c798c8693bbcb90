import { findIdentifiers } from '../../../bibliography/identifiers.ts'
import type { MetadataRecord } from '../../../bibliography/metadata-record.ts'
import { toCitableUrl } from '../../../citations/markup/canonical-url.ts'
import { type LookupAccess, withAccessDate } from '../access.ts'
import { toLine } from '../values.ts'

/** A work known to a paper service. */
export interface FoundWork {
  /** The service's record of the work, including the abstract. */
  readonly record: MetadataRecord
  /** The service's id of the work; for arXiv with its version. */
  readonly sourceId?: string
  /** Landing page; http or https only. */
  readonly url?: string
  /** Free full text; http or https only. */
  readonly pdfUrl?: string
  /** Number of citing works, as far as the service knows. */
  readonly citationCount?: number
}

/** A page of results. */
export interface FoundWorks {
  readonly works: readonly FoundWork[]
  /** Total number of results, as the service counts. */
  readonly total?: number
  /** Offset of the next page; absent on the last, and if the service returns no more. */
  readonly nextOffset?: number
  /** Entries of this page without title and DOI, which cannot be cited. */
  readonly leftOut: number
}

/** A search in any paper service. */
export interface WorkSearch {
  /** Words in any field. One of these three is required. */
  readonly query?: string
  readonly title?: string
  readonly author?: string
  /** First and last year of publication. */
  readonly fromYear?: number
  readonly toYear?: number
  /** Maximum number of works. Default 10; capped at the service's maximum. */
  readonly limit?: number
  readonly offset?: number
}

/** The identifiers in user or model input: a DOI, an arXiv id, or an address of one. */
export function parseIdentifiers(written: string): {
  readonly doi?: string
  /** With its version if given: `2301.00001v2`. */
  readonly arxiv?: string
} {
  const text = written.trim()
  const isUrl = /^https?:\/\//i.test(text)
  const { doi, arxiv } = findIdentifiers({
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

/** Adds the date of the look-up to a work's reference. */
export function withAccessDateOfWork<Work extends FoundWork>(
  work: Work,
  access: LookupAccess,
): Work {
  return { ...work, record: { ...work.record, item: withAccessDate(work.record.item, access) } }
}

/** A work's landing page: the service's address, or its DOI's. */
export function landingPage({ item }: MetadataRecord): string | undefined {
  const doi = item.DOI === undefined ? undefined : `https://doi.org/${encodeURI(item.DOI)}`
  return webAddress(item.URL) ?? doi
}

/** An http or https address; `undefined` for anything else. */
export function webAddress(value: unknown): string | undefined {
  const url = toLine(value, 2_000)
  return url === undefined ? undefined : toCitableUrl(url)
}

/** A whole number of results within the service's maximum. */
export function clampLimit(limit: number | undefined, most: number): number {
  return Math.min(Math.max(1, Math.trunc(limit ?? 10)), most)
}
