import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const waitMs = 200
const noticeMs = 2_000
/** Longer than two installs at their time limit: an older lock was left behind, whoever's process ids it names. */
const oldestMs = 30 * 60_000
const takeOverLimitMs = 10_000

/**
 * Runs `work` while no other process installs into `root` or writes its bundle, and gives its result. The lock names the
 * processes that hold it; when all of them are gone (killed, say) the next one takes it over. `work` gets a function that
 * adds a process to the holders: npm lives on when its starter is killed, and the lock must live as long.
 *
 * @template Result
 * @param {string} root
 * @param {(addHolder: (pid: number) => void) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withInstallLock(root, work) {
  const path = join(root, 'tools', '.install.lock')
  const holders = [process.pid]
  const text = () => JSON.stringify({ host: hostname(), pids: holders })
  await acquire(path, text())
  try {
    return await work((pid) => {
      holders.push(pid)
      writeFileSync(path, text())
    })
  } finally {
    rmSync(path, { force: true })
  }
}

/**
 * @param {string} path
 * @param {string} text
 */
async function acquire(path, text) {
  const startedMs = Date.now()
  let isTold = false
  while (!tryCreate(path, text)) {
    const held = readLock(path)
    if (held !== undefined && isAbandoned(held)) takeOver(path, held.text)
    else await sleep(waitMs)
    if (!isTold && Date.now() - startedMs > noticeMs) {
      isTold = true
      process.stderr.write(
        `scholium: waiting for another start to finish its preparations (${path})\n`,
      )
    }
  }
}

/**
 * @param {string} path
 * @param {string} text
 */
function tryCreate(path, text) {
  try {
    writeFileSync(path, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** @param {string} path */
function readLock(path) {
  try {
    return { text: readFileSync(path, 'utf8'), ageMs: Date.now() - statSync(path).mtimeMs }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** @param {{text: string, ageMs: number}} held */
function isAbandoned({ text, ageMs }) {
  if (ageMs > oldestMs) return true
  const holder = parseHolder(text)
  return holder !== undefined && holder.host === hostname() && !holder.pids.some(isAlive)
}

/**
 * Who holds a lock; `undefined` while its text is being written.
 *
 * @param {string} text
 * @returns {{host: string, pids: number[]} | undefined}
 */
function parseHolder(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Removes a lock that still has the text it was judged by. One process at a time may do so, or a second one could
 * remove the lock that the first has just made anew.
 *
 * @param {string} path
 * @param {string} text
 */
function takeOver(path, text) {
  const guard = `${path}.takeover`
  try {
    mkdirSync(guard)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    removeOldGuard(guard)
    return
  }
  try {
    if (readLock(path)?.text === text) rmSync(path, { force: true })
  } finally {
    rmdirSync(guard)
  }
}

/** @param {string} guard */
function removeOldGuard(guard) {
  const made = statSync(guard, { throwIfNoEntry: false })
  if (made !== undefined && Date.now() - made.mtimeMs > takeOverLimitMs) {
    rmSync(guard, { recursive: true, force: true })
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code
}
