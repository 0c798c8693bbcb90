import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ScholiumError } from '../kernel/errors.ts'
import { posixWord } from '../kernel/shell-word.ts'
import { makeFolder } from '../stores/sqlite/database.ts'
import { logId, makeLog, renewLogId } from '../stores/sqlite/log-id.ts'
import { type Environment, userConfigFolder, userDataFolder } from './user-folders.ts'

/** By what it is told whose a home is. */
export interface HomeOwner {
  readonly environment: Environment
  /** Homes that the operator says are their own: for containers, in which nothing is kept outside of the home. */
  readonly trustedHomes?: readonly string[]
}

/** What a folder of a project is called that may be a home. */
export const projectHomeName = '.scholium'

/** The log of a home: what it says is done when one of its runs goes on. */
export function logOf(home: string): string {
  return join(home, 'runs.db')
}

/**
 * Whether what a home records was recorded by this person: it is their data folder, or one that the operator names, or its log was
 * made or trusted by them at this real path. Neither a folder that somebody else made is, nor a copy, nor one whose log was replaced.
 */
export function isOwnHome(home: string, owner: HomeOwner): boolean {
  if (isOwnByPlace(home, owner)) return true
  const id = logId(logOf(home))
  const registration = id === 0 ? undefined : registrationOf(home, id, owner.environment)
  return registration !== undefined && existsSync(registration)
}

/** Whether a folder of a project may be used as a home: it is this person's, or one of theirs that is empty, of which a home is made. */
export function isUsableInProject(folder: string, owner: HomeOwner): boolean {
  const found = entryAt(folder)
  if (found?.isDirectory() !== true) return false
  if (isOwnHome(folder, owner)) return true
  const isOwnFolder = process.getuid === undefined || found.uid === process.getuid()
  return isOwnFolder && (found.mode & 0o002) === 0 && isEmpty(folder)
}

/**
 * Makes a home where there is none yet, and registers it as this person's.
 * @returns why it could not be registered, if it could not
 * @throws `store_failed`
 */
export function makeHome(home: string, owner: HomeOwner): string | undefined {
  if (basename(home) === projectHomeName) keepOutOfGit(home)
  let problem: string | undefined
  makeLog(logOf(home), (id) => {
    problem = isOwnByPlace(home, owner) ? undefined : register(home, id, owner)
  })
  return problem
}

/**
 * Registers a home that is there as this person's from now on.
 * @returns why it could not be registered, if it could not
 * @throws `store_failed`
 */
export function trustHome(home: string, owner: HomeOwner): string | undefined {
  let problem: string | undefined
  renewLogId(logOf(home), (id) => {
    problem = register(home, id, owner)
  })
  return problem
}

/** @throws `invalid_configuration` for a home that this person did not make: what its record says is not done */
export function requireOwnHome(
  { ownsHome, home }: { readonly ownsHome: boolean; readonly home: { readonly path: string } },
  runId: string,
): void {
  if (ownsHome) return
  throw new ScholiumError(
    'invalid_configuration',
    `You did not make the home ${home.path} on this machine, so run ${runId} cannot go on: its record may be somebody else's. Nothing was done.`,
    {
      hint: `If the home is yours, say so once: scholium home trust ${posixWord(home.path)} (in a container: SCHOLIUM_TRUSTED_HOMES).`,
      details: { runId, home: home.path },
    },
  )
}

function isOwnByPlace(home: string, { environment, trustedHomes = [] }: HomeOwner): boolean {
  const real = realPath(home)
  const own = [userDataFolder(environment) ?? '', ...trustedHomes]
  return real !== undefined && own.some((path) => path !== '' && realPath(path) === real)
}

/** The file that says that a log is this person's: one for each, so that no process waits for another or undoes what it did. */
function registrationOf(home: string, id: number, environment: Environment): string | undefined {
  const folder = userConfigFolder(environment)
  if (folder === undefined) return undefined
  const name = createHash('sha256')
    .update(`${realPath(home)}\n${id}`)
    .digest('hex')
  return join(folder, 'homes', name)
}

function register(home: string, id: number, { environment }: HomeOwner): string | undefined {
  const path = registrationOf(home, id, environment)
  if (path === undefined) return 'your home folder is not known to the system'
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    forgetAbsent(dirname(path))
    writeFileSync(path, `${realPath(home)}\n`, { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** Above this number, homes that are gone are forgotten: those of tests and of folders that were thrown away. */
const maxRegistrations = 1_000

function forgetAbsent(folder: string): void {
  const names = readdirSync(folder)
  if (names.length < maxRegistrations) return
  for (const path of names.map((name) => join(folder, name))) {
    const home = readFileSync(path, 'utf8').trimEnd()
    if (realPath(home) === undefined) rmSync(path, { force: true })
  }
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return false
  }
}

/** A log in a repository would come back from there as somebody else left it. */
function keepOutOfGit(home: string): void {
  try {
    makeFolder(logOf(home))
    if (!isEmpty(home)) return
    writeFileSync(join(home, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // What is wrong with the folder is told when the log is made in it.
  }
}

/** What stands at a path, a link as a link; `undefined` for nothing, and for what may not be looked at. */
export function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

/** A path without links, or `undefined` where nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
