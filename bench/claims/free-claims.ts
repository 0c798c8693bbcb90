import { join } from 'node:path'
import { readRows, scifactAbstracts } from './generator/documents.ts'

/** How people labelled a claim and a text. */
export type Gold = 'SUPPORT' | 'CONTRADICT' | 'NO INFORMATION'

/** A claim that a person worded freely, with the texts it cites. */
export interface FreeClaim {
  readonly claim: string
  readonly gold: Gold
  readonly passages: readonly { readonly title: string; readonly text: string }[]
}

/** SciFact's dev claims, each with each abstract that it cites. Pairs whose abstract is missing are left out. */
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
      return [{ claim, gold, passages: [{ title, text }] }]
    }),
  )
}

interface ClimateRow {
  readonly claim: string
  readonly claim_label: string
  readonly evidences: readonly { readonly article: string; readonly evidence: string }[]
}

const climateGolds: Readonly<Record<string, Gold>> = {
  SUPPORTS: 'SUPPORT',
  REFUTES: 'CONTRADICT',
  NOT_ENOUGH_INFO: 'NO INFORMATION',
}

/** Climate-FEVER's claims, each with its five sentences together; without the disputed ones. */
export function climateClaims(folder: string): FreeClaim[] {
  const rows = readRows<ClimateRow>(join(folder, '02-qa', 'climate-fever.dev.jsonl'))
  return rows.flatMap(({ claim, claim_label: label, evidences }) => {
    const gold = climateGolds[label]
    if (gold === undefined) return []
    const passages = evidences.map(({ article, evidence }) => ({ title: article, text: evidence }))
    return [{ claim: claim.replace(/(?<![.!?])$/, '.'), gold, passages }]
  })
}
