import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import { primaryCode } from './full-disk.ts'

interface Explanation {
  readonly what: string
  readonly hint: string
  readonly retryable?: boolean
}

const nothingLost = 'Earlier records are intact.'

/** By SQLite's primary result code. @see https://sqlite.org/rescode.html */
const explanations: Readonly<Record<number, Explanation>> = {
  5: {
    what: 'another process keeps it locked',
    hint: `Try again; if that does not help, end the process that has it open. ${nothingLost}`,
    retryable: true,
  },
  8: {
    what: 'it is read-only',
    hint: `Make the file and its folder writable, or choose another home with --home. ${nothingLost}`,
  },
  10: {
    what: 'the disk failed to read or write',
    hint: 'Copy the file to a safe place first, then check the disk and its connection.',
  },
  11: {
    what: 'the file is damaged',
    hint: 'Restore a copy, or save what can be saved with: sqlite3 FILE .recover',
  },
  13: {
    what: 'the disk is full',
    hint: `Free some space, then try again; runs already started can be resumed. ${nothingLost}`,
  },
  14: {
    what: 'the file cannot be opened',
    hint: 'Check that its folder exists and that you can write to it, or choose another home with --home.',
  },
  26: {
    what: 'the file is not a SQLite database',
    hint: 'Move that file away, or choose another home with --home.',
  },
}

/** Without a folder, nothing has been recorded yet. */
const noFolder: Explanation = {
  what: 'its folder does not exist and cannot be created',
  hint: 'Make the folder above it writable, or choose another home with --home.',
}
const noRoom: Explanation = { what: 'the disk is full', hint: 'Free some space, then try again.' }

const unexplained: Explanation = {
  what: 'a database error occurred',
  hint: 'See the cause. Another folder can be chosen with --home.',
}

/** The SQLite code that corresponds to each failure to create the file's folder. */
const codesOfFolders: Readonly<Record<string, number>> = {
  EACCES: 8,
  EPERM: 8,
  EROFS: 8,
  ENOSPC: 13,
  EDQUOT: 13,
  ENOENT: 14,
  ENOTDIR: 14,
  EEXIST: 14,
}

/** Turns a storage failure of the log into `store_failed`. Bugs and our own errors are returned unchanged. */
export function storeFailure(error: unknown, path: string): unknown {
  if (error instanceof ScholiumError || !(error instanceof Error)) return error
  const { code = '', errcode = codesOfFolders[code] } = error as {
    code?: string
    errcode?: number
  }
  if (code === 'ERR_INVALID_STATE') return closedLog(error)
  if (errcode === undefined) return error
  const known = explanations[primaryCode(errcode, path)] ?? unexplained
  const isNew = !existsSync(dirname(path))
  const { what, hint, retryable = false } = isNew ? (errcode === 13 ? noRoom : noFolder) : known
  return new ScholiumError('store_failed', `The log ${path} could not be used: ${what}.`, {
    hint,
    retryable,
    cause: error,
    details: { path, sqliteCode: errcode, sqliteMessage: error.message },
  })
}

/** The error for use after `close`. */
export function closedLog(cause?: unknown): ScholiumError {
  const hint = 'Open it again before using it.'
  return new ScholiumError('store_failed', 'The log was closed.', { hint, cause })
}

/** The error for a row that is damaged. */
export function damagedRow(
  runId: string,
  seq: number,
  what: string,
  cause?: unknown,
): ScholiumError {
  return new ScholiumError('store_failed', `Event ${seq} of run ${runId} is damaged: ${what}.`, {
    hint: 'Restore the log from a copy, or ask the question again.',
    details: { runId, seq },
    ...(cause === undefined ? {} : { cause }),
  })
}
