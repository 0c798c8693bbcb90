import { hasHiddenName, realPlace, shownPath } from '../../../files/real-place.ts'

/** A place in the workspace, or why a path names none. */
export type WorkspacePlace =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly error: string; readonly errorType: string }

/**
 * Where a path of an agent file really leads, as {@link realPlace} has it. Hidden files are refused: they hold settings, keys and
 * what other programs run.
 * @param workspace absolute, without links
 */
export async function workspacePlace(workspace: string, written: string): Promise<WorkspacePlace> {
  const place = await realPlace(workspace, written)
  if (!place.ok) {
    const isAddress = place.errorType === 'unsupported_scheme' && /^http/i.test(written)
    return isAddress ? { ...place, error: `${place.error} Use http.get.` } : place
  }
  if (!hasHiddenName(place.names)) return { ok: true, path: place.path }
  const error = `${shownPath(written)} is hidden: names that start with a dot are not accessible.`
  return { ok: false, error, errorType: 'hidden' }
}
