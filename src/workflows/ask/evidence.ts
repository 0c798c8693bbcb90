import type { PassageReference, ReadPassage } from '../../citations/claim.ts'
import type { Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import type { Library } from '../../retrieval/library.ts'

/** Passages as the log has read them: without text where the snapshot is gone. */
export type Evidence = {
  readonly passages: readonly ReadPassage[]
  readonly unavailable: readonly PassageReference[]
}

/** Reads the text of passages again, as one step. */
export async function readEvidence(
  context: RunContext,
  library: Library,
  references: readonly PassageReference[],
): Promise<Evidence> {
  const ids = references.map((reference) => reference.passageId)
  const texts = await context.step('evidence', 'read', { passages: ids }, () =>
    readTexts(library, references),
  )
  const passages: ReadPassage[] = []
  const unavailable: PassageReference[] = []
  for (const [index, reference] of references.entries()) {
    const text = (texts as readonly (string | null)[])[index]
    if (typeof text === 'string') passages.push({ ...reference, text })
    else unavailable.push(reference)
  }
  return { passages, unavailable }
}

async function readTexts(library: Library, references: readonly PassageReference[]): Promise<Json> {
  const texts = new Map<string, string | undefined>()
  for (const { sourceId } of references) {
    if (!texts.has(sourceId)) texts.set(sourceId, await library.text(sourceId))
  }
  return references.map(
    ({ sourceId, start, end }) => texts.get(sourceId)?.slice(start, end) ?? null,
  )
}

/** The numbers that a text cites, each once, in order. */
export function citedNumbers(text: string): readonly number[] {
  const numbers = [...text.matchAll(/\[(\d+(?:\s*,\s*\d+)*)\]/g)].flatMap((match) =>
    (match[1] as string).split(','),
  )
  return [...new Set(numbers.map(Number))]
}
