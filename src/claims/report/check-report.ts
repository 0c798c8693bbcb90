import type { Claim, Coverage, ReadPassage, Verdict } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import type { Passage, SourceId } from '../../citations/source.ts'
import { checkClaims, measureCoverage } from '../check/check-claim.ts'
import { createPassagePreparer } from '../check/source-passage.ts'
import { checkPages, readCitedPages } from './check-pages.ts'
import {
  type Candidate,
  type FoundBy,
  findNearest,
  locateSource,
  type SourceMatch,
  toWantedSource,
} from './locate-source.ts'
import type { Reference, Report, ReportSentence } from './read-report.ts'

/** A source that a report may cite, with its passages in reading order. */
export interface ReportSource extends Candidate {
  readonly passages: readonly Passage[]
}

/** A source as a checked report names it. */
export type NamedSource = {
  readonly sourceId: SourceId
  readonly title: string
  readonly path?: string
  readonly url?: string
}

/** The result for something that a report cites. */
export type CheckedReference = {
  /** From 1. */
  readonly n: number
  /** The label in the report: `1`, `^a`, or an address. */
  readonly label: string
  /** The entry in the report's list. */
  readonly words: string
  /** The line of its entry, otherwise of its first citation; from 1. */
  readonly line: number
  readonly isCited: boolean
  /** The source it was matched to, or several possible ones; if empty, `reason` says why. */
  readonly sources: readonly NamedSource[]
  /** How it was matched; `null` if it was not. */
  readonly foundBy: FoundBy | null
  readonly reason: string
}

/** A sentence of a report with its verdict. Its citations, and the `n` of its evidence, are numbers of the references. */
export type CheckedSentence = Claim & { readonly line: number }

/** The result of checking a report. */
export type CheckedReport = {
  readonly schema: 'scholium.report/1'
  readonly claims: readonly CheckedSentence[]
  readonly references: readonly CheckedReference[]
  readonly coverage: Coverage
  /** How many cited references were not found, and how many claims their sources do not support. */
  readonly failures: { readonly references: number; readonly claims: number }
}

/**
 * Checks every sentence of a report against everything read of the sources it cites. A sentence without a citation counts
 * as unsupported but not as a failure, since not every sentence of a document needs one. `absolute` gives the absolute
 * forms of a path named in the report.
 */
export function checkReport(
  report: Report,
  sources: readonly ReportSource[],
  absolute: (path: string) => readonly string[] = () => [],
): CheckedReport {
  const located = report.references.map((reference): Located => {
    const wanted = toWantedSource(reference, absolute)
    const location = locateSource(wanted, sources)
    const nearest = location === undefined ? findNearest(wanted, sources) : undefined
    return { reference, location, nearest }
  })
  const claims = checkSentences(report.sentences, located)
  const references = located.map(describeReference)
  return {
    schema: 'scholium.report/1',
    claims,
    references,
    coverage: measureCoverage(claims),
    failures: {
      references: references.filter(({ isCited, foundBy }) => isCited && foundBy === null).length,
      claims: claims.filter(
        ({ verdict, citations }) => citations.length > 0 && failing.has(verdict),
      ).length,
    },
  }
}

/** Verdicts that mean that the source was read and does not say it. */
const failing: ReadonlySet<Verdict> = new Set(['altered', 'contradicted', 'not_found'])

interface Located {
  readonly reference: Reference
  readonly location: SourceMatch<ReportSource> | undefined
  /** A source with a similar title where none was found. */
  readonly nearest: ReportSource | undefined
}

function checkSentences(
  sentences: readonly ReportSentence[],
  located: readonly Located[],
): readonly CheckedSentence[] {
  const found = new Map<number, MintedNumber>()
  const passages: ReadPassage[] = []
  for (const { reference, location } of located) {
    const source = onlySource(location)
    if (source === undefined || !reference.isCited) continue
    const { n } = reference
    found.set(n, { n, sourceId: source.id, title: source.title })
    passages.push(...source.passages.map((passage) => readPassage(n, passage)))
  }
  // If one of several references is missing, the others may still support the claim; the missing one is reported among the
  // references.
  const known = sentences.map((sentence) => {
    const citations = sentence.citations.filter((n) => found.has(n))
    return citations.length === 0 ? sentence : { ...sentence, citations }
  })
  const byNumber = new Map(located.map(({ reference }) => [reference.n, reference]))
  const firstPages = new Map(located.map((one) => [one.reference.n, findFirstPage(one)]))
  const numbers = [...found.values()]
  const prepare = createPassagePreparer()
  return checkClaims(known, passages, numbers, prepare).map((checked, index) => {
    const { line, citations, text } = sentences[index] as ReportSentence
    const isLost = citations.length > 0 && !citations.some((n) => found.has(n))
    const claim = checkPages(
      checked,
      readCitedPages(text),
      passages.filter(({ n }) => citations.includes(n)),
      (n) => firstPages.get(n),
      (some) => checkClaims(known.slice(index, index + 1), some, numbers, prepare)[0] ?? checked,
    )
    return { ...claim, ...(isLost ? lost(citations, byNumber) : {}), citations, line }
  })
}

/** The source of a reference; `undefined` if it is ambiguous. */
function onlySource(location: SourceMatch<ReportSource> | undefined): ReportSource | undefined {
  return location?.sources.length === 1 ? location.sources[0] : undefined
}

/** The number printed on the first page of a source, if its record gives its pages ("1117–1129"). */
function findFirstPage({ location }: Located): number | undefined {
  const first = /^\d{1,5}(?=\s*[–-])/.exec(String(onlySource(location)?.csl.page ?? ''))
  return first === null ? undefined : Number(first[0])
}

/** The verdict on a sentence whose references were all not found. */
function lost(
  citations: readonly number[],
  references: ReadonlyMap<number, Reference>,
): Pick<Claim, 'verdict' | 'reason'> {
  const cited = citations.flatMap((n) => references.get(n) ?? [])
  const isListed = cited.some((reference) => reference.isListed)
  const labels = cited.map(({ label }) => `[${label}]`).join('')
  return isListed
    ? { verdict: 'unavailable', reason: `${labels} was not found, see below.` }
    : { verdict: 'not_found', reason: `${labels} is not defined in this document.` }
}

function readPassage(n: number, passage: Passage): ReadPassage {
  const { id, ...rest } = passage
  return { ...rest, n, passageId: id }
}

function describeReference(located: Located): CheckedReference {
  const { reference, location } = located
  const { n, label, words, line, isCited } = reference
  const isFound = onlySource(location) !== undefined
  return {
    n,
    label,
    words,
    line,
    isCited,
    sources: (location?.sources ?? []).map(toNamedSource),
    foundBy: isFound ? (location?.by ?? null) : null,
    reason: isFound ? '' : explainFailure(located),
  }
}

const longestEntryShown = 90

function explainFailure({ reference, location, nearest }: Located): string {
  const { label, words, urls, paths, isListed } = reference
  if (!isListed) return 'It is not defined in this document.'
  if (location !== undefined) {
    const which = location.sources.map(({ path, title }) => path ?? title).join(', ')
    return `It matches several files: ${which}. Give its folder or DOI.`
  }
  const place = words === '' ? (urls[0] ?? paths[0] ?? label) : words
  const shown =
    place.length > longestEntryShown ? `${place.slice(0, longestEntryShown - 1)}…` : place
  const hint =
    nearest === undefined
      ? ''
      : ` The nearest is ${nearest.path ?? nearest.url ?? nearest.title} (“${nearest.title}”).`
  return `${shown} is not among the files that were read.${hint}`
}

function toNamedSource({ id, title, path, url }: ReportSource): NamedSource {
  return {
    sourceId: id,
    title,
    ...(path === undefined ? {} : { path }),
    ...(url === undefined ? {} : { url }),
  }
}
