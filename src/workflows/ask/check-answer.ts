import { checkClaims } from '../../citations/check-claim.ts'
import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { splitClaims } from '../../citations/parse-claims.ts'
import { isBorneOut } from '../../citations/verify-claims/opinions.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { statesResult } from './calculated.ts'
import { citedNumbers, readEvidence } from './evidence.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** The passages that were read under the numbers that the final answer cites, read again as one step. */
export function readCited(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly ReadPassage[]> {
  const cited = citedNumbers(state.finalAnswer)
  const references = state.passages.filter((passage) => cited.includes(passage.n))
  return readEvidence(context, team.library, references)
}

/** The claims of an answer with code's verdicts. What cites nothing and gives the result of a calculation is not checked. */
export function checkByCode(
  { calculations, citations }: Pick<AskState, 'calculations' | 'citations'>,
  answer: string,
  passages: readonly ReadPassage[],
): readonly Claim[] {
  return checkClaims(splitClaims(answer), passages, citations).map((claim) => {
    const isCalculated =
      claim.citations.length === 0 &&
      calculations.some((calculation) => statesResult(claim.text, calculation))
    return isCalculated ? { ...claim, verdict: 'unchecked', reason: calculatedReason } : claim
  })
}

const calculatedReason =
  'Cites nothing: calculated, see the reasoning and the calls of the calculator.'

/** Whether a claim may stand in an answer of which everything has to hold: it is borne out, or calculated. */
export function mayStand(claim: Claim): boolean {
  const isCalculated = claim.citations.length === 0 && claim.verdict === 'unchecked'
  return isBorneOut(claim) || isCalculated
}

/** The claims of an answer that nobody checks. */
export function uncheckedClaims(answer: string): readonly Claim[] {
  return splitClaims(answer).map(({ text, citations }) => ({
    text,
    citations,
    verdict: 'unchecked',
    evidence: [],
    judge: 'none',
    reason: 'The check was turned off.',
  }))
}
