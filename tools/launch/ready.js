import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  installedOwnNode,
  isSupportedNode,
  minimumNode,
  ownNodePath,
} from '../../bin/node-version.js'
import { withInstallLock } from './install-lock.js'
import { forgetInstall, isInstalled, markInstalled } from './installed.js'
import { installLocked } from './npm.js'
import { knownCause, SetupError } from './setup-error.js'

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes this checkout ready: a Node that is new enough, and the dependencies. What is missing is installed, with progress
 * on stderr. Gives the path of the Node to run.
 *
 * @throws {SetupError} when something could not be installed.
 */
export async function makeReady() {
  const node = await readyNode()
  await install({
    folder: root,
    doing: 'installing dependencies',
    node,
    isReady: () => isInstalled(root),
  })
  return node
}

/**
 * Installs what a tool of its own folder under `tools` needs, on first use.
 *
 * @param {string} name of the folder
 * @param {string} doing as in "fetching TypeDoc"
 * @returns its path
 * @throws {SetupError} when it could not be installed
 */
export async function makeToolReady(name, doing) {
  const folder = join(root, 'tools', name)
  const node = await readyNode()
  await install({ folder, doing, node, isReady: () => isInstalled(folder) })
  return folder
}

async function readyNode() {
  if (isSupportedNode(process.versions.node)) return process.execPath
  if (ownNodePath() === undefined) throw noNodeError('npm has none for this machine')
  const folder = join(root, 'tools', 'node')
  await install({
    folder,
    doing: `fetching a newer Node than ${process.versions.node} (about 200 MB, for Scholium alone)`,
    node: process.execPath,
    isReady: () => installedOwnNode() !== undefined && isInstalled(folder),
    check: checkOwnNode,
  })
  return /** @type {string} */ (installedOwnNode())
}

/**
 * @param {object} wanted
 * @param {string} wanted.folder
 * @param {string} wanted.doing
 * @param {string} wanted.node
 * @param {() => boolean} wanted.isReady
 * @param {(output: string) => void} [wanted.check] throws when what npm installed, saying `output`, does not work.
 */
async function install({ folder, doing, node, isReady, check }) {
  if (isReady()) return
  await withInstallLock(root, async (addHolder) => {
    // Another start may have installed it while this one waited for the lock.
    if (isReady()) return
    try {
      const output = await installLocked({ folder, doing, node, onStart: addHolder })
      check?.(output)
    } catch (error) {
      forgetInstall(folder)
      throw error
    }
    markInstalled(folder)
  })
}

/** @param {string} output */
function checkOwnNode(output) {
  const path = installedOwnNode()
  if (path !== undefined && spawnSync(path, ['--version']).status === 0) return
  const fallback = path === undefined ? 'npm did not install it' : 'it does not run here'
  throw noNodeError(knownCause(output)?.reason ?? fallback, output)
}

/**
 * @param {string} reason
 * @param {string} [output]
 */
function noNodeError(reason, output = '') {
  const problem = `Scholium needs Node ${minimumNode} or newer; this is ${process.versions.node}`
  return new SetupError(`${problem}. A newer one could not be fetched: ${reason}.`, {
    hint: "Install a newer Node (nodejs.org, or your system's packages), then run the same command again.",
    output,
    exitCode: 2,
  })
}
