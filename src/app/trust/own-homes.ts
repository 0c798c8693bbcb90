import { lstatSync, readdirSync, realpathSync, type Stats, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { makeUserFolder } from '../../files/user-folder.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'
import { createLogFile, readLogId, renewLogId } from '../../stores/sqlite/log-id.ts'
import { isTrusted, trust } from './trusted-folders.ts'
import { type Environment, userDataFolder } from './user-folders.ts'

/** By what it is told whose a home is. */
export interface HomeOwner {
  readonly environment: Environment
  /** Homes that the operator says are their own: for containers, in which nothing is kept outside of the home. */
  readonly trustedHomes?: readonly string[]
}

/** What a folder of a project is called that may be a home. */
export const projectHomeName = '.scholium'

/** The log of a home: its runs do what it says when they are resumed. */
export function findLog(home: string): string {
  return join(home, 'runs.db')
}

/**
 * Whether this person recorded what a home contains: it is their data folder, or one that the operator names, or they
 * created or trusted its log at this real path. A folder that somebody else created, a copy, or a home whose log was
 * replaced is not theirs.
 */
export function isOwnHome(home: string, owner: HomeOwner): boolean {
  if (isOwnByPlace(home, owner)) return true
  const log = readLogId(findLog(home))
  const path = realPath(home)
  if (log === 0 || path === undefined) return false
  return isTrusted(owner.environment, { kind: 'home', path, log })
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
 * Creates a home if there is none, and registers it as this person's.
 * @returns why it could not be registered, if it could not
 * @throws `store_failed`
 */
export function makeHome(home: string, owner: HomeOwner): string | undefined {
  if (basename(home) === projectHomeName) keepOutOfGit(home)
  let problem: string | undefined
  createLogFile(findLog(home), (id) => {
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
  renewLogId(findLog(home), (id) => {
    problem = register(home, id, owner)
  })
  return problem
}

/** The command by which a person says that a home is theirs. */
export function trustCommand(home: string): string {
  return `scholium home trust ${wordToPaste(home, process.platform) ?? 'FOLDER'}`
}

/** @throws `invalid_configuration` for a home that this person did not make: what its record says is not done */
export function requireOwnHome(
  { ownsHome, home }: { readonly ownsHome: boolean; readonly home: { readonly path: string } },
  runId: string,
): void {
  if (ownsHome) return
  throw new ScholiumError(
    'invalid_configuration',
    `Run ${runId} cannot be resumed, forked or continued, because the home ${home.path} is not trusted: it was copied, moved or created by someone else. Nothing was done.`,
    {
      hint: `If the home is yours, trust it: ${trustCommand(home.path)} (in a container: SCHOLIUM_TRUSTED_HOMES).`,
      details: { runId, home: home.path, isForeignHome: true },
    },
  )
}

function isOwnByPlace(home: string, { environment, trustedHomes = [] }: HomeOwner): boolean {
  const real = realPath(home)
  const own = [userDataFolder(environment) ?? '', ...trustedHomes]
  return real !== undefined && own.some((path) => path !== '' && realPath(path) === real)
}

function register(home: string, log: number, { environment }: HomeOwner): string | undefined {
  return trust(environment, { kind: 'home', path: realpathSync(home), log })
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch {
    return false
  }
}

/** A log committed to a repository could come back changed by somebody else. */
function keepOutOfGit(home: string): void {
  try {
    makeUserFolder(home)
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
