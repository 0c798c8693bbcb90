import { relative } from 'node:path'
import type { AppParts } from '../app-parts.ts'

/** The folders of a workspace that are none of a session's: the home, where it is in it. From the workspace on. */
export function closedIn(workspace: string, { home }: Pick<AppParts, 'home'>): readonly string[] {
  const way = relative(workspace, home.path)
  return way === '' || way.startsWith('..') ? [] : [way]
}
