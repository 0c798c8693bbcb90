import { join } from 'node:path'
import { readRows, scifactAbstracts } from './second/documents.ts'

/** What people said of a claim beside a text. */
export type Gold = 'SUPPORT' | 'CONTRADICT' | 'NO INFORMATION'

/** A claim that a person worded freely, beside what it cites. */
export interface FreeClaim {
  readonly claim: string
  readonly gold: Gold
  /** What the folds are made by: an abstract's id, an article's title. */
  readonly document: string
  readonly passages: readonly { readonly title: string; readonly text: string }[]
}

/** SciFact's dev claims, each beside each abstract that it cites. Pairs whose abstract is missing are left out. */
export function scifactClaims(folder: string): FreeClaim[] {
  type Row = {
    claim: string
    evidence: Record<string, { label: 'SUPPORT' | 'CONTRADICT' }[]>
    cited_doc_ids: number[]
  }
  const abstracts = new Map(
    scifactAbstracts(folder, true).map((abstract) => [abstract.id, abstract]),
  )
  const rows = readRows<Row>(join(folder, '02-qa', 'scifact-claims.dev.jsonl'))
  return rows.flatMap(({ claim, evidence, cited_doc_ids: ids }) =>
    ids.flatMap((id): FreeClaim[] => {
      const abstract = abstracts.get(String(id))
      if (abstract === undefined) return []
      const gold = evidence[id]?.[0]?.label ?? 'NO INFORMATION'
      const { title, text } = abstract
      return [{ claim, gold, document: abstract.id, passages: [{ title, text }] }]
    }),
  )
}

interface ClimateRow {
  readonly claim_id: string
  readonly claim: string
  readonly claim_label: string
  readonly evidences: readonly {
    readonly article: string
    readonly evidence: string
    readonly evidence_label: string
  }[]
}

const climateGolds: Readonly<Record<string, Gold>> = {
  SUPPORTS: 'SUPPORT',
  REFUTES: 'CONTRADICT',
  NOT_ENOUGH_INFO: 'NO INFORMATION',
}

function climateRows(folder: string): ClimateRow[] {
  const rows = readRows<ClimateRow>(join(folder, '02-qa', 'climate-fever.dev.jsonl'))
  return rows.map((row) => ({ ...row, claim: row.claim.replace(/(?<![.!?])$/, '.') }))
}

/** Climate-FEVER's claims, each beside each of its five sentences from Wikipedia alone. */
export function climatePairs(folder: string): FreeClaim[] {
  return climateRows(folder).flatMap(({ claim, evidences }) =>
    evidences.map(({ article, evidence, evidence_label: label }) => ({
      claim,
      gold: climateGolds[label] ?? 'NO INFORMATION',
      document: article,
      passages: [{ title: article, text: evidence }],
    })),
  )
}

/** Climate-FEVER's claims, each beside its five sentences together; without the disputed ones. */
export function climateClaims(folder: string): FreeClaim[] {
  return climateRows(folder).flatMap(({ claim_id: id, claim, claim_label: label, evidences }) => {
    const gold = climateGolds[label]
    const passages = evidences.map(({ article, evidence }) => ({ title: article, text: evidence }))
    return gold === undefined ? [] : [{ claim, gold, document: id, passages }]
  })
}
