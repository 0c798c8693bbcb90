import { ScholiumError } from '../../kernel/errors.ts'
import type { AppParts } from '../app-parts.ts'
import { recordedResult } from '../runs/recorded-result.ts'
import { findRunId } from '../runs/run-id.ts'
import { isFileName, readReferences } from './reference-files.ts'
import {
  type ReferenceItem,
  type ReferenceOptions,
  type References,
  writeReferences,
} from './references.ts'

/** @see App.references */
export async function referencesOf(
  parts: AppParts,
  from: string,
  options: ReferenceOptions,
): Promise<References> {
  const { folder } = parts
  const read = isFileName(from)
    ? await readReferences(from, folder)
    : { items: await citedWorks(parts, from), refused: [], notes: [] }
  return { ...read, text: await writeReferences(read.items, options, folder) }
}

async function citedWorks(parts: AppParts, from: string): Promise<readonly ReferenceItem[]> {
  if (from === 'library') return (await parts.library.list()).map(({ csl }) => csl)
  const runId = await findRunId(parts.store, from)
  const result = await recordedResult(parts, runId)
  if (result?.workflow === 'agent' || result?.workflow === 'code') {
    const what = result.workflow === 'agent' ? 'ran an agent file' : 'is a coding session'
    const text = `Run ${runId} ${what} and has no numbered references.`
    throw new ScholiumError('invalid_input', text, {
      hint: 'Give a run that answered a question, "library", or a file with references.',
    })
  }
  return (result?.citations ?? []).map(({ n, csl }) => ({ n, ...csl }))
}
