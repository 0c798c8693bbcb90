import { constants, type Stats, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ScholiumError } from '../../kernel/errors.ts'
import { describeWriteFailure } from '../../kernel/text/file-failure.ts'

/**
 * Streams text into a new file, readable by its owner only. An incomplete file is removed. An existing device or pipe
 * is written to.
 *
 * @throws `invalid_input` if the file exists or cannot be written
 */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const found = readStat(path)
  if (found?.isFile()) throw isThere(path)
  const isNew = found === undefined
  let isMade = false
  try {
    // An existing device or pipe is neither created nor truncated: it may have become a file.
    const file = await open(path, isNew ? 'wx' : constants.O_WRONLY, 0o600)
    isMade = isNew
    await pipeline(pieces, file.createWriteStream())
  } catch (error) {
    if (isMade) await rm(path, { force: true })
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || error instanceof ScholiumError) throw error
    throw code === 'EEXIST' ? isThere(path) : notWritable(path, error)
  }
}

/** @throws `invalid_input` if the file exists, or its folder does not */
export function requireNewFile(path: string): void {
  if (readStat(path)?.isFile()) throw isThere(path)
  const folder = readStat(dirname(path))
  if (folder === undefined) throw notWritable(path, { code: 'ENOENT' })
  if (!folder.isDirectory()) throw notWritable(path, { code: 'ENOTDIR' })
}

function readStat(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    // Opening it will say why it cannot be inspected.
    return undefined
  }
}

function isThere(path: string): ScholiumError {
  return new ScholiumError('invalid_input', `${path} already exists; nothing was written.`, {
    hint: 'Choose another file, or remove that one first.',
  })
}

function notWritable(path: string, cause: unknown): ScholiumError {
  const reason = describeWriteFailure(cause)
  return new ScholiumError('invalid_input', `${path} cannot be written: ${reason}.`, {
    hint: 'Choose a file in an existing folder that you can write to.',
    cause,
  })
}
