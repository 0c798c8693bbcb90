import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cutText } from '../kernel/text/cut-text.ts'

/** A real path in a folder with the names leading there, or why a path has none. */
export type RealPlace =
  | { readonly ok: true; readonly path: string; readonly names: readonly string[] }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

const maxPathCharacters = 4_000

/**
 * Resolves a path relative to the workspace, following links. Paths that leave the workspace or are not local files are
 * refused. The last parts need not exist. The result may change later: open it with `exactly` this path as its rule.
 * @param workspace absolute, without links
 */
export async function realPlace(workspace: string, written: string): Promise<RealPlace> {
  const local = localPath(written)
  if (typeof local !== 'string') return local
  const real = await realPath(resolve(workspace, local))
  if (real === undefined)
    return refusedPlace(`${shownPath(written)} is not a valid path.`, 'invalid_path')
  if (!isInside(real, workspace))
    return refusedPlace(`${shownPath(written)} is outside the workspace.`, 'outside_workspace')
  return { ok: true, path: real, names: namesBelow(workspace, real) }
}

function localPath(written: string): string | RealPlace {
  if (written === '' || written.includes('\0') || written.length > maxPathCharacters)
    return refusedPlace(`${shownPath(written)} is not a path.`, 'invalid_path')
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase()
  if (scheme === undefined) return written
  if (scheme !== 'file') {
    return refusedPlace(
      `${scheme}:// is not supported: only files in the workspace are.`,
      'unsupported_scheme',
    )
  }
  try {
    return fileURLToPath(written)
  } catch {
    return refusedPlace(`${shownPath(written)} is not a path on this machine.`, 'invalid_path')
  }
}

/** The real path of the existing part, plus the rest. */
async function realPath(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path) return undefined
    const real = await realPath(parent)
    return real === undefined ? undefined : join(real, basename(path))
  }
}

/** Whether a path is a folder or inside it; both absolute, without links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** The names from a folder down to a path inside it; none for the folder itself. */
export function namesBelow(folder: string, path: string): readonly string[] {
  return relative(folder, path)
    .split(sep)
    .filter((name) => name !== '')
}

/** Whether a name starts with a dot: such files hold settings, keys and what other programs run. */
export function hasHiddenName(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith('.'))
}

/** A path for use in a message, shortened. */
export function shownPath(path: string): string {
  return JSON.stringify(cutText(path, 200))
}

function refusedPlace(error: string, errorType: string): RealPlace {
  return { ok: false, error, errorType }
}
