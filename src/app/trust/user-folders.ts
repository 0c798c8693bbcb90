import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The user's own folder, or `undefined` where the system knows none, as in some containers. */
export function userFolder(): string | undefined {
  try {
    const home = homedir()
    return isAbsolute(home) ? home : undefined
  } catch {
    return undefined
  }
}

/** The folder of the user's own data, or `undefined` where the system knows none. @see https://specifications.freedesktop.org/basedir-spec/latest/ */
export function userDataFolder(environment: Environment): string | undefined {
  const { LOCALAPPDATA = '', XDG_DATA_HOME = '' } = environment
  if (process.platform === 'win32' && isAbsolute(LOCALAPPDATA))
    return join(LOCALAPPDATA, 'scholium')
  const isMac = process.platform === 'darwin'
  // A relative path in such a variable is invalid and to be ignored, says the specification.
  if (!isMac && isAbsolute(XDG_DATA_HOME)) return join(XDG_DATA_HOME, 'scholium')
  const user = userFolder()
  if (user === undefined) return undefined
  if (process.platform === 'win32') return join(user, 'AppData', 'Local', 'scholium')
  return isMac
    ? join(user, 'Library', 'Application Support', 'scholium')
    : join(user, '.local', 'share', 'scholium')
}

/** The folder of the user's own configuration, or `undefined` where no home folder is known. @see https://specifications.freedesktop.org/basedir-spec/latest/ */
export function userConfigFolder(environment: Environment): string | undefined {
  const { APPDATA = '', XDG_CONFIG_HOME = '' } = environment
  if (process.platform === 'win32' && isAbsolute(APPDATA)) return join(APPDATA, 'scholium')
  // A relative path in such a variable is invalid and to be ignored, says the specification.
  if (isAbsolute(XDG_CONFIG_HOME)) return join(XDG_CONFIG_HOME, 'scholium')
  const home = userFolder()
  if (home === undefined) return undefined
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'scholium')
    : join(home, '.config', 'scholium')
}
