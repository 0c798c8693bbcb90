import type { Claim, ReadPassage } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { checkClaims } from '../claims/check/check-claim.ts'
import { type CitedSentence, citationRun, splitClaims } from '../claims/check/parse-claims.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { checkAddresses } from '../claims/verify/foreign-addresses.ts'
import { applyOpinions, selectClaimsToJudge } from '../claims/verify/opinions.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier } from '../team/ask-verifier.ts'
import type { Gap } from '../team/gap.ts'
import type { PapersParts } from './parts.ts'

/** A statement about one paper, to be checked against its pages. */
export interface Statement {
  readonly text: string
  /** The paper's citation number. */
  readonly n: number
}

/** What statements are checked against. */
export interface CheckSources {
  readonly passages: readonly ReadPassage[]
  readonly citations: readonly MintedNumber[]
  /** Prepares passages for comparison. Default: prepares them anew for each check. */
  readonly prepare?: PreparePassage
}

/** Turns a statement into a sentence that cites its paper, without the citation marks it came with. */
function toSentence({ text, n }: Statement): CitedSentence {
  const bare = stripCitations(text)
  const cited = `${bare} [${n}]`
  const plain = splitClaims(bare)
    .map((claim) => claim.plain)
    .join(' ')
  return { text: cited, plain: plain || bare, citations: [n], start: 0, end: cited.length }
}

/** Removes citation marks from a text. */
export function stripCitations(text: string): string {
  return text
    .replace(citationRun, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s+(?=[.,;:!?](?:\s|$))/g, '')
    .trim()
}

/**
 * Checks statements by code; verdicts come in their order. An address that does not belong to the paper makes a
 * statement `altered`.
 */
export function checkStatements(
  statements: readonly Statement[],
  read: CheckSources,
): readonly Claim[] {
  const { passages, citations, prepare } = read
  const judged = checkClaims(statements.map(toSentence), passages, citations, prepare)
  return checkAddresses(judged, '', { passages, citations })
}

/** Claims for which checking is turned off. */
export function markUnchecked(claims: readonly Pick<Claim, 'text' | 'citations'>[]): Claim[] {
  return claims.map(({ text, citations }) => ({
    text,
    citations,
    verdict: 'unchecked',
    evidence: [],
    judge: 'none',
    reason: 'Checking is turned off.',
  }))
}

/** Adds the verifier's opinion to claims that code could not decide. */
export async function verifyOpenClaims(
  parts: Pick<PapersParts, 'prompts'>,
  context: RunContext,
  claims: readonly Claim[],
  { passages, citations, prepare }: CheckSources,
): Promise<{ readonly claims: readonly Claim[]; readonly gaps: readonly Gap[] }> {
  const asked = selectClaimsToJudge(claims, passages, citations)
  const { answers, gaps } = await askVerifier(parts, context, asked, { prepare })
  return { claims: applyOpinions(claims, answers), gaps }
}
