import { realPlace, shownPath } from '../../../tools/workspace/real-place.ts'

/** A place in the workspace, or why a path names none. */
export type WorkspacePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

/**
 * Where a path of an agent file really leads, links followed: relative ones begin at the workspace. What leads out of it is
 * refused, and so are hidden files, which hold settings, keys and what other programs run, and what is no local file. The last parts may be files and folders that are not there yet.
 */
export async function workspacePlace(workspace: string, written: string): Promise<WorkspacePlace> {
  const place = await realPlace(workspace, written)
  if (!place.ok) {
    const isAddress = place.errorType === 'unsupported_scheme' && /^http/i.test(written)
    return isAddress ? { ...place, error: `${place.error} Use http.get.` } : place
  }
  if (!place.names.some((name) => name.startsWith('.'))) return { ok: true, path: place.path }
  const error = `${shownPath(written)} is hidden: names that begin with a dot are left alone.`
  return { ok: false, error, errorType: 'hidden' }
}
