import * as z from 'zod'
import type { Claim, ReadPassage } from '../citations/claim.ts'
import { noEvidenceText } from '../citations/role-requests.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import {
  type EditedAnswer,
  editSentences,
  type SentenceEdit,
  widenRemovals,
} from '../claims/verify/edit-sentences.ts'
import {
  clearOutsideClaims,
  collectKnown,
  explainForeign,
  isPlainText,
} from '../claims/verify/foreign-addresses.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import {
  applyOpinions,
  type ClaimOpinion,
  type ClaimToJudge,
  selectClaimsToJudge,
  selectShowableClaims,
} from '../claims/verify/opinions.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier } from '../team/ask-verifier.ts'
import { askInBatches, type BatchAnswers, openBatch } from '../team/claim-batches.ts'
import { modelText } from '../team/conversation.ts'
import { citedNumbers } from '../team/evidence.ts'
import type { Gap } from '../team/gap.ts'
import { checkClaimsByCode, isAcceptable, listCalculations } from './check-answer.ts'
import { type AskState, withFields } from './state.ts'
import type { TeamParts } from './team.ts'

/** What enforcing claims needs. */
export interface EnforcementScope {
  readonly team: TeamParts
  readonly state: AskState
  readonly context: RunContext
  /** What was read under the numbers that the answer cites. */
  readonly passages: readonly ReadPassage[]
}

/** The claims with their verdicts so far. */
export interface JudgedClaims {
  readonly claims: readonly Claim[]
  readonly opinions: readonly ClaimOpinion[]
  readonly gaps: readonly Gap[]
}

/** An answer with supported claims only, and these claims. */
export interface EnforcedAnswer {
  readonly text: string
  readonly claims: readonly Claim[]
  /** What was left out, and what could not be judged. */
  readonly gaps: readonly Gap[]
}

/**
 * The final answer with supported claims only: each other one is rewritten once with its passages and judged again, and
 * left out if that does not help. If nothing remains, the answer is that the sources do not say.
 */
export async function enforceClaims(
  scope: EnforcementScope,
  judged: JudgedClaims,
): Promise<EnforcedAnswer> {
  const { claims, opinions, gaps } = judged
  const failing = claims.filter((claim) => !isAcceptable(claim))
  const { text } = scope.state.answer
  if (failing.length === 0) return { text, claims, gaps }
  const rewritten = await rewriteClaims(scope, failing)
  const all = [...opinions, ...rewritten.opinions]
  const edits = splitClaims(text).flatMap(({ start, end }, index) => {
    const claim = claims[index]
    if (claim === undefined || isAcceptable(claim)) return []
    const better = rewritten.claims.get(claim)
    const holds = better !== undefined && isAcceptable(better)
    return [{ start, end, replacement: holds ? better.text : null }]
  })
  const edited = editWhole(text, edits)
  const rest = dropFailing(scope, edited.text, all)
  const dropped = failing.flatMap((claim) => {
    const better = rewritten.claims.get(claim)
    return better !== undefined && isAcceptable(better) ? [] : [droppedGap(claim, better)]
  })
  const isEmpty = splitClaims(rest.answer).length === 0
  const enforced = isEmpty ? noEvidenceText : toInertMarkdown(rest.answer)
  const cited = citedNumbers(enforced)
  const passages = scope.passages.filter(({ n }) => cited.includes(n))
  return {
    text: enforced,
    claims: applyOpinions(checkClaimsByCode(scope.state, enforced, passages), all),
    gaps: [...gaps, ...rewritten.gaps, ...dropped, ...orphanGaps(edited), ...rest.gaps],
  }
}

/** A state whose answer has no links and addresses outside of its claims, and a gap for each text that was removed. */
export function clearAnswer(
  state: AskState,
  passages: readonly ReadPassage[],
): { readonly state: AskState; readonly gaps: readonly Gap[] } {
  const known = collectKnown({ passages, citations: state.research.citations })
  const { answer, removed } = clearOutsideClaims(state.answer.text, known)
  const gaps = removed.map(
    ({ text, foreign }): Gap => ({
      kind: 'claim_dropped',
      detail: `Left out: “${quote(text)}” ${explainForeign(foreign)}`,
    }),
  )
  return {
    state: removed.length === 0 ? state : withFields(state, { answer: { text: answer } }),
    gaps,
  }
}

interface Rewritten {
  /** For each claim its new sentence, with a verdict. */
  readonly claims: ReadonlyMap<Claim, Claim>
  readonly opinions: readonly ClaimOpinion[]
  readonly gaps: readonly Gap[]
}

async function rewriteClaims(
  { team, state, context, passages }: EnforcementScope,
  failing: readonly Claim[],
): Promise<Rewritten> {
  const {
    research: { citations },
  } = state
  const showable = selectShowableClaims(failing, passages, citations)
  const written = await askRewriter(team, context, showable)
  const found = written.answers.flatMap(({ claim, text }) =>
    checkClaimsByCode(state, text, passages).map((better) => ({ claim, better })),
  )
  const toJudge = selectClaimsToJudge(
    found.map(({ better }) => better),
    passages,
    citations,
  )
  const again = await askVerifier(team, context.child('again'), toJudge, {
    calculationsIn: (claim) => listCalculations(state, claim),
  })
  const claims = found.map(({ claim, better }) => {
    const [judged = better] = applyOpinions([better], again.answers)
    return [claim, judged] as const
  })
  return {
    claims: new Map(claims),
    opinions: again.answers,
    gaps: [...written.gaps, ...again.gaps],
  }
}

/** Without some sentences, a text may be split differently: what then fails is left out, too. */
function dropFailing(
  scope: EnforcementScope,
  answer: string,
  opinions: readonly ClaimOpinion[],
): { readonly answer: string; readonly gaps: readonly Gap[] } {
  const claims = applyOpinions(checkClaimsByCode(scope.state, answer, scope.passages), opinions)
  const failing = claims.filter((claim) => !isAcceptable(claim))
  if (failing.length === 0) return { answer, gaps: [] }
  const edits = splitClaims(answer).flatMap(({ start, end }, index) => {
    const claim = claims[index]
    return claim === undefined || isAcceptable(claim) ? [] : [{ start, end, replacement: null }]
  })
  const edited = editWhole(answer, edits)
  const rest = dropFailing(scope, edited.text, opinions)
  const dropped = failing.map((claim) => droppedGap(claim))
  return { ...rest, gaps: [...dropped, ...orphanGaps(edited), ...rest.gaps] }
}

/** Edits an answer so that nothing remains that needs what was removed. */
function editWhole(answer: string, edits: readonly SentenceEdit[]): EditedAnswer {
  const widened = widenRemovals(answer, edits)
  const { text, lost } = editSentences(answer, widened.edits)
  return { text, lost: [...widened.lost, ...lost] }
}

function orphanGaps({ lost }: EditedAnswer): readonly Gap[] {
  return lost.map((sentence) => ({
    kind: 'claim_dropped',
    detail: `Left out: “${quote(sentence)}” It may mean something else without the sentence next to it, which was left out.`,
  }))
}

function droppedGap(claim: Claim, rewritten?: Claim): Gap {
  const tried =
    rewritten === undefined ? '' : ` Rewritten as “${quote(rewritten.text)}”: ${rewritten.reason}`
  const detail = `Left out: “${quote(claim.text)}” ${claim.reason}${tried}`
  return { kind: 'claim_dropped', detail }
}

const maxQuoteLength = 300

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxQuoteLength ? `${line.slice(0, maxQuoteLength - 1)}…` : line
}

const sentencesSchema = z.object({
  sentences: z.array(z.object({ claim: z.number().int(), sentence: modelText.nullable() })),
})

/** A sentence that may replace a claim. */
interface RewrittenSentence {
  readonly claim: Claim
  readonly text: string
}

/** Claims rewritten by the finalizer's model, each once; without those for which it returned no usable sentence. */
async function askRewriter(
  team: TeamParts,
  context: RunContext,
  claims: readonly ClaimToJudge[],
): Promise<BatchAnswers<RewrittenSentence>> {
  const model = context.services.models.forRole('finalizer')
  if (model.effect === 'pure') return { answers: [], gaps: [] }
  return askInBatches<RewrittenSentence>(context, claims, {
    role: 'rewriter',
    async ask(batch, inBatch) {
      const wrong = ({ claim }: ClaimToJudge) => ({ wrong: claim.reason })
      const messages = openBatch(inBatch, team.prompts.rewriter, batch, wrong)
      const request = { messages }
      const { value } = await callModelForObject(inBatch, 'model', model, request, sentencesSchema)
      return batch.asked.flatMap(({ claim }, index) => {
        const said = value.sentences.find((one) => one.claim === index + 1)?.sentence ?? ''
        const text = usableSentence(said, claim)
        return text === undefined ? [] : [{ claim, text }]
      })
    },
    instead: () => [],
  })
}

/**
 * A rewritten sentence, if it can replace a claim: one statement that cites only the claim's numbers, without links,
 * images or HTML, and with the same number of cells if it is a table row. Otherwise `undefined`.
 */
export function usableSentence(said: string, { text, citations }: Claim): string | undefined {
  const sentence = said.replace(/\s+/g, ' ').trim()
  const found = splitClaims(sentence)
  const [only] = found
  if (found.length !== 1 || only?.text !== sentence || sentence === text) return undefined
  if (!isPlainText(sentence) || /[?？]["”’)*_\s]*$/.test(only.plain)) return undefined
  const isCiting = only.citations.length > 0 && only.citations.every((n) => citations.includes(n))
  return isCiting && countCells(sentence) === countCells(text) ? sentence : undefined
}

/** The number of cell marks in a table's row; 0 for other text. */
function countCells(text: string): number {
  return text.startsWith('|') ? text.replaceAll('\\|', '').split('|').length : 0
}
