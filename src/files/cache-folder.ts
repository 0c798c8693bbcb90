import { chmodSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isWritableByUserAlone, makeUserFolder } from './user-folder.ts'

/**
 * The folder for data that can be regenerated, such as compiled code. It is created if missing and must be private to
 * this user, because whoever can write there decides what this program runs. `undefined` if there is no such folder:
 * nothing is cached then.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const place = cacheFolderPath(environment)
    if (place === undefined) return undefined
    makeUserFolder(place)
    // Windows itself keeps other users out of a user's folders.
    return process.getuid === undefined ? place : requirePrivate(place, process.getuid())
  } catch {
    return undefined
  }
}

/** Turns on Node's compile cache. By default Node would use the shared temporary folder. */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  const folder = cacheFolder(environment)
  if (folder !== undefined) enableCompileCache(join(folder, 'compiled'))
}

/** @throws the system's error for an unknown user, as in some containers */
function cacheFolderPath({
  LOCALAPPDATA = '',
  XDG_CACHE_HOME = '',
}: Readonly<Record<string, string | undefined>>): string | undefined {
  if (process.platform === 'win32')
    return isAbsolute(LOCALAPPDATA) ? join(LOCALAPPDATA, 'scholium', 'cache') : undefined
  if (isAbsolute(XDG_CACHE_HOME)) return join(XDG_CACHE_HOME, 'scholium')
  const home = homedir()
  if (!isAbsolute(home)) return undefined
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'scholium')
    : join(home, '.cache', 'scholium')
}

/** The real path of a folder that only this user can write to, could have written to, and can replace; else `undefined`. */
function requirePrivate(place: string, user: number): string | undefined {
  const found = lstatSync(place)
  if (!found.isDirectory() || !isWritableByUserAlone(found)) return undefined
  if ((found.mode & 0o077) !== 0) chmodSync(place, 0o700)
  const real = realpathSync(place)
  for (let above = dirname(real); ; above = dirname(above)) {
    if (canBeReplacedBelow(above, user)) return undefined
    if (dirname(above) === above) return real
  }
}

/** Whether others may rename entries of a folder; with the sticky bit, only the owner of an entry may. */
function canBeReplacedBelow(folder: string, user: number): boolean {
  const { uid, mode } = statSync(folder)
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
  return isOpen || (uid !== 0 && uid !== user)
}
