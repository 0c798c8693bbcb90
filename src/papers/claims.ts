import type { Claim } from '../citations/claim.ts'
import { noEvidenceText, saysNothing } from '../citations/role-requests.ts'
import { checkClaims } from '../claims/check/check-claim.ts'
import { type CitedSentence, splitClaims } from '../claims/check/parse-claims.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { editSentences, widenRemovals } from '../claims/verify/edit-sentences.ts'
import {
  checkAddresses,
  clearOutsideClaims,
  collectKnown,
} from '../claims/verify/foreign-addresses.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import {
  addSentencesBefore,
  applyOpinions,
  isSupported,
  selectClaimsToJudge,
} from '../claims/verify/opinions.ts'
import type { Patch } from '../graph/graph.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askVerifier } from '../team/ask-verifier.ts'
import { readEvidence } from '../team/evidence.ts'
import type { Gap } from '../team/gap.ts'
import { type CheckSources, markUnchecked } from './check-statements.ts'
import { type DraftPoints, resolvePoints } from './draft-points.ts'
import { finalShare } from './final-budget.ts'
import {
  checkStances,
  groundPoints,
  listStancesToCheck,
  type PointStances,
  type StanceToCheck,
  toStance,
} from './ground-points.ts'
import type { PapersParts } from './parts.ts'
import type { Analysis, Finding } from './result.ts'
import { type KeptPaper, keptPapers, type PapersState } from './state.ts'

const emptyDraft = { consensus: [], contradictions: [], gaps: [], summary: '' } as const

/**
 * Checks the synthesizer's draft against the pages that were read: every point paper by paper, every sentence of the
 * summary. The verifier is asked once about everything code leaves open. Without a draft, code composes the summary.
 * @param prepare holds the passages prepared during the analyses
 */
export function claimsNode(parts: PapersParts, prepare: PreparePassage) {
  return async (state: PapersState, node: RunContext): Promise<Patch<PapersState>> => {
    // Findings are checked even after the time limit, but no model is asked any more.
    const timeless = node.child('final', { share: finalShare, isTimeless: true })
    const context = node.child('models', { share: finalShare })
    const kept = keptPapers(state)
    const numbers = kept.map(({ n }) => n)
    const references = state.passages.filter(({ n }) => numbers.includes(n))
    const passages = await readEvidence(timeless, parts.library, references, state.citations)
    const read: CheckSources = { passages, citations: state.citations, prepare }
    const points = resolvePoints(state.draft ?? emptyDraft, kept, read)
    const written = chooseSummary(state, kept)
    const cleared = removeForeignSentences(written, numbers, read)
    return judge(parts, state, context, { kept, points, read, cleared })
  }
}

/** The draft's summary, or a composed one if there is none. */
function chooseSummary({ draft }: PapersState, kept: readonly KeptPaper[]): string {
  const written = toInertMarkdown(draft?.summary ?? '').trim()
  return written === '' || saysNothing(written) ? composeSummary(kept) : written
}

interface Drafted {
  readonly kept: readonly KeptPaper[]
  readonly points: DraftPoints
  readonly read: CheckSources
  readonly cleared: ClearedSummary
}

async function judge(
  parts: PapersParts,
  state: PapersState,
  context: RunContext,
  { kept, points, read, cleared }: Drafted,
): Promise<Patch<PapersState>> {
  const policy = state.claims
  const toCheck = listStances(points)
  const stanceClaims = checkStances(toCheck, read)
  const summaryClaims = checkSummary(cleared.summary, read)
  const isOff = policy === 'off'
  const asked = selectClaimsToJudge(
    [...stanceClaims, ...summaryClaims],
    read.passages,
    read.citations,
  )
  const { answers, gaps } = isOff
    ? { answers: [], gaps: [] }
    : await askVerifier(parts, context, addSentencesBefore(asked, summaryClaims, cleared.summary), {
        prepare: read.prepare,
      })
  const judged = (claims: readonly Claim[]) =>
    isOff ? markUnchecked(claims) : applyOpinions(claims, answers)
  const stances = judged(stanceClaims).map((claim, index) =>
    // Quotations found in the text are shown, whoever judges.
    toStance(toCheck[index] as StanceToCheck, withPlace(claim, stanceClaims[index] as Claim)),
  )
  const { refused, ...held } = groundPoints(points, regroupStances(points, stances), policy)
  const marked = { summary: cleared.summary, claims: judged(summaryClaims), gaps: [] }
  const {
    summary,
    claims,
    gaps: lost,
  } = policy === 'strict' ? keepSupportedSummary(marked, kept, read) : marked
  return {
    synthesis: { ...held, summary, confidence: averageConfidence(state, kept) },
    refused,
    summaryClaims: claims,
    gaps: [...gaps, ...cleared.gaps, ...lost],
  }
}

/** A summary with its judged claims. */
interface JudgedSummary extends ClearedSummary {
  readonly claims: readonly Claim[]
}

/** A summary reduced to supported sentences; if none is left, one composed of verbatim findings. */
function keepSupportedSummary(
  { summary, claims }: JudgedSummary,
  kept: readonly KeptPaper[],
  read: CheckSources,
): JudgedSummary {
  const left = keepSupportedSentences(summary, claims)
  const remaining = new Set(splitClaims(left.summary).map(({ text }) => text))
  if (remaining.size > 0)
    return { ...left, claims: claims.filter(({ text }) => remaining.has(text)) }
  const composed = composeSummary(kept)
  const checked = checkSummary(composed, read)
  const { summary: held } = keepSupportedSentences(composed, checked)
  const heldTexts = new Set(splitClaims(held).map(({ text }) => text))
  return {
    summary: held,
    claims: checked.filter(({ text }) => heldTexts.has(text)),
    gaps: left.gaps,
  }
}

/** A claim with the place that code found, if its judge names none. */
function withPlace(claim: Claim, { evidence }: Claim): Claim {
  const isOpen = claim.verdict !== 'not_found' && claim.evidence.length === 0
  return isOpen ? { ...claim, evidence } : claim
}

function listStances({ consensus, contradictions, gaps }: DraftPoints): readonly StanceToCheck[] {
  const sides = [...consensus, ...contradictions.flatMap(({ a, b }) => [a, b]), ...gaps]
  return sides.flatMap(listStancesToCheck)
}

/** Groups stances, given in the order of {@link listStances}, by the point they belong to. */
function regroupStances(
  { consensus, contradictions, gaps }: DraftPoints,
  stances: readonly ReturnType<typeof toStance>[],
): PointStances {
  let from = 0
  const take = ({ papers }: { readonly papers: readonly unknown[] }) => {
    from += papers.length
    return stances.slice(from - papers.length, from)
  }
  return {
    consensus: consensus.map(take),
    contradictions: contradictions.map(({ a, b }) => ({ a: take(a), b: take(b) })),
    gaps: gaps.map(take),
  }
}

/** Mean confidence of the kept papers, 0 to 1; 0 if the synthesis failed. */
function averageConfidence({ draft }: PapersState, kept: readonly KeptPaper[]): number {
  if (draft === null || kept.length === 0) return 0
  const sum = kept.reduce((total, { analysis }) => total + analysis.confidence, 0)
  return Number((sum / kept.length).toFixed(4))
}

/** A summary after removals, with a gap for each removal. */
interface ClearedSummary {
  readonly summary: string
  readonly gaps: readonly Gap[]
}

/** Removes sentences that cite a number of no kept paper, and links outside sentences to foreign addresses. */
function removeForeignSentences(
  summary: string,
  numbers: readonly number[],
  read: CheckSources,
): ClearedSummary {
  const cleared = clearOutsideClaims(summary, collectKnown(read))
  const strange = splitClaims(cleared.answer).filter(({ citations }) =>
    citations.some((n) => !numbers.includes(n)),
  )
  const left = removeSentences(cleared.answer, strange, (claim) => {
    const unknown = claim.citations.filter((n) => !numbers.includes(n)).map((n) => `[${n}]`)
    return `${unknown.join('')} is not a paper that was analysed and kept.`
  })
  const outside = cleared.removed.map(({ text, foreign }) =>
    toDroppedGap(text, `“${foreign}” is not an address in the papers.`),
  )
  return { summary: left.summary, gaps: [...outside, ...left.gaps] }
}

/** The claims of a summary as judged by code. */
function checkSummary(
  summary: string,
  { passages, citations, prepare }: CheckSources,
): readonly Claim[] {
  const judged = checkClaims(splitClaims(summary), passages, citations, prepare)
  return checkAddresses(judged, summary, { passages, citations })
}

/** Reduces a summary to the sentences that their pages support. */
function keepSupportedSentences(summary: string, claims: readonly Claim[]): ClearedSummary {
  const reasons = new Map(claims.map((claim) => [claim.text, claim]))
  const wrong = splitClaims(summary).filter(({ text }) => {
    const claim = reasons.get(text)
    return claim === undefined || !isSupported(claim)
  })
  return removeSentences(
    summary,
    wrong,
    ({ text }) => reasons.get(text)?.reason ?? 'It was not checked.',
  )
}

function removeSentences(
  summary: string,
  sentences: readonly CitedSentence[],
  why: (sentence: CitedSentence) => string,
): ClearedSummary {
  if (sentences.length === 0) return { summary, gaps: [] }
  const edits = sentences.map(({ start, end }) => ({ start, end, replacement: null }))
  const widened = widenRemovals(summary, edits)
  const edited = editSentences(summary, widened.edits)
  const { text } = edited
  const lost = [...widened.lost, ...edited.lost]
  const gaps = [
    ...sentences.map((sentence) => toDroppedGap(sentence.text, why(sentence))),
    ...lost.map((sentence) =>
      toDroppedGap(sentence, 'It makes no sense without what was left out.'),
    ),
  ]
  return { summary: text.trim() === '' ? noEvidenceText : text, gaps }
}

function toDroppedGap(text: string, reason: string): Gap {
  return { kind: 'claim_dropped', detail: `Left out: “${text.trim()}” ${reason}` }
}

/** Findings per paper in a composed summary. */
const maxFindingsPerPaper = 3

/**
 * A summary composed by code: the first supported findings of each paper, cited. If there are none, the text that the
 * sources do not say.
 */
function composeSummary(kept: readonly KeptPaper[]): string {
  const paragraphs = kept.flatMap(({ n, analysis }) => {
    const held = orderFindings(analysis).filter(isSupported).slice(0, maxFindingsPerPaper)
    return held.length === 0 ? [] : [held.map(({ text }) => citeSentence(text, n)).join(' ')]
  })
  return paragraphs.length === 0 ? noEvidenceText : paragraphs.join('\n\n')
}

/** Findings that answer the question come first. */
function orderFindings({
  keyFindings,
  conclusions,
  contributions,
  limitations,
  methodology,
}: Analysis) {
  return [
    ...new Map<string, Finding>(
      [...keyFindings, ...conclusions, ...contributions, ...limitations, ...methodology].map(
        (finding) => [finding.text, finding],
      ),
    ).values(),
  ]
}

/** Puts the number before a sentence's full stop. */
function citeSentence(text: string, n: number): string {
  const [, bare = text, stop = '.'] = /^(.*?)([.!?]*)$/s.exec(text) ?? []
  return `${bare} [${n}]${stop === '' ? '.' : stop}`
}
