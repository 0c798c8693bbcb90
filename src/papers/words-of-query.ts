import type { RunContext } from '../kernel/run/run-context.ts'
import { stem } from '../retrieval/stem.ts'
import { contentWords } from '../retrieval/words.ts'
import type { Gap } from '../team/gap.ts'
import { findingsOf } from './filter.ts'
import type { PapersParts } from './parts.ts'
import type { KeptPaper, PapersState } from './state.ts'

/**
 * What speaks against a synthesis by words alone, as the built-in engine makes it: that no word of the query stands in any paper,
 * or in none of the findings. `undefined` where some finding has one. The papers' texts are read only where none has.
 */
export async function gapOfWords(
  parts: PapersParts,
  { query, readings }: PapersState,
  kept: readonly KeptPaper[],
  context: RunContext,
): Promise<Gap | undefined> {
  const wanted = new Set(stemsOf(query))
  if (wanted.size === 0) return { kind: 'no_evidence', detail: noWords }
  const hasOne = (text: string) => stemsOf(text).some((word) => wanted.has(word))
  const findings = kept.flatMap(({ analysis }) => findingsOf(analysis))
  if (findings.some(({ text }) => hasOne(text))) return undefined
  const sourceIds = kept.flatMap(({ paper }) => readings[paper.id]?.sourceId ?? [])
  const input = { query, sourceIds }
  const isSaid = await context.step('words', 'read', input, async () => {
    for (const id of sourceIds) if (hasOne((await parts.library.text(id)) ?? '')) return true
    return false
  })
  return isSaid
    ? { kind: 'unsupported_answer', detail: notInFindings }
    : { kind: 'no_evidence', detail: inNoPaper(kept.length) }
}

function stemsOf(text: string): readonly string[] {
  return contentWords(text).map(stem)
}

const noWords =
  'The query has no word that can be looked for in papers; the built-in engine goes by words alone.'
const notInFindings =
  'No finding has a word of the query, so the summary says what the papers found, whatever it is about; the built-in engine goes by words alone.'

function inNoPaper(count: number): string {
  const which = count === 1 ? 'the one paper' : `any of the ${count} papers`
  return `No word of the query stands in ${which} that could be read; the built-in engine goes by words alone.`
}
