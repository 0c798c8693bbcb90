import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { stampName } from './freshness.js'

/** For so long a process that runs from an older bundle can still load parts of it. */
const keptChunkMs = 24 * 3_600_000

/**
 * Puts files into `dist` at `root`. Each appears whole, chunks before what imports them and the stamp last: a process that
 * starts meanwhile gets one bundle or the other. Chunks of older bundles stay for a day.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, string | Uint8Array>} files contents by path from `dist`
 * @param {string} stamp of the sources that they were made from
 */
export function writeDist(root, files, stamp) {
  const folder = join(root, 'dist')
  const paths = [...files.keys()]
  rmSync(join(folder, stampName), { force: true })
  for (const path of [...paths.filter(isChunk), ...paths.filter((path) => !isChunk(path))]) {
    replaceFile(join(folder, path), /** @type {string | Uint8Array} */ (files.get(path)))
  }
  replaceFile(join(folder, stampName), stamp)
  const oldestMs = Date.now() - keptChunkMs
  removeFiles(folder, (path) => {
    return isChunk(path) && !files.has(path) && statSync(join(folder, path)).mtimeMs < oldestMs
  })
}

/**
 * Removes from `dist` at `root` whatever is not among `files`: chunks of older bundles too.
 *
 * @param {string} root
 * @param {ReadonlyMap<string, string | Uint8Array>} files contents by path from `dist`
 */
export function removeOthers(root, files) {
  removeFiles(join(root, 'dist'), (path) => !files.has(path) && path !== stampName)
}

/** @param {string} path */
function isChunk(path) {
  return path.startsWith('chunks/')
}

/**
 * @param {string} path
 * @param {string | Uint8Array} content
 */
function replaceFile(path, content) {
  const partial = `${path}.${process.pid}.part`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(partial, content)
  renameSync(partial, path)
}

/**
 * @param {string} folder
 * @param {(path: string) => boolean} isGone gets a path from the folder, with forward slashes
 */
function removeFiles(folder, isGone) {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, entry)
    if (statSync(path).isFile() && isGone(entry.replaceAll(sep, '/'))) rmSync(path)
  }
}
