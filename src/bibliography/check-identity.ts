import type { CslItem } from '../citations/source.ts'
import { retractionMark } from './compare-titles.ts'
import { findIdentifiers } from './identifiers.ts'
import type { MetadataRecord } from './metadata-record.ts'
import { compareWorks, type FieldComparison, type WorkComparison } from './same-work.ts'

/** A field in which the reference and a source disagree. */
export interface Disagreement {
  readonly field: FieldComparison['field']
  readonly source: MetadataRecord['source']
  readonly said: string
  readonly found: string
  /** `unclear`: possibly reworded or shortened. */
  readonly verdict: 'different' | 'unclear'
}

/** A retraction, and the source that reports it. */
export interface Retraction {
  readonly source: MetadataRecord['source'] | 'reference'
  readonly says: string
}

/** The result of comparing a reference with the sources' records. */
export interface IdentityCheck {
  /**
   * `confirmed`: a source has this work and no field disagrees. `disagrees`: a field differs, most importantly an identifier that
   * belongs to another work. `unclear`: it may be a source's work. `not_found`: no source has it.
   */
  readonly verdict: 'confirmed' | 'disagrees' | 'unclear' | 'not_found'
  readonly disagreements: readonly Disagreement[]
  /** Empty if no source reports one, which does not prove that there is none. */
  readonly retracted: readonly Retraction[]
  /** The comparison with each record, in the order of the records. */
  readonly comparisons: readonly (WorkComparison & { readonly source: MetadataRecord['source'] })[]
}

/**
 * Compares a reference with the records that metadata sources returned for it. A record of another work that shares no identifier
 * counts as not found; if an identifier is the same, every field that disagrees is listed.
 */
export function checkIdentity(item: CslItem, found: readonly MetadataRecord[]): IdentityCheck {
  const compared = found.map((record) => ({ record, comparison: compareWorks(item, record.item) }))
  const related = compared.filter(({ comparison }) => isRelated(comparison))
  const disagreements = related.flatMap(({ record, comparison }) =>
    comparison.reasons.flatMap((reason) => toDisagreement(reason, record.source)),
  )
  return {
    verdict: decideVerdict(
      related.map(({ comparison }) => comparison),
      disagreements,
    ),
    disagreements,
    retracted: collectRetractions(
      item,
      found,
      related.map(({ record }) => record),
    ),
    comparisons: compared.map(({ record, comparison }) => ({
      source: record.source,
      ...comparison,
    })),
  }
}

const identifying: ReadonlySet<FieldComparison['field']> = new Set([
  'doi',
  'arxiv',
  'pmid',
  'pmcid',
  'isbn',
])

function isRelated({ verdict, reasons }: WorkComparison): boolean {
  return (
    verdict !== 'different' ||
    reasons.some(({ field, verdict: one }) => one === 'same' && identifying.has(field))
  )
}

function toDisagreement(
  { field, verdict, one, other }: FieldComparison,
  source: MetadataRecord['source'],
): readonly Disagreement[] {
  return verdict === 'same' ? [] : [{ field, source, said: one, found: other, verdict }]
}

function decideVerdict(
  related: readonly WorkComparison[],
  disagreements: readonly Disagreement[],
): IdentityCheck['verdict'] {
  if (related.length === 0) return 'not_found'
  if (disagreements.some(({ verdict }) => verdict === 'different')) return 'disagrees'
  return related.some(({ verdict }) => verdict === 'same') ? 'confirmed' : 'unclear'
}

function collectRetractions(
  item: CslItem,
  found: readonly MetadataRecord[],
  related: readonly MetadataRecord[],
): readonly Retraction[] {
  const mark = retractionMark.exec(item.title ?? '')
  const { doi } = findIdentifiers(item)
  const notices = found.filter(({ retracts }) => doi !== undefined && retracts?.includes(doi))
  return [
    ...(mark === null
      ? []
      : [{ source: 'reference' as const, says: `its title begins with "${mark[0].trim()}"` }]),
    ...related.flatMap(({ source, retraction }) =>
      retraction === undefined ? [] : [{ source, says: retraction }],
    ),
    ...notices.map(({ source, item: notice }) => ({
      source,
      says: `${notice.DOI ?? notice.title ?? 'a notice'} retracts it`,
    })),
  ]
}
