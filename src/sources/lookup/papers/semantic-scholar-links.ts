import type { LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { isRecord, omitUndefined, toCount, toLine, toList, toRecords } from '../values.ts'
import { clampLimit, type FoundWork } from './found-work.ts'
import {
  encodeId,
  parseWork,
  refuseId,
  requestSemanticScholar,
  semanticScholarId,
} from './semantic-scholar.ts'

/** A citation between two papers. */
export interface CitationLink {
  /** The other paper. */
  readonly work: FoundWork
  /** Sentences with the citation. */
  readonly contexts: readonly string[]
  /** Purposes: `background`, `methodology`, `result`. */
  readonly intents: readonly string[]
  readonly isInfluential?: boolean
}

/** A page of citations. */
export interface CitationLinks {
  readonly links: readonly CitationLink[]
  readonly nextOffset?: number
  /** Entries of this page that cannot be cited. */
  readonly leftOut: number
}

/** The requested citations. */
export interface LinksRequest {
  /** A DOI, an arXiv id, an address of these, or a Semantic Scholar id. */
  readonly paper: string
  /** What the paper cites, or what cites it. */
  readonly direction: 'references' | 'citations'
  /** 1–1,000. Default 10. */
  readonly limit?: number
  readonly offset?: number
}

const maxLinks = 1_000
const maxContexts = 20
const fields =
  'contexts,intents,isInfluential,title,authors,year,publicationDate,venue,journal,externalIds,url,publicationTypes,citationCount'

/** Reads what a paper cites, or what cites it. */
export async function readCitationLinks(
  access: LookupAccess,
  { paper, direction, limit, offset = 0 }: LinksRequest,
): Promise<Lookup<CitationLinks>> {
  const id = semanticScholarId(paper)
  if (id === undefined) return refuseId(paper)
  const parameters = `fields=${fields}&offset=${offset}&limit=${clampLimit(limit, maxLinks)}`
  const path = `/graph/v1/paper/${encodeId(id)}/${direction}?${parameters}`
  const got = await requestSemanticScholar(access, path)
  return 'reason' in got ? got : parseCitationLinks(got.json, access)
}

/** The citations in a response. If the publisher withholds them, there is no list. */
export function parseCitationLinks(json: unknown, access: LookupAccess): Lookup<CitationLinks> {
  if (isRecord(json) && json.data === null) {
    return failure(
      'semantic-scholar',
      'not_found',
      'The publisher does not allow this list to be shared.',
    )
  }
  if (!isRecord(json) || !Array.isArray(json.data)) {
    return failure('semantic-scholar', 'malformed', 'The response has no list of papers.')
  }
  const links = toRecords(json.data, maxLinks).flatMap((entry) => {
    const work = parseWork(entry.citedPaper ?? entry.citingPaper, access)
    if (work === undefined) return []
    const { isInfluential } = entry
    return [
      omitUndefined({
        work,
        contexts: toTexts(entry.contexts, 1_000),
        intents: toTexts(entry.intents, 40),
        isInfluential: typeof isInfluential === 'boolean' ? isInfluential : undefined,
      }),
    ]
  })
  const leftOut = json.data.length - links.length
  return { ok: true, ...omitUndefined({ links, nextOffset: toCount(json.next), leftOut }) }
}

function toTexts(value: unknown, maxChars: number): readonly string[] {
  return toList(value, maxContexts).flatMap((text) => toLine(text, maxChars) ?? [])
}
