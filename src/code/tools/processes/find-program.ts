import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside } from '../../../files/real-place.ts'

/**
 * Finds a program on the path. `undefined` if there is none, or if one inside the workspace comes first: `npx` and
 * others put a project's own folders first.
 * @param path folders in the form of `PATH`
 * @param workspace the workspace's folder
 * @param folders absolute folders in which the program may be called; relative entries of `path` are resolved against
 * them
 */
export function findProgram(
  name: string,
  path: string,
  workspace: string,
  folders: readonly string[],
): string | undefined {
  const root = realPathOrSame(workspace)
  for (const entry of path.split(delimiter)) {
    const places = isAbsolute(entry) ? [entry] : folders.map((folder) => resolve(folder, entry))
    const found = places.map((place) => join(place, name)).filter(isProgram)
    const [first] = found
    if (first === undefined) continue
    // If the workspace is the whole machine, nothing is outside of it.
    const isOwn = (place: string) => root !== dirname(root) && isInside(realPathOrSame(place), root)
    return isAbsolute(entry) && !isOwn(entry) && !isOwn(first) ? first : undefined
  }
  return undefined
}

function realPathOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // It has been deleted.
    return path
  }
}

function isProgram(place: string): boolean {
  try {
    accessSync(place, constants.X_OK)
    return true
  } catch {
    // It is missing or not executable.
    return false
  }
}
