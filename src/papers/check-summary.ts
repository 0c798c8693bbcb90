import type { Claim } from '../citations/claim.ts'
import { noEvidenceText } from '../citations/role-input.ts'
import { checkClaims } from '../claims/check/check-claim.ts'
import { type CitedSentence, splitClaims } from '../claims/check/parse-claims.ts'
import { editSentences } from '../claims/verify/edit-sentences.ts'
import {
  checkAddresses,
  clearOutsideClaims,
  collectKnown,
} from '../claims/verify/foreign-addresses.ts'
import { isSupported } from '../claims/verify/opinions.ts'
import type { Gap } from '../team/gap.ts'
import type { Read } from './check-statements.ts'

/** A summary with what was taken from it. */
export interface ClearedSummary {
  readonly summary: string
  readonly gaps: readonly Gap[]
}

/** A summary without the sentences that cite a number of no kept paper, and without what leads elsewhere outside of sentences. */
export function clearSummary(
  summary: string,
  numbers: readonly number[],
  read: Read,
): ClearedSummary {
  const cleared = clearOutsideClaims(summary, collectKnown(read))
  const strange = splitClaims(cleared.answer).filter(({ citations }) =>
    citations.some((n) => !numbers.includes(n)),
  )
  const left = without(cleared.answer, strange, (claim) => {
    const unknown = claim.citations.filter((n) => !numbers.includes(n)).map((n) => `[${n}]`)
    return `${unknown.join('')} is no paper that was analysed and kept.`
  })
  const outside = cleared.removed.map(({ text, foreign }) =>
    dropped(text, `“${foreign}” is no address of the papers.`),
  )
  return { summary: left.summary, gaps: [...outside, ...left.gaps] }
}

/** The claims of a summary as code judges them. */
export function checkSummary(
  summary: string,
  { passages, citations, prepare }: Read,
): readonly Claim[] {
  const judged = checkClaims(splitClaims(summary), passages, citations, prepare)
  return checkAddresses(judged, summary, { passages, citations })
}

/** A summary with only the sentences that their pages bear out. */
export function strictSummary(summary: string, claims: readonly Claim[]): ClearedSummary {
  const reasons = new Map(claims.map((claim) => [claim.text, claim]))
  const wrong = splitClaims(summary).filter(({ text }) => {
    const claim = reasons.get(text)
    return claim === undefined || !isSupported(claim)
  })
  return without(summary, wrong, ({ text }) => reasons.get(text)?.reason ?? 'It was not checked.')
}

function without(
  summary: string,
  sentences: readonly CitedSentence[],
  why: (sentence: CitedSentence) => string,
): ClearedSummary {
  if (sentences.length === 0) return { summary, gaps: [] }
  const edits = sentences.map(({ start, end }) => ({ start, end, replacement: null }))
  const { text, lost } = editSentences(summary, edits)
  const gaps = [
    ...sentences.map((sentence) => dropped(sentence.text, why(sentence))),
    ...lost.map((sentence) => dropped(sentence, 'It could not stand without what was left out.')),
  ]
  return { summary: text.trim() === '' ? noEvidenceText : text, gaps }
}

function dropped(text: string, reason: string): Gap {
  return { kind: 'claim_dropped', detail: `Left out: “${text.trim()}” ${reason}` }
}
