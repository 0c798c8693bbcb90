import type { Claim, Evidence } from '../../citations/claim.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { isEvidence } from './evidence.ts'

/** The lists of what an analysis says of its paper. */
const topics = [
  'methodology',
  'keyFindings',
  'conclusions',
  'limitations',
  'contributions',
] as const

/**
 * What a synthesis of papers says beside its claims, each as a claim of one paper: the findings of each kept paper, and for each point
 * what each paper has to do with it. `isWhole`: all of it has its form. Of another answer nothing.
 */
export function pointsOf(answer: JsonObject): {
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
