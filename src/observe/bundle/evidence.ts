import type { Claim, Evidence, PassageReference, ReadPassage } from '../../citations/claim.ts'
import { type PassageId, passageId, type SourceId } from '../../citations/source.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunFacts } from './run-facts.ts'

/** The claims of an answer. Values that are not claims are left out, and `isWhole` reports this. */
export function readClaims(answer: JsonObject): {
  readonly claims: readonly Claim[]
  readonly isWhole: boolean
} {
  const given = Array.isArray(answer.claims) ? answer.claims : []
  const claims = given.filter(isClaim)
  return { claims, isWhole: Array.isArray(answer.claims) && claims.length === given.length }
}

/** The passages that were read under the numbers that claims cite. */
export function citedReferences(
  facts: RunFacts,
  claims: readonly Claim[],
): readonly PassageReference[] {
  const cited = new Set(claims.flatMap(({ citations }) => citations))
  return facts.passages.filter(({ n }) => cited.has(n))
}

/** Whether a passage's id matches its location. */
export function hasMatchingId({ passageId: id, sourceId, start, end }: PassageReference): boolean {
  return id === passageId(sourceId, start, end)
}

/** The ids of the passages in a value, if each matches its location. */
export function* passagesIn(value: Json | undefined): Generator<PassageId> {
  if (value === null || typeof value !== 'object') return
  if (isJsonObject(value) && typeof value.passageId === 'string') {
    const { sourceId, start, end } = value
    const id = passageId(String(sourceId) as SourceId, Number(start), Number(end))
    if (id === value.passageId) yield id
  }
  for (const member of Object.values(value)) yield* passagesIn(member)
}

/** The ids of the chunks into which a step split a paper, if each matches its location. */
export function* chunksIn(value: Json | undefined): Generator<PassageId> {
  if (!isJsonObject(value) || typeof value.sourceId !== 'string' || !Array.isArray(value.chunks))
    return
  for (const chunk of value.chunks) {
    if (!isJsonObject(chunk)) continue
    const id = passageId(value.sourceId as SourceId, Number(chunk.start), Number(chunk.end))
    if (id === chunk.id) yield id
  }
}

/** The chunk ids of the papers that a continued run starts with, from its input. */
export function* earlierChunks(input: Json | undefined): Generator<PassageId> {
  const earlier = isJsonObject(input) ? input.earlier : undefined
  const readings = isJsonObject(earlier) ? earlier.readings : undefined
  if (!isJsonObject(readings)) return
  for (const reading of Object.values(readings)) yield* chunksIn(reading)
}

/** The known texts of the cited passages, without those of sources that the bundle omits. */
export type PassageTexts = ReadonlyMap<PassageId, string>

/** Cited passages with their texts. */
export function readPassages(
  references: readonly PassageReference[],
  texts: PassageTexts,
): readonly ReadPassage[] {
  return references.map((reference) => ({
    ...reference,
    text: texts.get(reference.passageId) ?? '',
  }))
}

function isClaim(value: Json): value is Claim & JsonObject {
  return (
    isJsonObject(value) &&
    typeof value.text === 'string' &&
    typeof value.verdict === 'string' &&
    typeof value.judge === 'string' &&
    Array.isArray(value.citations) &&
    value.citations.every(Number.isSafeInteger) &&
    Array.isArray(value.evidence) &&
    value.evidence.every(isEvidence)
  )
}

/** Whether a value is evidence for a verdict. */
export function isEvidence(value: Json): value is Evidence & JsonObject {
  return (
    isJsonObject(value) &&
    typeof value.passageId === 'string' &&
    typeof value.quote === 'string' &&
    Number.isSafeInteger(value.n) &&
    Number.isSafeInteger(value.start) &&
    Number.isSafeInteger(value.end)
  )
}
