import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @typedef {{version?: string, integrity?: string, devOptional?: boolean, optional?: boolean}} Package */

/**
 * Whether `node_modules` in `folder` holds what its lock file asks for: either the marker of an install made by these
 * tools says so, or npm's own record of what it installed does (somebody ran `npm ci` by hand).
 *
 * @param {string} folder
 */
export function isInstalled(folder) {
  const lock = readIfThere(lockPath(folder))
  const record = readIfThere(recordPath(folder))
  if (lock === undefined || record === undefined) return false
  const marker = readIfThere(markerPath(folder))
  if (marker === markerText(lock, record)) return true
  const wanted = packagesOf(lock)
  const installed = packagesOf(record)
  return wanted !== undefined && installed !== undefined && covers(wanted, installed)
}

/**
 * Notes that npm has installed the present lock file in `folder`.
 *
 * @param {string} folder
 */
export function markInstalled(folder) {
  const lock = readFileSync(lockPath(folder), 'utf8')
  const record = readFileSync(recordPath(folder), 'utf8')
  writeFileSync(markerPath(folder), markerText(lock, record))
}

/**
 * Makes an install that failed count as none: npm may have noted it as done.
 *
 * @param {string} folder
 */
export function forgetInstall(folder) {
  rmSync(recordPath(folder), { force: true })
}

/**
 * Changes with the lock file (packages were added or updated) and with npm's record (somebody ran `npm prune`).
 *
 * @param {string} lock
 * @param {string} record
 */
function markerText(lock, record) {
  return `${hash(lock)} ${hash(record)}\n`
}

/**
 * @param {Record<string, Package>} wanted
 * @param {Record<string, Package>} installed
 */
function covers(wanted, installed) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const found = installed[path]
    if (found === undefined) return entry.optional === true || entry.devOptional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

/**
 * The packages of a lock file; `undefined` when it is damaged, which npm then reports better than we could.
 *
 * @param {string} text
 * @returns {Record<string, Package> | undefined}
 */
function packagesOf(text) {
  try {
    return JSON.parse(text).packages
  } catch {
    return undefined
  }
}

/** @param {string} path */
function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** @param {string} text */
function hash(text) {
  return createHash('sha256').update(text).digest('hex')
}

/** @param {string} folder */
function lockPath(folder) {
  return join(folder, 'package-lock.json')
}

/** @param {string} folder */
function recordPath(folder) {
  return join(folder, 'node_modules', '.package-lock.json')
}

/** @param {string} folder */
function markerPath(folder) {
  return join(folder, 'node_modules', '.scholium-install')
}
