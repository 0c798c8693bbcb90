import { checkClaims, coverageOf } from '../../citations/check-claim.ts'
import type { CitedSource, Claim } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { splitClaims } from '../../citations/parse-claims.ts'
import { noEvidenceText, notAnsweredText } from '../../citations/role-input.ts'
import type { SourceId } from '../../citations/source.ts'
import type { Patch } from '../../graph/graph.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { citedNumbers, readEvidence } from './evidence.ts'
import { finalShare } from './final-share.ts'
import type { AskResult, AskStatus, Gap, StopReason } from './result.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** Checks every claim of the answer against the passages that it cites, and makes the result. */
export function verifyNode(team: TeamParts) {
  return async (state: AskState, node: RunContext): Promise<Patch<AskState>> => {
    // What was found is checked also when a limit has ended the work.
    const context = node.child('final', { share: finalShare })
    const gaps = [...state.gaps, ...evidenceGaps(state)]
    const isUncited = lacksCitations(state)
    const answer = isUncited ? noEvidenceText : state.finalAnswer
    if (isUncited)
      gaps.push({
        kind: 'uncited_answer',
        detail: 'The answer cited no place that was read, so it is withheld.',
      })
    const { status, stopReason } = outcomeOf(state, answer, gaps)
    const isClaiming =
      !isFailureText(state) && answer !== noEvidenceText && answer !== notAnsweredText
    const claims = isClaiming ? await check(team, state, answer, context) : []
    const cited = new Set(citedNumbers(answer))
    const citations = isClaiming
      ? await describeSources(
          team,
          state.citations.filter(({ n }) => cited.has(n)),
          context,
        )
      : []
    const result: AskResult = {
      status,
      stopReason,
      question: state.question,
      answer,
      reasoning: state.finalReasoningTrace,
      citations,
      claims,
      coverage: coverageOf(claims),
      plan: { researchSteps: state.researchSteps, expertSteps: state.expertSteps },
      retries: state.retries,
      gaps,
    }
    return { result }
  }
}

/** Whether the answer only says what failed. After a failure of the finalizer it is what the team had approved. */
function isFailureText({ error, errorComponent }: AskState): boolean {
  return error !== null && errorComponent !== 'finalizer'
}

async function check(
  team: TeamParts,
  state: AskState,
  answer: string,
  context: RunContext,
): Promise<readonly Claim[]> {
  const cited = citedNumbers(answer)
  const references = state.passages.filter((passage) => cited.includes(passage.n))
  const passages = await readEvidence(context, team.library, references)
  const claims = checkClaims(splitClaims(answer), passages, state.citations)
  if (state.calculations === 0) return claims
  return claims.map((claim) =>
    claim.citations.length > 0 ? claim : { ...claim, reason: calculatedReason },
  )
}

/** Why a sentence without a citation is not checked in an answer for which something was calculated. */
const calculatedReason =
  'Cites nothing: calculated, see the reasoning and the calls of the calculator.'

/** The cited sources with what the library knows of them. */
async function describeSources(
  team: TeamParts,
  minted: readonly MintedNumber[],
  context: RunContext,
): Promise<readonly CitedSource[]> {
  if (minted.length === 0) return []
  const ids = minted.map(({ sourceId }) => sourceId)
  const described = await context.step('citations', 'read', { sources: ids }, async () => {
    const sources = await Promise.all(ids.map((id: SourceId) => team.library.source(id)))
    return sources.map((source) => source ?? null) as unknown as Json
  })
  return minted.map(({ n, sourceId, title }, index) => {
    const source = (described as readonly (Partial<CitedSource> | null)[])[index]
    const csl = source?.csl ?? { id: sourceId, type: 'document', title }
    return {
      n,
      sourceId,
      title,
      ...(source?.url === undefined ? {} : { url: source.url }),
      ...(source?.path === undefined ? {} : { path: source.path }),
      csl,
    }
  })
}

/** The research steps to which the sources gave no answer. */
function evidenceGaps(state: AskState): readonly Gap[] {
  return state.researchResults
    .filter(({ result }) => result.trim() === noEvidenceText)
    .map(({ request }) => ({ kind: 'no_evidence', detail: request }))
}

/** Whether an answer that was to be looked up rests on nothing that was read or calculated. */
function lacksCitations(state: AskState): boolean {
  if (
    state.error !== null ||
    state.finalAnswer === notAnsweredText ||
    state.finalAnswer === noEvidenceText
  )
    return false
  if (state.researchSteps.length === 0 || state.calculations > 0) return false
  const known = new Set(state.citations.map(({ n }) => n))
  return !citedNumbers(state.finalAnswer).some((n) => known.has(n))
}

function outcomeOf(
  state: AskState,
  answer: string,
  gaps: readonly Gap[],
): { status: AskStatus; stopReason: StopReason } {
  if (state.error !== null) return { status: 'failed', stopReason: 'error' }
  if (state.limit !== null)
    return { status: answer === noEvidenceText ? 'unanswered' : 'partial', stopReason: 'limit' }
  if (answer === notAnsweredText) return { status: 'unanswered', stopReason: 'retry_limit' }
  if (answer.trim() === noEvidenceText) return { status: 'unanswered', stopReason: 'no_evidence' }
  if (gaps.some(({ kind }) => kind === 'no_evidence'))
    return { status: 'partial', stopReason: 'gaps' }
  return { status: 'answered', stopReason: 'answered' }
}
