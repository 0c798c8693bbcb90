import type { Claim, Coverage, ReadPassage } from '../../citations/claim.ts'
import { checkClaims, measureCoverage } from '../../claims/check/check-claim.ts'
import { type CitedSentence, splitClaims } from '../../claims/check/parse-claims.ts'
import { checkAddresses } from '../../claims/verify/foreign-addresses.ts'
import { canonicalJson, type Json, type JsonObject } from '../../kernel/json.ts'
import { type Check, concluded, Faults, undecided } from './check.ts'
import { citedReferences, type PassageTexts, readPassages } from './evidence.ts'
import { count, faultIn, shown } from './fault.ts'
import { type Manifest, memberNames } from './form.ts'
import { maxAnswerLength, maxComparedLength, maxLookups, maxPassageLength } from './limits.ts'
import { holdsReplacement } from './path-names.ts'
import type { RunFacts } from './run-facts.ts'

/** What is needed to judge the verdicts again. */
export interface Judged {
  readonly facts: RunFacts
  readonly manifest: Manifest
  readonly answer: JsonObject
  readonly claims: readonly Claim[]
  readonly texts: PassageTexts
  /** Version of the verifying program. */
  readonly packageVersion: string
}

/** Checks that code reaches the same verdicts on the claims again. Verdicts of models are not judged again. */
export function checkVerdicts(judged: Judged): Check {
  const { claims, facts, packageVersion } = judged
  const sentences = splitWithin(judged)
  if (claims.length === 0) return withoutClaims(sentences)
  const tooMuch =
    sentences === undefined ? 'the answer is too long' : whyNotJudged(judged, sentences)
  if (sentences === undefined || tooMuch !== undefined)
    return undecided('verdicts', `Not judged again: ${tooMuch}.`)
  const references = citedReferences(facts, claims)
  const again = judgeAgain(judged, sentences, readPassages(references, judged.texts))
  const { faults, same, left } = compareAll(judged, again)
  const by = facts.conditions.versions.package
  const isOther = by !== packageVersion
  if (isOther && faults.count > 0)
    return undecided(
      'verdicts',
      `${count(faults.count)} of ${count(claims.length)} come out differently: judged by Scholium ${shown(by)}, this is ${packageVersion}.`,
    )
  const others = left === 0 ? '' : `; ${count(left)} not judged again`
  const versions = isOther ? `, by Scholium ${shown(by)} and by ${packageVersion} now` : ''
  return concluded(
    'verdicts',
    faults,
    `${count(same)} of ${count(claims.length)} verdicts the same again${versions}${others}`,
    left > 0,
  )
}

/** Judges claims by code, as the ask workflow does. */
function judgeAgain(
  { facts, answer }: Judged,
  sentences: readonly CitedSentence[],
  passages: readonly ReadPassage[],
): readonly Claim[] {
  const { citations } = facts
  return checkAddresses(checkClaims(sentences, passages, citations), String(answer.answer ?? ''), {
    passages,
    citations,
  })
}

/** Checks that the counts of verdicts match the claims, and the points of a synthesis. */
export function checkCoverage(
  answer: JsonObject,
  claims: readonly Claim[],
  points: readonly Claim[] = [],
): Check {
  const faults = new Faults()
  const counted = countLike(answer.coverage, claims)
  const ofPoints = countLike(answer.coverageOfPoints, points)
  if (canonicalJson(counted) !== canonicalJson(answer.coverage ?? null))
    faults.add(
      faultIn(
        memberNames.answer,
        `its coverage is not the count of its claims: ${canonicalJson(counted)}.`,
      ),
    )
  const said = answer.coverageOfPoints
  if (said !== undefined && canonicalJson(ofPoints) !== canonicalJson(said))
    faults.add(
      faultIn(
        memberNames.answer,
        `its coverageOfPoints is not the count of its points: ${canonicalJson(ofPoints)}.`,
      ),
    )
  return concluded(
    'coverage',
    faults,
    `${count(claims.length)} claims, ${count(counted.checked ?? 0)} checked`,
  )
}

/** Counts claims as a recorded coverage does: earlier, what cites nothing was counted as checked and not found. */
function countLike(
  recorded: Json | undefined,
  claims: readonly Claim[],
): Coverage | Partial<Coverage> {
  const counted = measureCoverage(claims)
  if (
    recorded === undefined ||
    recorded === null ||
    Object.hasOwn(recorded as JsonObject, 'uncited')
  )
    return counted
  const { uncited, numbersNotFound: _numbers, checked, notFound, ...others } = counted
  return { ...others, checked: checked + uncited, notFound: notFound + uncited }
}

/** An answer that cites nothing may have no claims; otherwise the sentences to judge are unknown. */
function withoutClaims(sentences: readonly CitedSentence[] | undefined): Check {
  const isCiting = sentences?.some(({ citations }) => citations.length > 0) ?? true
  return isCiting
    ? undecided('verdicts', 'The answer cites sources, but none of its claims was checked.')
    : concluded('verdicts', new Faults(), 'the answer has no claims')
}

function splitWithin({ answer }: Judged): readonly CitedSentence[] | undefined {
  // The claims of a short answer belong to the text from which it was derived.
  const text = String(answer.basis ?? answer.answer ?? '')
  return text.length > maxAnswerLength ? undefined : splitClaims(text)
}

/** Why comparing would take longer than for any answer of a run. */
function whyNotJudged(
  { facts, claims, texts }: Judged,
  sentences: readonly CitedSentence[],
): string | undefined {
  const lengths = new Map<number, number>()
  const references = citedReferences(facts, claims)
  const cited = sentences.reduce((sum, { citations }) => sum + citations.length, sentences.length)
  if (cited * (references.length + facts.citations.length) > maxLookups)
    return `${count(cited)} citations would have to be checked`
  for (const { n, passageId } of references) {
    const { length } = texts.get(passageId) ?? ''
    if (length > maxPassageLength) return `a passage has ${count(length)} characters`
    lengths.set(n, (lengths.get(n) ?? 0) + length)
  }
  const compared = sentences.reduce(
    (sum, { citations }) => sum + citations.reduce((part, n) => part + (lengths.get(n) ?? 0), 0),
    0,
  )
  return compared > maxComparedLength
    ? `${count(compared)} characters would have to be compared`
    : undefined
}

function compareAll(
  judged: Judged,
  again: readonly Claim[],
): { faults: Faults; same: number; left: number } {
  const { claims, manifest, facts, texts } = judged
  const faults = new Faults()
  const unreadable = new Set(
    facts.passages.flatMap(({ n, passageId }) => (texts.has(passageId) ? [] : [n])),
  )
  let [same, left] = [0, 0]
  if (again.length !== claims.length)
    faults.add(
      faultIn(
        memberNames.answer,
        `it has ${count(again.length)} sentences to check, but ${count(claims.length)} claims.`,
      ),
    )
  for (const [index, claim] of claims.entries()) {
    const now = again[index]
    const isOwn = claim.judge === 'code' && !claim.citations.some((n) => unreadable.has(n))
    if (now !== undefined && isOwn && isSame(claim, now)) same++
    else if (!isOwn || holdsReplacement(canonicalJson(claim), manifest.replacedPaths)) left++
    else
      faults.add(
        faultIn(
          memberNames.answer,
          `claim ${index + 1}, "${shown(claim.text)}", is recorded as ${shown(claim.verdict)}; judged again it is ${now?.verdict ?? 'no claim'}.`,
        ),
      )
  }
  return { faults, same, left }
}

function isSame(claim: Claim, now: Claim): boolean {
  return canonicalJson(essence(claim)) === canonicalJson(essence(now))
}

/** A claim without what code alone cannot reproduce: a model's second opinion, or that a sentence was calculated. */
function essence({ reason, secondOpinion: _other, ...claim }: Claim): Json {
  if (claim.citations.length > 0 && claim.numbers === undefined)
    return { ...claim, reason } as unknown as Json
  const verdict = claim.verdict === 'unchecked' ? 'not_found' : claim.verdict
  return { ...claim, verdict } as unknown as Json
}
