import { join } from 'node:path'
import { isInside, namesBelow } from '../../files/real-place.ts'
import { sha256 } from '../../kernel/json.ts'

/** Where a home keeps the files that were uploaded to it: `<owner>/<SHA-256 of the file>/<name>`. */
export function originalsRoot(home: string): string {
  return join(home, 'originals')
}

/**
 * The folder of the files that somebody uploaded, which only those find who name it. Who owns a file is told by its path alone.
 * @param owner default: nobody, for the files of the library that everybody searches
 */
export function originalsFolder(home: string, owner?: string): string {
  return join(originalsRoot(home), owner === undefined ? shared : `own-${sha256(owner)}`)
}

const shared = 'shared'

/** Whether a path is in a home's originals, and of an owner. */
export function isPrivateOriginal(home: string, path: string): boolean {
  const root = originalsRoot(home)
  return path.startsWith(root) && isInside(path, root) && namesBelow(root, path)[0] !== shared
}
