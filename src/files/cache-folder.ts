import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

/**
 * The folder for what can be made again, such as compiled code: made where it is not there, and for this user alone, since who
 * can write there decides what this program runs. `undefined` where there is no such folder: then nothing is cached.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 */
export function cacheFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    const place = cacheFolderPath(environment)
    if (place === undefined) return undefined
    makeFolder(place)
    // Windows keeps other users out of a user's folders itself.
    return process.getuid === undefined ? place : requirePrivate(place, process.getuid())
  } catch {
    return undefined
  }
}

/** Has Node keep the code that it compiles from now on. Left to itself it would take what lies in the shared temporary folder. */
export function keepCompiledCode(environment: Readonly<Record<string, string | undefined>>): void {
  const folder = cacheFolder(environment)
  if (folder !== undefined) enableCompileCache(join(folder, 'compiled'))
}

/** @throws the system's error for a user that it does not know, as in some containers */
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

/** Makes a folder and those above it. One by one: where a file system refuses (below /proc), `recursive` tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in between.
    if (!existsSync(path)) throw error
  }
}

/** The real path of a folder into which nobody else can write or could have written, and which nobody else can replace. */
function requirePrivate(place: string, user: number): string | undefined {
  const found = lstatSync(place)
  const { uid, mode } = found
  if (!found.isDirectory() || uid !== user || (mode & 0o022) !== 0) return undefined
  if ((mode & 0o077) !== 0) chmodSync(place, 0o700)
  const real = realpathSync(place)
  for (let above = dirname(real); ; above = dirname(above)) {
    if (canBeReplacedBelow(above, user)) return undefined
    if (dirname(above) === above) return real
  }
}

/** Whether others may rename what lies in a folder: in one with the sticky bit only the owner of each entry may. */
function canBeReplacedBelow(folder: string, user: number): boolean {
  const { uid, mode } = statSync(folder)
  const isOpen = (mode & 0o002) !== 0 && (mode & 0o1000) === 0
  return isOpen || (uid !== 0 && uid !== user)
}
