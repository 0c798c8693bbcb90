import { resolve } from 'node:path'
import { createSemaphore, type Semaphore } from '../kernel/run/semaphore.ts'
import { maxTextUnitsAtOnce } from './document.ts'
import { createDocumentReader } from './files/worker/document-reader.ts'
import { maxProcesses } from './files/worker/worker-limits.ts'
import type { FileStamp, KnownFiles } from './known-files.ts'
import type { ListedFile } from './list-files.ts'
import type { ReadFileOptions } from './read-file.ts'
import { type PathOutcome, type ReadTask, readTasks } from './read-tasks.ts'

/** How many files are read at once: one more than there are processes, to fetch it from disk while they are busy. */
const maxConcurrent = maxProcesses + 1
/** How many files may be read ahead of a slow one. */
const maxReadAhead = 6

/** Options for reading paths. */
export interface ReadPathsOptions extends ReadFileOptions {
  /** Cache of documents from earlier readings. */
  readonly known?: KnownFiles
}

/**
 * Reads files; outcomes come in the order of the paths. Only a few are held at a time, so memory does not grow with
 * their number. An archive has an outcome for each member. Once the text limit is reached, the next path is reported as
 * skipped and reading ends.
 * @throws the signal's reason if aborted
 */
export async function* readPaths(
  files: readonly ListedFile[],
  options: ReadPathsOptions = {},
): AsyncGenerator<PathOutcome, void, undefined> {
  const reader = options.reader ?? createDocumentReader()
  const leaving = new AbortController()
  const signals = [leaving.signal, ...(options.signal === undefined ? [] : [options.signal])]
  const turns = createSemaphore(maxConcurrent)
  const tasks = listTasks(files, { ...options, reader, signal: AbortSignal.any(signals) })
  const started: Promise<PathOutcome>[] = []
  let isDone = false
  let textUnits = 0
  try {
    while (!isDone || started.length > 0) {
      while (!isDone && started.length < maxReadAhead) {
        const task = await tasks.next()
        if (task.done) isDone = true
        else started.push(startTask(task.value, turns))
      }
      const next = started.shift()
      if (next === undefined) continue
      const outcome = await next
      if (textUnits > maxTextUnitsAtOnce) {
        yield { ok: undefined, path: outcome.path, why: tooMuchText, isLoss: true }
        return
      }
      if (outcome.ok) textUnits += outcome.document.text.length
      yield outcome
    }
  } finally {
    leaving.abort()
    await Promise.allSettled(started)
    if (options.reader === undefined) await reader.close()
  }
}

const tooMuchText = `this and all later files: at most ${maxTextUnitsAtOnce} characters are read at once; add the rest separately`

function startTask(task: ReadTask, turns: Semaphore): Promise<PathOutcome> {
  const reading = turns(task)
  reading.catch(() => {}) // Possibly never awaited, if an earlier one fails or the caller leaves.
  return reading
}

async function* listTasks(
  files: readonly ListedFile[],
  options: ReadPathsOptions,
): AsyncGenerator<ReadTask, void, undefined> {
  const { known, signal } = options
  for (const file of files) {
    signal?.throwIfAborted()
    const path = resolve(file.path)
    const stamp = await known?.readStamp(file)
    const outcome = known?.find(path, stamp)
    if (outcome !== undefined) yield async () => outcome
    else if (known === undefined) yield* readTasks(file, options)
    else
      for await (const task of readTasks(file, options))
        yield cacheOutcome(known, path, stamp, task)
  }
}

/** A task that caches its document, unless it is a member of an archive. */
function cacheOutcome(
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
