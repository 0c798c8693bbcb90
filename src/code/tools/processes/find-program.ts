import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { isInside } from '../../../files/real-place.ts'

/**
 * The path of the program that a name stands for; `undefined` where there is none, or where one that lies in the workspace comes
 * first: `npx` and others put a project's own folders before those of the system.
 * @param path folders in the form of `PATH`
 * @param workspace its folder
 * @param folders where the program may be called, absolute: relative entries of `path` count from there
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
    // Where the workspace is the whole machine, nothing lies outside of it.
    const isOwn = (place: string) => root !== dirname(root) && isInside(realPathOrSame(place), root)
    return isAbsolute(entry) && !isOwn(entry) && !isOwn(first) ? first : undefined
  }
  return undefined
}

function realPathOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Gone meanwhile.
    return path
  }
}

function isProgram(place: string): boolean {
  try {
    accessSync(place, constants.X_OK)
    return true
  } catch {
    // Not there, or not to be run.
    return false
  }
}
