import type { Claim, Evidence, ReadPassage } from '../../citations/claim.ts'
import type { MintedNumber } from '../../citations/ledger.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { type Check, concluded, Faults } from './check.ts'
import { citedReferences, isEvidence, readPassages } from './evidence.ts'
import { count, faultIn, shown } from './fault.ts'
import { memberNames } from './form.ts'
import { maxComparedLength, maxLookups, maxPassageLength } from './limits.ts'
import { holdsReplacement } from './path-names.ts'
import type { Judged } from './verdict-check.ts'

/** Judges sentences about papers by code; one claim per sentence, in order. */
export type JudgePoints = (
  points: readonly Pick<Claim, 'text' | 'citations'>[],
  read: { readonly passages: readonly ReadPassage[]; readonly citations: readonly MintedNumber[] },
) => Promise<readonly Claim[]>

/** What is needed to judge the points again. */
export interface Again {
  readonly points: readonly Claim[]
  readonly judgePoints: JudgePoints | undefined
}

/** Adds the check of a synthesis's points to the check of the verdicts; other answers are unchanged. */
export async function withPoints(
  check: Check,
  judged: Judged,
  { points, judgePoints }: Again,
): Promise<Check> {
  if (points.length === 0) return check
  const own = points.filter(isOfCode)
  const open = points.length - own.length
  const strange = points.filter(({ citations, evidence }) =>
    evidence.some(({ n }) => n !== citations[0]),
  )
  if (strange.length > 0) return joined(check, ofOthers(strange), 'a passage of another paper')
  if (judgePoints === undefined || isTooLong(judged, own))
    return joined(check, new Faults(), `${count(points.length)} points not judged again`, true)
  const { facts, texts, packageVersion, manifest } = judged
  const passages = readPassages(citedReferences(facts, points), texts)
  const now = await judgePoints(own, { passages, citations: facts.citations })
  const isOther = facts.conditions.versions.package !== packageVersion
  const faults = new Faults()
  let [same, left] = [0, open]
  for (const [index, point] of own.entries()) {
    const verdict = now[index]?.verdict
    if (verdict !== undefined && agrees(point.verdict, verdict)) same++
    else if (
      isOther ||
      holdsReplacement(canonicalJson(point as unknown as Json), manifest.replacedPaths)
    )
      left++
    else
      faults.add(
        faultIn(
          memberNames.answer,
          `what [${point.citations[0]}] is said to say, "${shown(point.text)}", is recorded as ${shown(point.verdict)}; judged again it is ${verdict ?? 'nothing'}.`,
        ),
      )
  }
  const others = left === 0 ? '' : `, ${count(left)} not judged again`
  return joined(
    check,
    faults,
    `points: ${count(same)} of ${count(points.length)} the same again${others}`,
    left > 0,
  )
}

/** Evidence for one paper must be in that paper. */
function ofOthers(points: readonly Claim[]): Faults {
  const faults = new Faults()
  for (const { citations } of points)
    faults.add(
      faultIn(memberNames.answer, `for [${citations[0]}] it shows a place of another paper.`),
    )
  return faults
}

function isOfCode({ judge }: Claim): boolean {
  return judge === 'code'
}

/** If words were quoted for a point, code finds them but leaves open whether they support it. */
function agrees(said: Claim['verdict'], now: Claim['verdict']): boolean {
  return said === now || (said === 'unchecked' && (now === 'not_found' || now === 'partial'))
}

function isTooLong({ facts, texts }: Judged, points: readonly Claim[]): boolean {
  const lengths = new Map<number, number>()
  const references = citedReferences(facts, points)
  if (points.length * (references.length + facts.citations.length) > maxLookups) return true
  for (const { n, passageId } of references) {
    const { length } = texts.get(passageId) ?? ''
    if (length > maxPassageLength) return true
    lengths.set(n, (lengths.get(n) ?? 0) + length)
  }
  const compared = points.reduce(
    (sum, { citations }) => sum + citations.reduce((part, n) => part + (lengths.get(n) ?? 0), 0),
    0,
  )
  return compared > maxComparedLength
}

/** Combines two checks of the same name; it fails if either does. */
function joined(check: Check, faults: Faults, detail: string, isOpen = false): Check {
  const second = concluded('verdicts', faults, detail, isOpen)
  const outcomes = [check.outcome, second.outcome]
  const outcome = outcomes.includes('failed')
    ? 'failed'
    : outcomes.includes('undecided')
      ? 'undecided'
      : check.outcome
  return {
    name: check.name,
    outcome,
    detail: [check.detail, second.detail].join('; '),
    faults: [...check.faults, ...second.faults],
    faultCount: check.faultCount + second.faultCount,
  }
}

/** The lists of findings in an analysis of a paper. */
const topics = [
  'methodology',
  'keyFindings',
  'conclusions',
  'limitations',
  'contributions',
] as const

/**
 * The statements of a synthesis besides its claims, each as a claim about one paper: the findings of each paper that was kept,
 * and each paper's stance on each point. `isWhole`: all are well-formed. Empty for other answers.
 */
export function readPoints(answer: JsonObject): {
  readonly points: readonly Claim[]
  readonly isWhole: boolean
} {
  const given = [...findingsIn(answer), ...stancesIn(answer.synthesis)]
  const points = given.flatMap((one) => toClaim(one) ?? [])
  return { points, isWhole: points.length === given.length }
}

function findingsIn({ papers, analyses }: JsonObject): readonly JsonObject[] {
  const numbers = new Map(
    objectsIn(papers)
      .filter(({ status }) => status === 'kept')
      .map(({ id, n }) => [id, n] as const),
  )
  return objectsIn(analyses).flatMap((analysis) => {
    const n = numbers.get(analysis.paperId as Json)
    if (n === undefined) return []
    return topics.flatMap((topic) => listIn(analysis[topic]).map((one) => withNumber(one, n)))
  })
}

function stancesIn(synthesis: Json | undefined): readonly JsonObject[] {
  if (!isJsonObject(synthesis)) return []
  const { consensus, contradictions, gaps } = synthesis
  const sides = objectsIn(contradictions).flatMap(({ sideA, sideB }) => [sideA, sideB])
  return [...listIn(consensus), ...sides, ...listIn(gaps)].flatMap((point) => {
    if (!isJsonObject(point)) return [{}]
    const { point: said, says, text } = point
    const words = said ?? says ?? text ?? ''
    return listIn(point.stances).map((one) => (isJsonObject(one) ? { ...one, text: words } : {}))
  })
}

function withNumber(value: Json, n: Json | undefined): JsonObject {
  return isJsonObject(value) ? { ...value, n: n ?? null } : {}
}

function toClaim({ text, n, verdict, evidence, judge, reason }: JsonObject): Claim | undefined {
  if (!Number.isSafeInteger(n) || !Array.isArray(evidence) || !evidence.every(isEvidence))
    return undefined
  return {
    text: String(text),
    citations: [Number(n)],
    verdict: String(verdict) as Claim['verdict'],
    evidence: evidence as unknown as readonly Evidence[],
    judge: String(judge),
    reason: String(reason),
  }
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return listIn(value).filter(isJsonObject)
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
