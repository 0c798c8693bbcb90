import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a Chromium is: `SCHOLIUM_CHROMIUM`, or the first of its names on the PATH; `undefined` where there is none. */
export function findChromium(): string | undefined {
  const { SCHOLIUM_CHROMIUM: named, PATH = '' } = process.env
  if (named !== undefined && named !== '') return named
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const paths = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  return paths.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
