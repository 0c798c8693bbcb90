import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in the workspace, or why a path names none. */
export type WorkspacePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

const maxPathCharacters = 4_000

/**
 * Where a path of an agent file really leads, links followed: relative ones begin at the workspace. What leads out of it is
 * refused, and so are hidden files, which hold settings, keys and what other programs run, and what is no local file. The last parts may be files and folders that are not there yet.
 */
export async function workspacePlace(workspace: string, written: string): Promise<WorkspacePlace> {
  const local = localPath(written)
  if (typeof local !== 'string') return local
  const root = await realpath(workspace)
  const real = await realPath(resolve(root, local))
  if (real === undefined)
    return refused(`No file can have the path ${shown(written)}.`, 'invalid_path')
  if (isInside(real, root))
    return isHidden(relative(root, real))
      ? refused(
          `${shown(written)} is hidden: names that begin with a dot are left alone.`,
          'hidden',
        )
      : { ok: true, path: real }
  return refused(`${shown(written)} leads out of the workspace.`, 'outside_workspace')
}

function localPath(written: string): string | WorkspacePlace {
  if (written === '' || written.includes('\0') || written.length > maxPathCharacters)
    return refused(`${shown(written)} is no path.`, 'invalid_path')
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(written)?.[1]?.toLowerCase()
  if (scheme === undefined) return written
  if (scheme !== 'file') {
    const advice = scheme.startsWith('http') ? ' Use http.get.' : ''
    return refused(
      `${scheme}:// is not supported: only files of the workspace are.${advice}`,
      'unsupported_scheme',
    )
  }
  try {
    return fileURLToPath(written)
  } catch {
    return refused(`${shown(written)} is no path of this machine.`, 'invalid_path')
  }
}

/** The real path of what is there, with the rest of the path after it. */
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

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function isHidden(way: string): boolean {
  return way.split(sep).some((name) => name.startsWith('.'))
}

/** A path as it may stand in a message. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}

function refused(error: string, errorType: string): WorkspacePlace {
  return { ok: false, error, errorType }
}
