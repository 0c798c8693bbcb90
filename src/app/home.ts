import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a home was found. */
export interface Home {
  readonly path: string
  readonly from: 'option' | 'SCHOLIUM_HOME' | 'project' | 'user'
}

/** The folder for runs and library: the option, `SCHOLIUM_HOME`, `.scholium/` of this folder or one above, or the user's data folder. */
export function findHome(
  option: string | undefined,
  environment: Environment,
  folder: string,
): Home {
  if (option !== undefined) return { path: resolve(folder, option), from: 'option' }
  const named = environment.SCHOLIUM_HOME
  if (named !== undefined && named !== '')
    return { path: resolve(folder, named), from: 'SCHOLIUM_HOME' }
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, '.scholium')
    if (existsSync(candidate)) return { path: candidate, from: 'project' }
    if (dirname(current) === current) return { path: userHome(environment), from: 'user' }
  }
}

/** @see https://specifications.freedesktop.org/basedir-spec/latest/ */
function userHome(environment: Environment): string {
  const home = homedir()
  if (process.platform === 'win32')
    return join(environment.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'scholium')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'scholium')
  return join(environment.XDG_DATA_HOME || join(home, '.local', 'share'), 'scholium')
}
