import { realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { isInside } from '../../files/real-place.ts'
import { isOfProject, type Problem, type Settings } from './origin.ts'

/** A project's own files may name a home and sources of that project only: what lies elsewhere is not theirs to hand out. */
export function pathProblems(settings: Settings, projectFolder: string): readonly Problem[] {
  const root = realPath(projectFolder)
  return (['home', 'sources'] as const).flatMap((key) => {
    const setting = settings.get(key)
    if (setting === undefined || !isOfProject(setting.origin)) return []
    const paths = [setting.value].flat() as readonly string[]
    const outside = paths.find(
      (path) => !isInside(realPath(resolve(setting.origin.folder, path)), root),
    )
    if (outside === undefined) return []
    const instead = key === 'home' ? '--home or SCHOLIUM_HOME' : '--source'
    const message = `${key} points outside the project's folder (${outside}); set it with ${instead}, or in your own configuration file`
    return [{ place: setting.origin.text, message }]
  })
}

/** Where a path really leads, as far as it is there: a link in the project may point out of it. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : resolve(realPath(parent), relative(parent, path))
  }
}
