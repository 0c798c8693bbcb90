import type { ReadOutcome } from './document.ts'
import { createPdfReader } from './pdf/pdf-reader.ts'
import { type ReadFileOptions, readFileDocument } from './read-file.ts'

/** How far reading has come: `doneCount` files of `totalCount`, the last of them `path`. */
export interface ReadProgress {
  readonly doneCount: number
  readonly totalCount: number
  readonly path: string
  readonly outcome: ReadOutcome
}

/** How many files are read at once. */
const DEFAULT_CONCURRENCY = 2
/** How many files may be read ahead of a slow one, times the concurrency. */
const AHEAD = 3

/**
 * The outcomes of reading files, in the order of their paths, as they come: only a few are held at a time, so memory does
 * not grow with their number. Progress is told as each file ends, in whatever order.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function* readPaths(
  paths: readonly string[],
  options: Omit<ReadFileOptions, 'pdfReader'> & {
    readonly onProgress?: ((progress: ReadProgress) => void) | undefined
    readonly concurrency?: number | undefined
  } = {},
): AsyncGenerator<ReadOutcome, void, undefined> {
  const { onProgress, concurrency = DEFAULT_CONCURRENCY, ...readOptions } = options
  const pdfReader = createPdfReader()
  const limit = limiter(concurrency)
  let doneCount = 0
  const read = async (path: string): Promise<ReadOutcome> => {
    const outcome = await limit(() => readFileDocument(path, { ...readOptions, pdfReader }))
    doneCount++
    onProgress?.({ doneCount, totalCount: paths.length, path, outcome })
    return outcome
  }
  const started: Promise<ReadOutcome>[] = []
  try {
    for (let next = 0; next < paths.length || started.length > 0; ) {
      while (started.length < concurrency * AHEAD && next < paths.length) {
        const reading = read(paths[next++] as string)
        reading.catch(() => {}) // Its turn to be awaited may never come, when an earlier one fails or the caller leaves.
        started.push(reading)
      }
      yield await (started.shift() as Promise<ReadOutcome>)
    }
  } finally {
    await pdfReader.close()
    await Promise.allSettled(started)
  }
}

/** Runs tasks, so many at once, the others in turn. */
function limiter(concurrency: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (task) => {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
