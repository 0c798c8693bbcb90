import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isInside } from '../files/real-place.ts'
import { ScholiumError } from '../kernel/errors.ts'

/**
 * Checks a folder whose files requests can name: it must exist, and the home, with its tokens and logs, must not be reachable
 * through it.
 * @throws `invalid_configuration`
 */
export function checkServedFolder(path: string, home: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ScholiumError('invalid_configuration', `There is no folder ${path}.`, {
      hint: 'Check the spelling of the path.',
    })
  const [folder, realHome] = [realPath(path), realPath(home)]
  if (!isInside(realHome, folder) && !isInside(folder, realHome)) return
  throw new ScholiumError(
    'invalid_configuration',
    `The folder ${path} cannot be opened to requests: it ${isInside(realHome, folder) ? 'contains' : 'lies in'} the home ${home}, where tokens and runs are kept.`,
    { hint: 'Give a folder apart from the home, or another home: --home DIR.' },
  )
}

/** The real path of what exists of a path, plus the rest. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
