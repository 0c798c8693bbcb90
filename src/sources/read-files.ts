import { resolve } from 'node:path'
import type { FileStamp, KnownFiles } from './known-files.ts'
import type { ListedFile } from './list-files.ts'
import type { ReadFileOptions } from './read-file.ts'
import { type PathOutcome, type ReadTask, readTasks } from './read-tasks.ts'
import { createDocumentReader } from './worker/document-reader.ts'

/** How many files are read at once. */
const CONCURRENCY = 2
/** How many files may be read ahead of a slow one. */
const AHEAD = 6

/** How paths are read. */
export interface ReadPathsOptions extends Omit<ReadFileOptions, 'reader'> {
  /** What was read before, and what is read now for the next time. */
  readonly known?: KnownFiles
}

/**
 * The outcomes of reading files, in the order of their paths, as they come: only a few are held at a time, so memory does
 * not grow with their number. An archive has an outcome for each of its members.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function* readPaths(
  files: readonly ListedFile[],
  options: ReadPathsOptions = {},
): AsyncGenerator<PathOutcome, void, undefined> {
  const reader = createDocumentReader()
  const limit = limiter(CONCURRENCY)
  const tasks = tasksOf(files, { ...options, reader })
  const started: Promise<PathOutcome>[] = []
  let isDone = false
  try {
    while (!isDone || started.length > 0) {
      while (!isDone && started.length < AHEAD) {
        const next = await tasks.next()
        if (next.done) isDone = true
        else started.push(startOf(next.value, limit))
      }
      const first = started.shift()
      if (first !== undefined) yield await first
    }
  } finally {
    await reader.close()
    await Promise.allSettled(started)
  }
}

function startOf(task: ReadTask, limit: ReturnType<typeof limiter>): Promise<PathOutcome> {
  const reading = limit(task)
  reading.catch(() => {}) // Its turn to be awaited may never come, when an earlier one fails or the caller leaves.
  return reading
}

async function* tasksOf(
  files: readonly ListedFile[],
  options: ReadPathsOptions & ReadFileOptions,
): AsyncGenerator<ReadTask, void, undefined> {
  const { known, signal } = options
  for (const file of files) {
    signal?.throwIfAborted()
    const path = resolve(file.path)
    const stamp = await known?.stampOf(file)
    const outcome = known?.find(path, stamp)
    if (outcome !== undefined) yield async () => outcome
    else if (known === undefined) yield* readTasks(file, options)
    else for await (const task of readTasks(file, options)) yield keeping(known, path, stamp, task)
  }
}

/** The task, with its document kept for the next time if it is the file's own and not that of an archive's member. */
function keeping(
  known: KnownFiles,
  path: string,
  stamp: FileStamp | undefined,
  task: ReadTask,
): ReadTask {
  return async () => {
    const outcome = await task()
    if (outcome.ok === true && outcome.path === path) known.keep(path, stamp, outcome)
    return outcome
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
