import type { Verdict } from '../../src/citations/claim.ts'

/** The plain way to check a claim: it is supported if all its words occur in the cited texts, and otherwise not found. */
export function wordVerdict(claim: string, texts: readonly { readonly text: string }[]): Verdict {
  const known = new Set(texts.flatMap(({ text }) => wordsIn(text)))
  return wordsIn(claim).every((word) => known.has(word)) ? 'supported' : 'not_found'
}

function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether a claim counts as supported. */
export function isPassed(verdict: Verdict): boolean {
  return verdict === 'verbatim' || verdict === 'supported'
}

/** Whether a claim counts as wrong. The other verdicts abstain. */
export function isFlagged(verdict: Verdict): boolean {
  return verdict === 'altered' || verdict === 'not_found' || verdict === 'contradicted'
}
