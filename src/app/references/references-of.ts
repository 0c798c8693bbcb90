import { ScholiumError } from '../../kernel/errors.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from '../runs/run-id.ts'
import { recordedResult } from '../runs/run-result.ts'
import { isFileName, readReferences } from './reference-files.ts'
import {
  type ReferenceItem,
  type ReferenceOptions,
  type References,
  writeReferences,
} from './references.ts'

/** @see App.references */
export async function collectReferences(
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
  const { workflow } = await parts.store.get(runId)
  const what = parts.workflows.find(workflow)?.withoutReferences
  if (what !== undefined) {
    const text = `Run ${runId} ${what} and has no numbered references.`
    throw new ScholiumError('invalid_input', text, {
      hint: 'Give a run that answered a question, "library", or a file with references.',
    })
  }
  const result = await recordedResult(parts, runId)
  const citations = result !== undefined && 'citations' in result ? result.citations : []
  return citations.map(({ n, csl }) => ({ n, ...csl }))
}
