import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  installedOwnNode,
  isSupportedNode,
  minimumNode,
  ownNodePath,
} from '../../bin/node-version.js'
import { withInstallLock } from './install-lock.js'
import { isInstalled, markInstalled } from './installed.js'
import { installLocked } from './npm.js'
import { SetupError } from './setup-error.js'

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes this checkout ready: a Node that is new enough and the dependencies that `scope` asks for. What is missing is
 * installed, with progress on stderr. Gives the path of the Node to run.
 *
 * @param {import('./installed.js').Scope} scope
 * @throws {SetupError} when something could not be installed.
 */
export async function makeReady(scope) {
  const node = await readyNode()
  await install({
    folder: root,
    scope,
    doing: 'installing dependencies',
    node,
    isReady: () => isInstalled(root, scope),
  })
  return node
}

async function readyNode() {
  if (isSupportedNode(process.versions.node)) return process.execPath
  if (ownNodePath() === undefined) throw noNodeError('there is none for this machine')
  const folder = join(root, 'tools', 'node')
  await install({
    folder,
    scope: 'all',
    doing: `fetching a newer Node than ${process.versions.node} (about 200 MB, for Scholium alone)`,
    node: process.execPath,
    isReady: () => installedOwnNode() !== undefined && isInstalled(folder, 'all'),
    check: checkOwnNode,
  })
  return installedOwnNode() ?? refuseOwnNode('npm did not install it')
}

/**
 * @param {object} wanted
 * @param {string} wanted.folder
 * @param {import('./installed.js').Scope} wanted.scope
 * @param {string} wanted.doing
 * @param {string} wanted.node
 * @param {() => boolean} wanted.isReady
 * @param {() => void} [wanted.check] throws when what was installed does not work.
 */
async function install({ folder, scope, doing, node, isReady, check }) {
  if (isReady()) return
  await withInstallLock(root, async (addHolder) => {
    // Another start may have installed it while this one waited for the lock.
    if (isReady()) return
    await installLocked({ folder, doing, withDev: scope === 'all', node, onStart: addHolder })
    check?.()
    markInstalled(folder, scope)
  })
}

function checkOwnNode() {
  const path = installedOwnNode()
  if (path === undefined) refuseOwnNode('npm did not install it')
  else if (spawnSync(path, ['--version']).status !== 0) refuseOwnNode('it does not run here')
}

/**
 * @param {string} reason
 * @returns {never}
 */
function refuseOwnNode(reason) {
  rmSync(join(root, 'tools', 'node', 'node_modules'), { recursive: true, force: true })
  throw noNodeError(reason)
}

/** @param {string} reason */
function noNodeError(reason) {
  const problem = `Scholium needs Node ${minimumNode} or newer; this is ${process.versions.node}`
  return new SetupError(`${problem}, and of the ones on npm ${reason}.`, {
    hint: "Install a newer Node (nodejs.org, or your system's packages), then run the same command again.",
    exitCode: 2,
  })
}
