import type { Claim, ReadPassage } from '../../src/citations/claim.ts'
import type { MintedNumber } from '../../src/citations/ledger.ts'
import { passageId, type SourceId } from '../../src/citations/source.ts'
import { checkClaims } from '../../src/claims/check/check-claim.ts'

/** A claim as code judged it, with the passages and citations it was judged by. */
export interface JudgedByCode {
  readonly claim: Claim
  readonly passages: readonly ReadPassage[]
  readonly citations: readonly MintedNumber[]
}

/** Has code judge a sentence that cites one or more texts, each read whole. */
export function judgeByCode(
  sentence: string,
  texts: readonly { readonly title: string; readonly text: string }[],
): JudgedByCode {
  const cited = texts.map(({ title, text }, index) => {
    const sourceId = (index + 10).toString(16).padStart(64, '0') as SourceId
    const id = passageId(sourceId, 0, text.length)
    const n = index + 1
    const passage: ReadPassage = { n, passageId: id, sourceId, start: 0, end: text.length, text }
    return { passage, citation: { n, sourceId, title } }
  })
  const passages = cited.map(({ passage }) => passage)
  const citations = cited.map(({ citation }) => citation)
  const numbers = passages.map(({ n }) => n)
  const span = { start: 0, end: sentence.length }
  const [claim] = checkClaims(
    [{ text: sentence, plain: sentence, citations: numbers, ...span }],
    passages,
    citations,
  )
  if (claim === undefined) throw new Error(`no verdict: ${sentence}`)
  return { claim, passages, citations }
}
