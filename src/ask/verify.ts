import type { CitedSource, Claim } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { noEvidenceText, saysNothing } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import { applyOpinions, selectClaimsToJudge } from '../claims/verify/opinions.ts'
import type { Json } from '../kernel/json.ts'
import { noticeOvershoot } from '../kernel/limits/with-limits.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier, hasVerifier } from '../team/ask-verifier.ts'
import { citedNumbers } from '../team/evidence.ts'
import type { Gap } from '../team/gap.ts'
import { finalShare } from './budget.ts'
import { checkClaimsByCode, readCitedPassages, uncheckedClaims } from './check-answer.ts'
import { clearAnswer, enforceClaims } from './enforce-claims.ts'
import { classifyText, createResult, failedResult } from './outcome.ts'
import { citesOnlyPictures } from './pictures.ts'
import type { AskResult } from './result.ts'
import { withinBoundary } from './roles.ts'
import { assessShortAnswer, withBasis } from './short-answer.ts'
import { type AskPatch, type AskState, mergePatches, withFields } from './state.ts'
import type { TeamParts } from './team.ts'

/**
 * Checks every claim of the answer against the passages that it cites, and makes the result. An answer that could not be
 * checked is not passed on: the run has failed then.
 */
export function verifyNode(team: TeamParts) {
  return async (state: AskState, node: RunContext): Promise<AskPatch> => {
    // What was found is checked also when a limit has ended the work.
    const context = node.child('final', { share: finalShare, isTimeless: true })
    const patch = await withinBoundary('verify', context, async () => ({
      verdicts: { result: await buildResult(team, state, context) },
    }))
    const failure = patch.control?.error ?? patch.control?.limit ?? null
    if (failure === null) return patch
    const gaps = [...state.control.gaps, ...(patch.control?.gaps ?? [])]
    const result = failedResult(withFields(state, { control: { gaps } }), 'verify', failure)
    return mergePatches(patch, { verdicts: { result } })
  }
}

async function buildResult(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<AskResult> {
  const kind = classifyText(state)
  const checked = withBasis(state)
  const claims = kind === 'answer' ? await judgeAnswer(team, checked, context) : []
  const passed = await noticeOvershoot(context)
  const citations = kind === 'answer' ? await describeSources(team, checked, context) : []
  return createResult(state, { claims, citations, passed })
}

/** The claims of the final answer: code's verdicts with what the verifier says. */
async function judgeAnswer(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly Claim[]> {
  if (state.question.claims === 'off') return uncheckedClaims(state.answer.text)
  const passages = await readCitedPassages(team, state, context)
  return applyOpinions(
    checkClaimsByCode(state, state.answer.text, passages),
    state.verdicts.opinions,
  )
}

/** The cited sources with what the library knows of them. */
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

/**
 * Judges the final answer's claims under the run's policy: the verifier, a model that sees claims and passages and nothing else,
 * judges each claim that code does not find word for word in its source. Under `strict`, claims that fail are rewritten or left out.
 */
export function claimsNode(team: TeamParts) {
  return async (state: AskState, node: RunContext): Promise<AskPatch> => {
    const isStrict = state.question.claims === 'strict'
    const isCalledFor = state.question.claims !== 'off' && (isStrict || hasVerifier(node))
    // A run that ends on a passing failure is tried again from there.
    const isTriedAgain = state.control.error?.retryable === true
    if (!isCalledFor || isTriedAgain || classifyText(state) !== 'answer') return {}
    // What was found is checked also after the time limit, but no model is asked any more.
    const timeless = node.child('final', { share: finalShare, isTimeless: true })
    const context = node.child('models', { share: finalShare })
    const written = withBasis(state)
    const passages = await readCitedPassages(team, written, timeless)
    const cleared = isStrict ? clearAnswer(written, passages) : { state: written, gaps: [] }
    const claims = checkClaimsByCode(state, cleared.state.answer.text, passages)
    const asked = selectClaimsToJudge(
      claims.filter((claim) => !citesOnlyPictures(state.question.shownPictures, claim)),
      passages,
      state.research.citations,
    )
    const { answers: opinions, gaps } = await askVerifier(team, context, asked)
    if (!isStrict) return { verdicts: { opinions }, control: { gaps } }
    const judged = {
      claims: applyOpinions(claims, opinions),
      opinions,
      gaps: [...cleared.gaps, ...gaps],
    }
    const held = await enforceClaims({ team, state: cleared.state, context, passages }, judged)
    return written === state ? held : enforceShortAnswer(state, held)
  }
}

/** Keeps a short answer while it still follows from what is left of the text that it was made from. */
function enforceShortAnswer(state: AskState, held: AskPatch): AskPatch {
  const basis = held.answer?.text ?? ''
  const isEmpty = saysNothing(basis)
  const isKept =
    !isEmpty && assessShortAnswer(withFields(state, { answer: { basis } })) !== 'unsupported'
  if (isKept) return { ...held, answer: { basis } }
  const detail = `Left out: “${state.answer.text}” It is not contained in the supported sentences.`
  const lost: readonly Gap[] = isEmpty ? [] : [{ kind: 'claim_dropped', detail }]
  return {
    ...held,
    answer: { text: noEvidenceText, basis: '' },
    control: { gaps: [...(held.control?.gaps ?? []), ...lost] },
  }
}
