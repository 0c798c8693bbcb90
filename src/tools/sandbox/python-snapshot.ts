import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from '../../files/cache-folder.ts'
import { PLOT_MODULE } from './child/python-plot.ts'
import { RUN_MODULE } from './child/python-run.ts'
import { MAX_START_MS } from './sandbox-limits.ts'

const underWay = new Set<string>()

/**
 * The memory of a Python that has just started, about 32 MB, from which another one starts in a tenth of the processor time;
 * `undefined` where there is none. Then it is made for later ones, beside the one that starts the long way. It belongs to the
 * user and not to a home, since nothing of any run is in it, and can be deleted at any time.
 */
export function pythonSnapshot(packageFolder: string): string | undefined {
  const folder = cacheFolder(process.env)
  if (folder === undefined) return undefined
  const path = join(folder, nameOf(packageFolder))
  if (existsSync(path)) return path
  if (!underWay.has(path)) makeSnapshot(path, packageFolder)
  return undefined
}

/** Removes one from which Python could not start, so that it is made anew. */
export function removeSnapshot(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Who may not remove it starts Python the long way each time.
  }
}

function nameOf(packageFolder: string): string {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
  const { version: node, arch } = process
  const made = JSON.stringify([packageFolder, version, node, arch, RUN_MODULE, PLOT_MODULE])
  return `python-${createHash('sha256').update(made).digest('hex').slice(0, 16)}.snapshot`
}

/** In a process of its own: Python cannot be unloaded. It runs nobody's code, and keeps nothing alive. */
function makeSnapshot(path: string, packageFolder: string): void {
  const maker = new URL(`./child/make-snapshot${extname(import.meta.url)}`, import.meta.url)
  underWay.add(path)
  const child = spawn(
    process.execPath,
    ['--no-warnings', fileURLToPath(maker), packageFolder, path],
    { env: {}, stdio: 'ignore', timeout: MAX_START_MS, windowsHide: true },
  )
  child.once('error', () => underWay.delete(path))
  child.once('close', () => underWay.delete(path))
  child.unref()
}
