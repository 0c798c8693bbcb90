import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Library } from '../retrieval/library.ts'

/** Reads the text of passages again, as one step. A passage whose snapshot is gone has empty text. */
export async function readEvidence(
  context: RunContext,
  library: Library,
  references: readonly PassageReference[],
): Promise<readonly ReadPassage[]> {
  if (references.length === 0) return []
  const ids = references.map((reference) => reference.passageId)
  const texts = await context.step('evidence', 'read', { passages: ids }, () =>
    readTexts(library, references),
  )
  return references.map((reference, index) => ({ ...reference, text: texts[index] ?? '' }))
}

async function readTexts(
  library: Library,
  references: readonly PassageReference[],
): Promise<readonly string[]> {
  const texts = new Map<string, string | undefined>()
  for (const { sourceId } of references) {
    if (!texts.has(sourceId)) texts.set(sourceId, await library.text(sourceId))
  }
  return references.map(({ sourceId, start, end }) => texts.get(sourceId)?.slice(start, end) ?? '')
}

/** The numbers that a text cites, each once, in order. */
export function citedNumbers(text: string): readonly number[] {
  return [...new Set(splitClaims(text).flatMap(({ citations }) => citations))]
}
