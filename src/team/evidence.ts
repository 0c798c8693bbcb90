import type { PassageReference, ReadPassage } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Library } from '../retrieval/library.ts'

/**
 * Reads the text of passages again, as one step. A passage whose snapshot is gone has empty text.
 * @param sources the run's numbers, for the passages' titles
 */
export async function readEvidence(
  context: RunContext,
  library: Library,
  references: readonly PassageReference[],
  sources: readonly Pick<MintedNumber, 'n' | 'title'>[] = [],
): Promise<readonly ReadPassage[]> {
  if (references.length === 0) return []
  const ids = references.map((reference) => reference.passageId)
  const texts = await context.step('evidence', 'read', { passages: ids }, () =>
    readTexts(library, references),
  )
  const titles = new Map(sources.map(({ n, title }) => [n, title]))
  return references.map((reference, index) => {
    const title = titles.get(reference.n)
    const text = texts[index] ?? ''
    return { ...reference, ...(title === undefined ? {} : { title }), text }
  })
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
