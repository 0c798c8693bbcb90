import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Claim, ReadPassage, Verdict } from '../../../src/citations/claim.ts'
import type { MintedNumber } from '../../../src/citations/ledger.ts'
import type { SourceId } from '../../../src/citations/source.ts'
import { checkClaims } from '../../../src/claims/check/check-claim.ts'
import { splitClaims } from '../../../src/claims/check/parse-claims.ts'
import { createPassagePreparer } from '../../../src/claims/check/source-passage.ts'
import { splitPassages } from '../../../src/retrieval/chunk.ts'
import type { Document } from '../../../src/sources/document.ts'
import { readPaths } from '../../../src/sources/read-files.ts'
import { type Half, halfOf } from '../../qa/data-sets.ts'

/** What the second readers found a sentence to be. */
export type RowLabel = 'true' | 'wrong-number' | 'wrong-other' | 'beyond' | 'no-claim'

/** A sentence about one paper, with the pages that it cites. */
export interface Row {
  readonly document: string
  /** From 1. */
  readonly pages: readonly number[]
  readonly claim: string
  readonly label: RowLabel
  readonly kind: string
  readonly sure?: boolean
  readonly note?: string
}

/** A sentence as a model writes it, with its number, and what it cites. */
export interface CitingRow extends Row {
  readonly half: Half
  readonly answer: string
  /** All passages on the cited pages, under the number 1. */
  readonly passages: readonly ReadPassage[]
  readonly citations: readonly MintedNumber[]
}

/** A row with the claims that code found in it. */
export interface JudgedRow extends CitingRow {
  readonly claims: readonly Claim[]
  /** `no-claim` if code found none. */
  readonly verdict: Verdict | 'no-claim'
}

/** Reads the sentences and the papers that they cite with the product's own reader. */
export async function readRows(dataFolder: string): Promise<readonly CitingRow[]> {
  const rows: readonly Row[] = readFileSync(join(import.meta.dirname, 'sentences.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const papers = await readPapers(join(dataFolder, '04-pdf', 'papers'))
  return rows.map((row) => {
    const paper = papers.get(row.document)
    if (paper === undefined) throw new Error(`${row.document} is not among the papers.`)
    const { title, passages } = paper
    const sourceId = passages[0]?.sourceId as SourceId
    const cited = passages.filter(({ page = 0 }) => row.pages.includes(page))
    const citations = [{ n: 1, sourceId, title }]
    return { ...row, half: halfOf(row.document), answer: cite(row), passages: cited, citations }
  })
}

/** The sentence with its number before the last full stop; what is labelled as no claim cites nothing. */
function cite({ claim, label }: Row): string {
  if (label === 'no-claim') return claim
  return /[^.][.!?]$/.test(claim) ? `${claim.slice(0, -1)} [1]${claim.slice(-1)}` : `${claim} [1]`
}

/** Judges each row by code. */
export function judgeRows(rows: readonly CitingRow[]): readonly JudgedRow[] {
  const prepare = createPassagePreparer()
  return rows.map((row) => {
    const claims = checkClaims(splitClaims(row.answer), row.passages, row.citations, prepare)
    return { ...row, claims, verdict: combineVerdicts(claims) }
  })
}

/** A row that code splits is as good as its worst part. */
export function combineVerdicts(claims: readonly Claim[]): JudgedRow['verdict'] {
  const found = worstFirst.find((verdict) => claims.some((claim) => claim.verdict === verdict))
  return found ?? 'no-claim'
}

const worstFirst: readonly Verdict[] = [
  'contradicted',
  'altered',
  'not_found',
  'partial',
  'unavailable',
  'unchecked',
  'supported',
  'verbatim',
]

interface Paper {
  readonly title: string
  readonly passages: readonly ReadPassage[]
}

async function readPapers(folder: string): Promise<ReadonlyMap<string, Paper>> {
  const files = readFileSync(join(folder, 'INDEX.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ path: join(folder, '..', line.split('|')[0] as string) }))
  const papers = new Map<string, Paper>()
  for await (const outcome of readPaths(files)) {
    if (!outcome.ok) continue
    const { document, path } = outcome
    const name = path.replace(/^.*\/|\.pdf$/g, '')
    papers.set(name, { title: document.title, passages: toReadPassages(document) })
  }
  return papers
}

function toReadPassages(document: Document): readonly ReadPassage[] {
  const sourceId = document.contentHash as unknown as SourceId
  return splitPassages(document, sourceId).map(({ id, ...passage }) => ({
    ...passage,
    n: 1,
    passageId: id,
  }))
}
