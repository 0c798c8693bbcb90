import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The file of `dist` that says what it was bundled from. */
export const stampName = 'sources.txt'

/** What a bundle is made from. The packages in it are those that the lock file names. */
const inputFiles = ['package.json', 'package-lock.json']
const inputFolders = ['src', 'tools/bundle', 'web']
const isInput = /(?<!\.test)\.(?:tsx?|js|md|css|html|svg)$/

/** `npm start` asks, and then the launcher, which it runs in its own process. */
const foundFresh = new Set()

/**
 * Whether `dist` in the checkout at `root` was bundled from its present sources. Takes about 10 ms; once true it stays so for
 * this process.
 *
 * @param {string} root
 */
export function isBundleFresh(root) {
  if (foundFresh.has(root)) return true
  try {
    const isFresh = readFileSync(join(root, 'dist', stampName), 'utf8') === sourceStamp(root)
    if (isFresh) foundFresh.add(root)
    return isFresh
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return false
    throw error
  }
}

/**
 * The path, size and modification time of every source. Not hashed: comparing the text takes less than loading `node:crypto`.
 *
 * @param {string} root
 */
export function sourceStamp(root) {
  const folders = inputFolders.filter((folder) => existsSync(join(root, folder)))
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => isInput.test(path))
      .map((path) => join(folder, path)),
  )
  const lines = [...inputFiles, ...paths].map((path) => {
    const { size, mtimeMs } = statSync(join(root, path))
    return `${path} ${size} ${mtimeMs}\n`
  })
  return lines.sort().join('')
}
