import type { Claim, ReadPassage } from '../citations/claim.ts'
import { checkClaims } from '../claims/check/check-claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import { checkAddresses, isPlainText } from '../claims/verify/foreign-addresses.ts'
import { hasMissingNumbers, isSupported } from '../claims/verify/opinions.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { citedNumbers, readEvidence } from '../team/evidence.ts'
import { type Calculation, findCalculation, statesResult } from './calculated.ts'
import { citesOnlyPictures } from './pictures.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** The passages that were read under the numbers that the final answer cites, read again as one step. */
export function readCitedPassages(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly ReadPassage[]> {
  const cited = citedNumbers(state.answer.text)
  const references = state.research.passages.filter((passage) => cited.includes(passage.n))
  return readEvidence(context, team.library, references, state.research.citations)
}

/**
 * The claims of an answer with code's verdicts. A claim that cites nothing and states a calculation in full is `unchecked`; one
 * with an address that it does not cite is `altered`.
 */
export function checkClaimsByCode(
  { question, research, answer: { calculations } }: AskState,
  text: string,
  passages: readonly ReadPassage[],
): readonly Claim[] {
  const { citations } = research
  const judged = checkClaims(splitClaims(text), passages, citations)
  return checkAddresses(judged, text, { passages, citations }).map((claim) => {
    if (claim.verdict === 'not_found' && citesOnlyPictures(question.shownPictures, claim))
      return { ...claim, verdict: 'unchecked', judge: 'none', evidence: [], reason: pictureReason }
    if (claim.citations.length > 0) return withCalculated(claim, calculations)
    const calculated = findCalculation(claim.text, calculations)
    if (calculated !== undefined && isPlainText(claim.text))
      return {
        ...claim,
        verdict: 'unchecked',
        reason: calculatedReasons[calculated.tool ?? 'other'],
      }
    const isResult = calculations.some((calculation) => statesResult(claim.text, calculation))
    return isResult ? { ...claim, reason: resultReason } : claim
  })
}

/** A claim of which every number that its passages do not state is the result of a calculation is undecided by code. */
function withCalculated(claim: Claim, calculations: readonly Calculation[]): Claim {
  const { numbers = [] } = claim
  const isCalculated = (number: string) => calculations.some((one) => statesResult(number, one))
  if (!hasMissingNumbers(claim) || !numbers.every(isCalculated)) return claim
  return { ...claim, verdict: 'unchecked', reason: `Calculated: ${numbers.join(', ')}.` }
}

/** The calculations whose result a claim states, as the verifier is shown them. */
export function listCalculations(
  { answer: { calculations } }: AskState,
  { text }: Claim,
): readonly string[] {
  return calculations
    .filter((one) => statesResult(text, one))
    .map(({ expression, result }) => `${expression} = ${result}`)
}

const pictureReason = 'It is based on an image, which code cannot check.'
const calculatedReasons = {
  python: 'No citation: calculated, see the reasoning and the executed code.',
  other: 'No citation: calculated, see the reasoning and the calculator calls.',
} as const
const resultReason =
  'It has no citation, and states the result of a calculation without all of its inputs, or with something else added.'

/** Whether a claim may stay in a strict answer: it is supported, or calculated. */
export function isAcceptable(claim: Claim): boolean {
  return isSupported(claim) || (claim.citations.length === 0 && claim.verdict === 'unchecked')
}

/** The claims of an answer that is not checked. */
export function uncheckedClaims(answer: string): readonly Claim[] {
  return splitClaims(answer).map(({ text, citations }) => ({
    text,
    citations,
    verdict: 'unchecked',
    evidence: [],
    judge: 'none',
    reason: 'Checking is turned off.',
  }))
}
