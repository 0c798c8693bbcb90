import { fileURLToPath } from 'node:url'
import type { SourceId } from '../citations/source.ts'
import type { Library } from '../retrieval/library.ts'
import type { ReadOutcome } from '../sources/document.ts'
import { listFiles, type PassedOver } from '../sources/list-files.ts'
import { readPaths } from '../sources/read-files.ts'
import type { ReadSources } from '../workflows/ask/team.ts'

/** What one file came to when it was added. */
export type Added =
  | {
      readonly path: string
      readonly outcome: 'added' | 'unchanged' | 'updated'
      readonly sourceId: SourceId
      readonly title: string
      readonly notes: readonly string[]
    }
  | {
      readonly path: string
      readonly outcome: 'refused'
      readonly reason: string
      readonly detail: string
      readonly hint: string
    }
  | ({ readonly outcome: 'passed_over' } & PassedOver)

/** How files are added. */
export interface AddOptions {
  readonly signal?: AbortSignal
  /** Whether all questions search them, or only the runs that name them. */
  readonly isListed: boolean
}

const batchSize = 16

/** Reads files and folders into the library, telling of each file in the order of the paths. A bad file never ends the rest. */
export async function* addPaths(
  library: Library,
  paths: readonly string[],
  options: AddOptions,
): AsyncGenerator<Added> {
  const { isListed } = options
  const signal = options.signal === undefined ? {} : { signal: options.signal }
  const { files, passedOver } = await listFiles(paths, signal)
  for (const left of passedOver) yield { outcome: 'passed_over', ...left }
  let batch: FileOutcome[] = []
  let next = 0
  for await (const read of readPaths(files, signal)) {
    batch.push({ path: files[next++] as string, read })
    if (batch.length < batchSize) continue
    yield* await addBatch(library, batch, isListed)
    batch = []
  }
  yield* await addBatch(library, batch, isListed)
}

interface FileOutcome {
  readonly path: string
  readonly read: ReadOutcome
}

async function addBatch(
  library: Library,
  batch: readonly FileOutcome[],
  isListed: boolean,
): Promise<readonly Added[]> {
  const readable = batch.flatMap(({ path, read }) =>
    read.ok ? [{ document: read.document, path, isListed }] : [],
  )
  const outcomes = await library.addAll(readable)
  let next = 0
  return batch.map(({ path, read }): Added => {
    if (!read.ok) return { path, outcome: 'refused', ...read.unreadable }
    const { contentHash, title, notes } = read.document
    return { path, outcome: outcomes[next++] as 'added', sourceId: contentHash, title, notes }
  })
}

/** The folder of the sample library that comes with the package. */
export const sampleFolder = fileURLToPath(new URL('../../samples/library', import.meta.url))

/** Reads a question's own files; where there are none and the library is empty, the sample library stands in. */
export async function readSources(
  library: Library,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadSources> {
  const isSample = paths.length === 0 && (await library.list()).length === 0
  const sourceIds: SourceId[] = []
  const gaps: ReadSources['gaps'][number][] = []
  for await (const added of addPaths(library, isSample ? [sampleFolder] : paths, {
    signal,
    isListed: false,
  })) {
    if ('sourceId' in added) sourceIds.push(added.sourceId)
    else gaps.push(...gapOf(added))
  }
  return { sourceIds: [...new Set(sourceIds)], gaps, isSample }
}

/** What could not be read is missing from the answer; what is left out on purpose is not. */
function gapOf(added: Exclude<Added, { sourceId: SourceId }>): ReadSources['gaps'] {
  const source = added.path
  if (added.outcome === 'refused')
    return [{ kind: 'unreadable_source', detail: `${added.detail} ${added.hint}`, source }]
  return added.isLoss
    ? [{ kind: 'unreadable_source', detail: `Not read: ${added.why}.`, source }]
    : []
}
