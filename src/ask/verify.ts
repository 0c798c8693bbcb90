import type { CitedSource, Claim } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { noEvidenceText, saysNothing } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import {
  addSentencesBefore,
  applyOpinions,
  selectClaimsToJudge,
} from '../claims/verify/opinions.ts'
import type { Json } from '../kernel/json.ts'
import { noticeOvershoot } from '../kernel/limits/with-limits.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier } from '../team/ask-verifier.ts'
import { citedNumbers } from '../team/evidence.ts'
import type { Gap } from '../team/gap.ts'
import { finalShare } from './budget.ts'
import {
  checkClaimsByCode,
  listCalculations,
  readCitedPassages,
  uncheckedClaims,
} from './check-answer.ts'
import { clearAnswer, type EnforcedAnswer, enforceClaims } from './enforce-claims.ts'
import { classifyText, createResult, failedResult } from './outcome.ts'
import { citesOnlyPictures } from './pictures.ts'
import { withinBoundary } from './roles.ts'
import { assessShortAnswer, withBasis } from './short-answer.ts'
import { type AskPatch, type AskState, mergePatches, stateAfter, withFields } from './state.ts'
import type { TeamParts } from './team.ts'

/**
 * The last node: checks each claim of the final text against the passages that it cites, and creates the result.
 *
 * 1. Code compares each claim with its passages ({@link checkClaimsByCode}).
 * 2. The verifier, a model that sees only claims and passages, judges what code did not find verbatim.
 * 3. Under the policy `strict`, claims that fail are rewritten once or left out ({@link enforceClaims}).
 * 4. The cited sources are described, and the result is created ({@link createResult}).
 *
 * An answer that could not be checked is withheld: the run has then failed.
 */
export function verifyNode(team: TeamParts) {
  return async (state: AskState, node: RunContext): Promise<AskPatch> => {
    const patch = await withinBoundary('verify', timelessWithin(node), () =>
      verify(team, state, node),
    )
    const failure = patch.control?.error ?? patch.control?.limit ?? null
    if (failure === null) return patch
    const result = failedResult(stateAfter(state, patch), 'verify', failure)
    return mergePatches(patch, { verdicts: { result } })
  }
}

/** The findings are checked even after a limit or the time limit has ended the work. */
function timelessWithin(node: RunContext): RunContext {
  return node.child('final', { share: finalShare, isTimeless: true })
}

async function verify(team: TeamParts, state: AskState, node: RunContext): Promise<AskPatch> {
  const judged =
    classifyText(state) === 'answer' ? await judgeAnswer(team, state, node) : nothingJudged
  const after = stateAfter(state, judged.patch)
  // A strict answer may have nothing left: then it is not an answer.
  const isAnswer = classifyText(after) === 'answer'
  const context = timelessWithin(node)
  const exceeded = await noticeOvershoot(context)
  const citations = isAnswer ? await describeSources(team, withBasis(after), context) : []
  const claims = isAnswer ? judged.claims : []
  const result = createResult(after, { claims, citations, exceeded })
  return mergePatches(judged.patch, { verdicts: { result } })
}

/** The claims of the final text with their verdicts, and what the check changed. */
interface JudgedAnswer {
  readonly claims: readonly Claim[]
  readonly patch: AskPatch
}

const nothingJudged: JudgedAnswer = { claims: [], patch: {} }

/** Parts 1 to 3: code's check, the verifier's judgement, and the enforcement of a strict answer. */
async function judgeAnswer(
  team: TeamParts,
  state: AskState,
  node: RunContext,
): Promise<JudgedAnswer> {
  const { claims: policy } = state.question
  const written = withBasis(state)
  if (policy === 'off') return { claims: uncheckedClaims(written.answer.text), patch: {} }
  const passages = await readCitedPassages(team, written, timelessWithin(node))
  const isStrict = policy === 'strict'
  // A run that ended with a temporary (`retryable`) failure is resumed from there; a model judges its claims then.
  if (state.control.error?.retryable === true)
    return { claims: checkClaimsByCode(state, written.answer.text, passages), patch: {} }
  const cleared = isStrict ? clearAnswer(written, passages) : { state: written, gaps: [] }
  const checked = checkClaimsByCode(state, cleared.state.answer.text, passages)
  const toJudge = selectClaimsToJudge(
    checked.filter((claim) => !citesOnlyPictures(state.question.shownPictures, claim)),
    passages,
    state.research.citations,
  )
  const linked = addSentencesBefore(toJudge, checked, cleared.state.answer.text)
  // No model is called after the time limit.
  const context = node.child('models', { share: finalShare })
  const { answers: opinions, gaps } = await askVerifier(team, context, linked, {
    calculationsIn: (claim) => listCalculations(state, claim),
  })
  const claims = applyOpinions(checked, opinions)
  if (!isStrict) return { claims, patch: { control: { gaps } } }
  const judged = { claims, opinions, gaps: [...cleared.gaps, ...gaps] }
  const enforced = await enforceClaims({ team, state: cleared.state, context, passages }, judged)
  const patch = written === state ? toPatch(enforced) : enforceShortAnswer(state, enforced)
  return { claims: enforced.claims, patch }
}

function toPatch({ text, gaps }: EnforcedAnswer): AskPatch {
  return { answer: { text }, control: { gaps } }
}

/** Keeps a short answer if it still follows from what remains of the text it was made from. */
function enforceShortAnswer(state: AskState, { text: basis, gaps }: EnforcedAnswer): AskPatch {
  const isEmpty = saysNothing(basis)
  const isKept =
    !isEmpty && assessShortAnswer(withFields(state, { answer: { basis } })) !== 'unsupported'
  if (isKept) return { answer: { basis }, control: { gaps } }
  const detail = `Left out: “${state.answer.text}” It is not contained in the supported sentences.`
  const lost: readonly Gap[] = isEmpty ? [] : [{ kind: 'claim_dropped', detail }]
  return { answer: { text: noEvidenceText, basis: '' }, control: { gaps: [...gaps, ...lost] } }
}

/** The cited sources with their descriptions from the library. */
async function describeSources(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly CitedSource[]> {
  const cited = new Set(citedNumbers(state.answer.text))
  const minted = state.research.citations.filter(({ n }) => cited.has(n))
  if (minted.length === 0) return []
  const ids = minted.map(({ sourceId }) => sourceId)
  const described = await context.step('citations', 'read', { sources: ids }, async () => {
    const sources = await Promise.all(ids.map((id: SourceId) => team.library.source(id)))
    return sources.map((source) => {
      const path = source && (state.question.sourcePaths[source.id] ?? source.path)
      return source === undefined ? null : { ...source, ...(path === undefined ? {} : { path }) }
    }) as unknown as Json
  })
  const sources = described as readonly (Partial<CitedSource> | null)[]
  return minted.map((number, index) => describeSource(number, sources[index] ?? {}))
}

function describeSource(
  { n, sourceId, title }: MintedNumber,
  { url, path, csl = { id: sourceId, type: 'document', title } }: Partial<CitedSource>,
): CitedSource {
  const place = { ...(url === undefined ? {} : { url }), ...(path === undefined ? {} : { path }) }
  return { n, sourceId, title, ...place, csl }
}
