import type { CslItem } from '../citations/source.ts'
import { compareAuthors } from './compare-authors.ts'
import { compareTitles } from './compare-titles.ts'
import { findIdentifiers, type Identifiers } from './identifiers.ts'

/** The fields compared in two records. */
export type WorkField = 'doi' | 'arxiv' | 'pmid' | 'pmcid' | 'isbn' | 'title' | 'authors' | 'year'

/** One field that both records have. */
export interface FieldComparison {
  readonly field: WorkField
  readonly verdict: 'same' | 'unclear' | 'different'
  readonly one: string
  readonly other: string
}

/** Whether two records describe the same work, with the evidence. */
export interface WorkComparison {
  readonly verdict: 'same' | 'different' | 'unclear'
  /** Every field that both records have. */
  readonly reasons: readonly FieldComparison[]
}

/**
 * Compares DOI, arXiv id, PMID, PMCID, ISBN, title, authors and year, as far as both records have them.
 * - `same`: an identifier agrees and neither title nor authors differ; or title and authors agree, no identifier differs, and the
 * years, if known, are at most one apart. A preprint and its published version are one work: two DOIs or one year between them do
 * not count as different.
 * - `different`: titles differ and no identifier agrees; or no author is shared and no identifier agrees; or an identifier
 * differs and title or authors are not the same.
 * - `unclear`: anything else, such as a shared identifier with another title.
 */
export function compareWorks(one: CslItem, other: CslItem): WorkComparison {
  const reasons = [...compareIdentifiers(one, other), ...compareContents(one, other)]
  return { verdict: decideVerdict(reasons), reasons }
}

/**
 * Whether {@link compareWorks} returns `same`, but faster: for most pairs the titles already differ, and authors are not
 * compared.
 */
export function isSameWork(one: CslItem, other: CslItem): boolean {
  const identifiers = compareIdentifiers(one, other).map(({ verdict }) => verdict)
  const [title] = compareTitleFields(one, other).map(({ verdict }) => verdict)
  const isOther = identifiers.includes('same') ? title === 'different' : title !== 'same'
  return !isOther && compareWorks(one, other).verdict === 'same'
}

function decideVerdict(reasons: readonly FieldComparison[]): WorkComparison['verdict'] {
  const of = (field: WorkField) => reasons.find((reason) => reason.field === field)?.verdict
  const identifiers = reasons.filter(({ field }) => !contents.has(field))
  const isIdentified = identifiers.some(({ verdict }) => verdict === 'same')
  const isContradicted = identifiers.some(({ verdict }) => verdict === 'different')
  const parts = [of('title'), of('authors')]
  if (isIdentified) {
    return isContradicted || parts.includes('different') ? 'unclear' : 'same'
  }
  if (parts.includes('different')) return 'different'
  const isAlike = parts.every((part) => part === 'same')
  if (isContradicted) return isAlike ? 'unclear' : 'different'
  return isAlike && of('year') !== 'different' ? 'same' : 'unclear'
}

const contents: ReadonlySet<WorkField> = new Set(['title', 'authors', 'year'])

function compareIdentifiers(one: CslItem, other: CslItem): readonly FieldComparison[] {
  const [ids, otherIds] = [findIdentifiers(one), findIdentifiers(other)]
  const isbns = ids.isbns.find((isbn) => otherIds.isbns.includes(isbn))
  return [
    ...(areVersions(ids, otherIds) ? [] : compareValues('doi', ids.doi, otherIds.doi)),
    ...compareValues('arxiv', ids.arxiv?.id, otherIds.arxiv?.id),
    ...compareValues('pmid', ids.pmid, otherIds.pmid),
    ...compareValues('pmcid', ids.pmcid, otherIds.pmcid),
    // Each binding and edition has its own ISBN, so different ones prove nothing.
    ...(isbns === undefined ? [] : compareValues('isbn', isbns, isbns)),
  ]
}

function compareValues(
  field: WorkField,
  one: string | undefined,
  other: string | undefined,
): readonly FieldComparison[] {
  if (one === undefined || other === undefined) return []
  return [{ field, verdict: one === other ? 'same' : 'different', one, other }]
}

/** Prefixes under which preprints are registered: arXiv, bioRxiv and medRxiv (both), Research Square, SSRN, PsyArXiv, OSF, ChemRxiv, Preprints.org. */
const preprintDoi = /^10\.(?:48550|1101|64898|21203|2139|31234|31219|26434|20944)\//

/** Whether two DOIs may belong to a preprint and its published version, or to one preprint in two places. */
function areVersions({ doi: one }: Identifiers, { doi: other }: Identifiers): boolean {
  if (one === undefined || other === undefined || one === other) return false
  const [prefix, otherPrefix] = [one, other].map((doi) => preprintDoi.exec(doi)?.[0])
  return prefix !== otherPrefix
}

function compareContents(one: CslItem, other: CslItem): readonly FieldComparison[] {
  const reasons = [...compareTitleFields(one, other)]
  const [authors, otherAuthors] = [one.author ?? one.editor, other.author ?? other.editor]
  if (authors !== undefined && otherAuthors !== undefined) {
    const verdict = compareAuthors(authors, otherAuthors)
    reasons.push({ field: 'authors', verdict, one: readNames(one), other: readNames(other) })
  }
  const [year, otherYear] = [readYear(one), readYear(other)]
  if (year !== undefined && otherYear !== undefined) {
    // One year apart: preprint and published version, or online and print.
    const verdict = Math.abs(year - otherYear) <= 1 ? 'same' : 'different'
    reasons.push({ field: 'year', verdict, one: String(year), other: String(otherYear) })
  }
  return reasons
}

function compareTitleFields(
  { title: one }: CslItem,
  { title: other }: CslItem,
): readonly FieldComparison[] {
  if (one === undefined || other === undefined) return []
  return [{ field: 'title', verdict: compareTitles(one, other), one, other }]
}

function readYear(item: CslItem): number | undefined {
  return item.issued?.['date-parts']?.[0]?.[0]
}

function readNames(item: CslItem): string {
  const names = (item.author ?? item.editor ?? []).map(
    ({ literal, given, family }) => literal ?? [given, family].filter(Boolean).join(' '),
  )
  return names.length > 4 ? `${names.slice(0, 3).join('; ')}; … ${names.at(-1)}` : names.join('; ')
}
