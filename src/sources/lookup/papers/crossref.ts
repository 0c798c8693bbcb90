import { cslFromCrossref } from '../../../bibliography/metadata-crossref.ts'
import type { MetadataRecord } from '../../../bibliography/metadata-record.ts'
import { findBaseUrl, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, omitUndefined, toCount, toRecords } from '../values.ts'
import {
  clampLimit,
  type FoundWork,
  type FoundWorks,
  landingPage,
  parseIdentifiers,
  type WorkSearch,
  webAddress,
  withAccessDateOfWork,
} from './found-work.ts'

const maxWorks = 100
/** Later pages need a cursor, and nobody reads that far. */
const maxOffset = 10_000

/**
 * Searches works by relevance.
 * @see https://www.crossref.org/documentation/retrieve-metadata/rest-api/
 */
export async function searchCrossref(
  access: LookupAccess,
  search: WorkSearch,
): Promise<Lookup<FoundWorks>> {
  const { query, title, author, fromYear, toYear, offset = 0, limit } = search
  const words = { query, 'query.title': title, 'query.author': author }
  const given = Object.entries(words).filter(([, text]) => text !== undefined && text.trim() !== '')
  if (given.length === 0) return failure('crossref', 'refused', 'The search is empty.')
  const rows = clampLimit(limit, maxWorks)
  const filters = [
    ...(fromYear === undefined ? [] : [`from-pub-date:${fromYear}`]),
    ...(toYear === undefined ? [] : [`until-pub-date:${toYear}`]),
  ]
  const found = await requestWorks(access, {
    ...Object.fromEntries(given.map(([name, text = '']) => [name, text.slice(0, 500)])),
    rows: String(rows),
    offset: String(offset),
    ...(filters.length === 0 ? {} : { filter: filters.join(',') }),
  })
  if (!found.ok) return found
  const next = offset + rows
  const hasMore = found.total !== undefined && next < Math.min(found.total, maxOffset)
  return hasMore ? { ...found, nextOffset: next } : found
}

/** Reads a work by DOI. DOIs of other agencies, such as arXiv's, are not found. */
export async function readCrossrefWork(
  access: LookupAccess,
  written: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const { doi } = parseIdentifiers(written)
  if (doi === undefined) return failure('crossref', 'refused', `"${written}" is not a DOI.`)
  const got = await request(access, `/works/${encodeURIComponent(doi)}`, {})
  if ('reason' in got) return got
  const work = isRecord(got.json) ? parseWork(got.json.message, access) : undefined
  return work === undefined
    ? failure('crossref', 'malformed', 'The response is not a work.')
    : { ok: true, work }
}

/**
 * Notices about a work, by its DOI: corrections, retractions, withdrawals. Retracting notices name the work in
 * `retracts`, which `checkIdentity` reads.
 * @see https://www.crossref.org/documentation/register-maintain-records/maintaining-your-metadata/updates/
 */
export async function findCrossrefNotices(
  access: LookupAccess,
  written: string,
): Promise<Lookup<FoundWorks>> {
  const { doi } = parseIdentifiers(written)
  if (doi === undefined) return failure('crossref', 'refused', `"${written}" is not a DOI.`)
  return requestWorks(access, { filter: `updates:${doi}`, rows: '20' })
}

async function requestWorks(
  access: LookupAccess,
  parameters: Readonly<Record<string, string>>,
): Promise<Lookup<FoundWorks>> {
  const got = await request(access, '/works', parameters)
  return 'reason' in got ? got : parseCrossrefWorks(got.json, access)
}

async function request(
  access: LookupAccess,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof parseJsonAnswer>> {
  const base = findBaseUrl(access, 'crossref')
  if (typeof base !== 'string') return base
  const contact = access.contact === undefined ? {} : { mailto: access.contact }
  const query = String(new URLSearchParams({ ...parameters, ...contact }))
  const got = await sendForSuccess(access, 'crossref', {
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    accept: 'application/json',
  })
  return 'reason' in got ? got : parseJsonAnswer('crossref', got)
}

/** The works in a response with a list. */
export function parseCrossrefWorks(json: unknown, access: LookupAccess): Lookup<FoundWorks> {
  const message = isRecord(json) ? json.message : undefined
  if (!isRecord(message) || !Array.isArray(message.items)) {
    return failure('crossref', 'malformed', 'The response has no list of works.')
  }
  const works = toRecords(message.items, 1_000).flatMap((work) => parseWork(work, access) ?? [])
  const total = toCount(message['total-results'])
  return {
    ok: true,
    ...omitUndefined({ works, total, leftOut: message.items.length - works.length }),
  }
}

/** A work as the service gives it; `undefined` for invalid entries. */
export function parseWork(work: unknown, access: LookupAccess): FoundWork | undefined {
  const record: MetadataRecord | undefined = cslFromCrossref(work)
  if (record === undefined || !isRecord(work)) return undefined
  const links = toRecords(work.link, 20)
  const pdf = links.find((link) => link['content-type'] === 'application/pdf')
  const found = omitUndefined({
    record,
    sourceId: record.item.DOI,
    url: landingPage(record),
    pdfUrl: webAddress(pdf?.URL),
    citationCount: toCount(work['is-referenced-by-count']),
  })
  return withAccessDateOfWork(found, access)
}
