import { fileURLToPath } from 'node:url'
import type { SourceId } from '../citations/source.ts'
import type { Library } from '../retrieval/library.ts'
import type { Document, ReadOutcome } from '../sources/document.ts'
import { readPaths } from '../sources/read-files.ts'
import type { ReadSources } from '../workflows/ask/team.ts'

/** What one file came to when it was added. */
export type Added =
  | { readonly path: string; readonly outcome: 'added' | 'unchanged' | 'updated'; readonly sourceId: SourceId; readonly title: string; readonly notes: readonly string[] }
  | { readonly path: string; readonly outcome: 'refused'; readonly reason: string; readonly detail: string; readonly hint: string }

/** How files are added. */
export interface AddOptions {
  readonly signal?: AbortSignal
  /** Whether all questions search them, or only the runs that name them. */
  readonly isListed: boolean
}

const batchSize = 16

/** Reads files and folders into the library, telling of each file in the order of the paths. A bad file never ends the rest. */
export async function* addPaths(library: Library, paths: readonly string[], options: AddOptions): AsyncGenerator<Added> {
  const { signal, isListed } = options
  let batch: ReadOutcome[] = []
  for await (const outcome of readPaths(paths, signal === undefined ? {} : { signal })) {
    batch.push(outcome)
    if (batch.length < batchSize) continue
    yield* await addBatch(library, batch, isListed)
    batch = []
  }
  yield* await addBatch(library, batch, isListed)
}

async function addBatch(library: Library, batch: readonly ReadOutcome[], isListed: boolean): Promise<readonly Added[]> {
  const readable = batch.flatMap((outcome) => (outcome.ok ? [{ document: outcome.document, path: outcome.path, isListed }] : []))
  const outcomes = await library.addAll(readable)
  let next = 0
  return batch.map((outcome): Added => {
    const { path } = outcome
    if (!outcome.ok) return { path, outcome: 'refused', ...outcome.unreadable }
    const document: Document = outcome.document
    return {
      path,
      outcome: outcomes[next++] as 'added',
      sourceId: document.contentHash,
      title: document.title,
      notes: document.notes,
    }
  })
}

/** The folder of the sample library that comes with the package. */
export const sampleFolder = fileURLToPath(new URL('../../samples/library', import.meta.url))

/** Reads a question's own files; where there are none and the library is empty, the sample library stands in. */
export async function readSources(library: Library, paths: readonly string[], signal: AbortSignal): Promise<ReadSources> {
  const isSample = paths.length === 0 && (await library.list()).length === 0
  const sourceIds: SourceId[] = []
  const gaps: ReadSources['gaps'][number][] = []
  for await (const added of addPaths(library, isSample ? [sampleFolder] : paths, { signal, isListed: false })) {
    if (added.outcome !== 'refused') sourceIds.push(added.sourceId)
    else gaps.push({ kind: 'unreadable_source', detail: `${added.detail} ${added.hint}`, source: added.path })
  }
  return { sourceIds: [...new Set(sourceIds)], gaps, isSample }
}
