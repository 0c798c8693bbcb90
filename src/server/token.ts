import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ScholiumError } from '../kernel/errors.ts'

const minTokenLength = 16

/** @throws `invalid_configuration` for a token that could be guessed or cannot be sent in a header */
export function checkOwnToken(token: string): string {
  if (token.length >= minTokenLength && /^[\w.~+/=-]+$/.test(token)) return token
  throw new ScholiumError('invalid_configuration', 'SCHOLIUM_TOKEN cannot be used as a token.', {
    hint: `Use at least ${minTokenLength} letters, digits or signs of . _ ~ + / = -, such as the output of: openssl rand -hex 24`,
  })
}

/**
 * The token of a home's server, which is created on first use in a file that only its owner can read.
 * @throws `invalid_configuration` if others can read the file, or it cannot be read or created
 */
export function homeToken(home: string): string {
  const path = join(home, 'server-token')
  try {
    return createToken(path) ?? readToken(path)
  } catch (error) {
    if (error instanceof ScholiumError) throw error
    throw unusable(path, (error as Error).message, error)
  }
}

/** `undefined` if there is one already. */
function createToken(path: string): string | undefined {
  try {
    const token = randomBytes(32).toString('base64url')
    writeFileSync(path, `${token}\n`, { flag: 'wx', mode: 0o600 })
    return token
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

function readToken(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    const { mode } = fstatSync(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw unusable(path, 'other users of this machine can read it')
    const token = readFileSync(file, 'utf8').trim()
    if (token.length < minTokenLength) throw unusable(path, 'it is empty or too short')
    return token
  } finally {
    closeSync(file)
  }
}

function unusable(path: string, reason: string, cause?: unknown): ScholiumError {
  return new ScholiumError(
    'invalid_configuration',
    `The server's token in ${path} cannot be used: ${reason}.`,
    { hint: 'Delete the file; a new token is created at the next start.', cause },
  )
}
