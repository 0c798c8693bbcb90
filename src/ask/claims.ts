import { noEvidenceText, saysNothing } from '../citations/role-input.ts'
import { claimsToJudge, withOpinions } from '../claims/verify/opinions.ts'
import type { Patch } from '../graph/graph.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier, hasVerifier } from '../team/ask-verifier.ts'
import type { Gap } from '../team/gap.ts'
import { checkByCode, readCited } from './check-answer.ts'
import { finalShare } from './final-share.ts'
import { clearAnswer, holdToClaims } from './hold-to-claims.ts'
import { kindOfText } from './outcome.ts'
import { restsOnPictures } from './pictures.ts'
import { standingOf, withBasis } from './short-answer.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/**
 * What becomes of the final answer's claims under the run's policy: the verifier, a model that sees claims and passages and nothing
 * else, judges each of which code does not know that it stands in its source word for word. Under `strict`, what does not hold is
 * then rewritten or left out.
 */
export function claimsNode(team: TeamParts) {
  return async (state: AskState, node: RunContext): Promise<Patch<AskState>> => {
    const isStrict = state.claims === 'strict'
    const isCalledFor = state.claims !== 'off' && (isStrict || hasVerifier(node))
    // A run that ends on a passing failure is tried again from there.
    const isTriedAgain = state.error?.retryable === true
    if (!isCalledFor || isTriedAgain || kindOfText(state) !== 'answer') return {}
    // What was found is checked also after the time limit, but no model is asked any more.
    const timeless = node.child('final', { share: finalShare, isTimeless: true })
    const context = node.child('models', { share: finalShare })
    const written = withBasis(state)
    const passages = await readCited(team, written, timeless)
    const cleared = isStrict ? clearAnswer(written, passages) : { state: written, gaps: [] }
    const claims = checkByCode(state, cleared.state.finalAnswer, passages)
    const asked = claimsToJudge(
      claims.filter((claim) => !restsOnPictures(state.shownPictures, claim)),
      passages,
      state.citations,
    )
    const { answers: opinions, gaps } = await askVerifier(team, context, asked)
    if (!isStrict) return { opinions, gaps }
    const judged = {
      claims: withOpinions(claims, opinions),
      opinions,
      gaps: [...cleared.gaps, ...gaps],
    }
    const held = await holdToClaims({ team, state: cleared.state, context, passages }, judged)
    return written === state ? held : heldShort(state, held)
  }
}

/** What is left of a short answer: itself, where it still stands in what is left of the text from which it was made. */
function heldShort(
  state: AskState,
  { finalAnswer = '', gaps = [], ...others }: Patch<AskState>,
): Patch<AskState> {
  const isEmpty = saysNothing(finalAnswer)
  if (!isEmpty && standingOf({ ...state, answerBasis: finalAnswer }) !== 'not')
    return { ...others, gaps, answerBasis: finalAnswer }
  const detail = `Left out: “${state.finalAnswer}” It does not stand in the sentences that hold.`
  const lost: readonly Gap[] = isEmpty ? [] : [{ kind: 'claim_dropped', detail }]
  return { ...others, gaps: [...gaps, ...lost], finalAnswer: noEvidenceText, answerBasis: '' }
}
