import { ScholiumError } from '../../kernel/errors.ts'
import { primaryCode } from './full-disk.ts'

interface Explanation {
  readonly what: string
  readonly hint: string
  readonly retryable?: boolean
}

const full: Explanation = {
  what: 'the disk is full',
  hint: 'Free some space, then add the files again; files added earlier are still there.',
}
const unwritable: Explanation = {
  what: 'it cannot be opened or written',
  hint: 'Check that its folder exists and that you can write to it, or choose another home with --home.',
}
const damaged: Explanation = {
  what: 'it is damaged or not a database',
  hint: 'Move the file away and add your files again to rebuild the library.',
}
const busy: Explanation = {
  what: 'another process keeps it locked',
  hint: 'Try again when that process has finished.',
  retryable: true,
}

/** By SQLite's primary result code. @see https://sqlite.org/rescode.html */
const bySqlite: Readonly<Record<number, Explanation>> = {
  3: unwritable,
  5: busy,
  6: busy,
  8: unwritable,
  10: unwritable,
  11: damaged,
  13: full,
  14: unwritable,
  26: damaged,
}

const closed: Explanation = { what: 'it was closed', hint: 'Open it again before using it.' }

/** By the system's error code if the file's folder cannot be created. */
const bySystem: Readonly<Record<string, Explanation>> = {
  EACCES: unwritable,
  EDQUOT: full,
  EEXIST: unwritable,
  ENOENT: unwritable,
  ENOSPC: full,
  ENOTDIR: unwritable,
  EPERM: unwritable,
  EROFS: unwritable,
  ERR_INVALID_STATE: closed,
}

/** Turns a storage failure of the library into `store_failed`. Bugs and our own errors are returned unchanged. */
export function libraryFailure(error: unknown, path: string): unknown {
  if (error instanceof ScholiumError || !(error instanceof Error)) return error
  const { code = '', errcode } = error as { code?: string; errcode?: number }
  const found = errcode === undefined ? bySystem[code] : bySqlite[primaryCode(errcode, path)]
  if (found === undefined && errcode === undefined) return error
  const {
    what,
    hint,
    retryable = false,
  } = found ?? {
    what: 'a database error occurred',
    hint: 'See the cause.',
  }
  return new ScholiumError('store_failed', unusable(path, what), {
    hint,
    retryable,
    cause: error,
    details: { path, message: error.message },
  })
}

/** The error for use after `close`. */
export function closedLibrary(path: string): ScholiumError {
  const { what, hint } = closed
  return new ScholiumError('store_failed', unusable(path, what), { hint, details: { path } })
}

function unusable(path: string, what: string): string {
  return `The library ${path} could not be used: ${what}.`
}
