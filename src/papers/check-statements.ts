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

/** What is said of one paper, to be held against its pages. */
export interface Statement {
  readonly text: string
  /** The paper's number. */
  readonly n: number
}

/** Against what statements are held. */
export interface Read {
  readonly passages: readonly ReadPassage[]
  readonly citations: readonly MintedNumber[]
  /** Makes the passages ready for comparison. Default: for each check anew. */
  readonly prepare?: PreparePassage
}

/** A statement as a sentence that cites its paper, without the marks that it came with. */
function toSentence({ text, n }: Statement): CitedSentence {
  const bare = withoutMarks(text)
  const cited = `${bare} [${n}]`
  const plain = splitClaims(bare)
    .map((claim) => claim.plain)
    .join(' ')
  return { text: cited, plain: plain || bare, citations: [n], start: 0, end: cited.length }
}

/** A text without marks of citations. */
export function withoutMarks(text: string): string {
  return text
    .replace(citationRun, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\s+(?=[.,;:!?](?:\s|$))/g, '')
    .trim()
}

/** The verdicts of code on statements, in their order; an address that is none of their paper's makes them `altered`. */
export function checkStatements(statements: readonly Statement[], read: Read): readonly Claim[] {
  const { passages, citations, prepare } = read
  const judged = checkClaims(statements.map(toSentence), passages, citations, prepare)
  return checkAddresses(judged, '', { passages, citations })
}

/** Claims that nobody checks. */
export function uncheckedClaims(claims: readonly Pick<Claim, 'text' | 'citations'>[]): Claim[] {
  return claims.map(({ text, citations }) => ({
    text,
    citations,
    verdict: 'unchecked',
    evidence: [],
    judge: 'none',
    reason: 'The check was turned off.',
  }))
}

/** Claims with what the verifier says of those that code leaves open. */
export async function withVerifier(
  parts: Pick<PapersParts, 'prompts'>,
  context: RunContext,
  claims: readonly Claim[],
  { passages, citations, prepare }: Read,
): Promise<{ readonly claims: readonly Claim[]; readonly gaps: readonly Gap[] }> {
  const asked = selectClaimsToJudge(claims, passages, citations)
  const { answers, gaps } = await askVerifier(parts, context, asked, prepare)
  return { claims: applyOpinions(claims, answers), gaps }
}
