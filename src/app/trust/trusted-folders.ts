import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isWritableByUserAlone, makeUserFolder } from '../../files/user-folder.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { type Environment, userConfigFolder } from './user-folders.ts'

/** A folder that the person trusts, by its path without links. */
export type TrustedFolder =
  /** What it tells models is as good as the person's own words. */
  | { readonly kind: 'instructions'; readonly path: string }
  /** What it records was recorded by this person, as long as its log has this id. */
  | { readonly kind: 'home'; readonly path: string; readonly log: number }

/**
 * Whether the person has said that they trust a folder. Each entry is a file in `trusted/` of their own configuration folder, so that
 * no process waits for another or undoes what it did; one that others may write says nothing, nor does a name without its text.
 */
export function isTrusted(environment: Environment, entry: TrustedFolder): boolean {
  const folder = findTrustFolder(environment)
  const text = formatText(entry)
  return folder !== undefined && readOwn(folder, hashName(text)) === text
}

/**
 * Keeps that the person trusts a folder.
 * @returns why that could not be kept, and what to do, if it could not
 */
export function trust(environment: Environment, entry: TrustedFolder): string | undefined {
  const folder = findTrustFolder(environment)
  if (folder === undefined) return 'the system does not know your home folder; set XDG_CONFIG_HOME'
  const text = formatText(entry)
  const path = join(folder, hashName(text))
  try {
    makeUserFolder(folder)
    if (!isOwnFolder(folder))
      return `${folder} belongs to someone else or is writable by others; make it writable by you only`
    forgetAbsent(folder)
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') return message
    if (!isTrusted(environment, entry)) return `${path} is damaged or writable by others; remove it`
  }
  return undefined
}

/** All that the person trusts, by path. */
export function trustedFolders(environment: Environment): readonly TrustedFolder[] {
  const entries = parseEntries(environment).map(({ entry }) => entry)
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/**
 * Takes back the trust in a folder, of either kind.
 * @param path without links
 * @returns what was trusted; empty where nothing was
 * @throws `invalid_configuration` where it cannot be taken back
 */
export function untrust(environment: Environment, path: string): readonly TrustedFolder[] {
  const found = parseEntries(environment).filter(({ entry }) => entry.path === path)
  for (const { file } of found) {
    try {
      rmSync(file, { force: true })
    } catch (error) {
      throw new ScholiumError(
        'invalid_configuration',
        `${path} could not be untrusted: ${(error as Error).message}.`,
        { hint: `Remove the file yourself: ${file}`, cause: error },
      )
    }
  }
  return found.map(({ entry }) => entry)
}

/** The entries that say something, each with its file. */
function parseEntries(
  environment: Environment,
): readonly { readonly file: string; readonly entry: TrustedFolder }[] {
  const folder = findTrustFolder(environment)
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const text = readOwn(folder, name)
    if (text === undefined || hashName(text) !== name) return []
    return [{ file: join(folder, name), entry: JSON.parse(text) as TrustedFolder }]
  })
}

function findTrustFolder(environment: Environment): string | undefined {
  const folder = userConfigFolder(environment)
  return folder === undefined ? undefined : join(folder, 'trusted')
}

function formatText(entry: TrustedFolder): string {
  return `${JSON.stringify(entry, null, 2)}\n`
}

function hashName(text: string): string {
  return `${createHash('sha256').update(text).digest('hex')}.json`
}

function isOwnFolder(path: string): boolean {
  const found = lstatSync(path)
  return found.isDirectory() && isWritableByUserAlone(found)
}

const maxEntryBytes = 100_000

/** The text of a small file of this user in a folder of theirs, through no link; `undefined` for anything else. */
function readOwn(folder: string, name: string): string | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number | undefined
  try {
    if (!isOwnFolder(folder)) return undefined
    file = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const found = fstatSync(file)
    const isRead = found.isFile() && isWritableByUserAlone(found) && found.size <= maxEntryBytes
    return isRead ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** From this number on, folders that are gone are forgotten: those of tests, and those that were thrown away. */
const maxEntries = 1_000

function forgetAbsent(folder: string): void {
  const names = readdirSync(folder)
  if (names.length < maxEntries) return
  for (const name of names) {
    const text = readOwn(folder, name)
    if (text !== undefined && hashName(text) === name && isOfAbsent(text))
      rmSync(join(folder, name), { force: true })
  }
}

/** Whether an entry is for a folder that is gone. What cannot be looked at may be there. */
function isOfAbsent(text: string): boolean {
  try {
    const { path } = JSON.parse(text) as TrustedFolder
    return statSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}
