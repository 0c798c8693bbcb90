import { existsSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ScholiumError } from '../kernel/errors.ts'
import {
  entryAt,
  isUsableInProject,
  projectHomeName,
  realPath,
  trustCommand,
} from './trust/own-homes.ts'
import { type Environment, userDataFolder } from './trust/user-folders.ts'

/** The home, and its origin. */
export interface Home {
  readonly path: string
  readonly from: 'option' | 'SCHOLIUM_HOME' | 'project' | 'user'
  /** A home in the project that this person did not create and that is not used. */
  readonly refused?: string
}

/**
 * The folder for runs and library: the option, `SCHOLIUM_HOME`, `.scholium/` in this folder or one above that this
 * person created, or the user's data folder.
 * @param trustedHomes homes that the operator declares as their own
 * @throws `invalid_configuration` if there is no such folder, or a file or a link is in its place
 */
export function findHome(
  option: string | undefined,
  environment: Environment,
  folder: string,
  trustedHomes: readonly string[] = [],
): Home {
  const { SCHOLIUM_HOME: named = '' } = environment
  if (option !== undefined) return { path: namedFolder(resolve(folder, option)), from: 'option' }
  if (named !== '') return { path: namedFolder(resolve(folder, named)), from: 'SCHOLIUM_HOME' }
  const owner = { environment, trustedHomes }
  let refused: string | undefined
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, projectHomeName)
    if (isUsableInProject(candidate, owner)) return { path: candidate, from: 'project' }
    if (holdsHome(candidate)) refused ??= candidate
    if (dirname(current) === current) break
  }
  const path = userDataFolder(environment)
  if (path === undefined) throw unknownUser()
  // A link there is the person's own: nobody else can create one.
  requireFolder(path, entryAt(realPath(path) ?? path))
  return { path, from: 'user', ...(refused === undefined ? {} : { refused }) }
}

/** The remark on a home that is not used. */
export function refusedHomeText({ refused, path }: Pick<Home, 'path' | 'refused'>): string {
  return `${refused} is not trusted, because you did not create it on this machine; ${path} is used instead. If it is yours: ${trustCommand(refused ?? '')}`
}

/** Whether a folder is a home: a project may have skills and prompts there without one. */
function holdsHome(folder: string): boolean {
  return ['runs.db', 'library.db', 'memory.db'].some((name) => existsSync(join(folder, name)))
}

/**
 * @throws `invalid_configuration` for a file, and for a link, which somebody may redirect to another home at any time
 */
function namedFolder(path: string): string {
  const found = entryAt(path)
  if (found?.isSymbolicLink() !== true) return requireFolder(path, found)
  throw new ScholiumError('invalid_configuration', `The home ${path} is a link, not a folder.`, {
    hint: `Give the folder itself, with --home or SCHOLIUM_HOME${existsSync(path) ? `: ${realpathSync(path)}` : ''}.`,
  })
}

/** An inaccessible entry is reported by the store opened in it. @throws `invalid_configuration` */
function requireFolder(path: string, found: Stats | undefined): string {
  if (found?.isDirectory() ?? true) return path
  throw new ScholiumError('invalid_configuration', `The home ${path} is a file, not a folder.`, {
    hint: 'Move the file away, or choose a folder with --home or SCHOLIUM_HOME.',
  })
}

function unknownUser(): ScholiumError {
  return new ScholiumError('invalid_configuration', 'The system does not know your home folder.', {
    hint: 'Choose a folder for runs and library with --home or SCHOLIUM_HOME.',
  })
}
