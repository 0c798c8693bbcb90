import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { ScholiumError } from '../kernel/errors.ts'
import type { Owner } from '../kernel/run-store.ts'

/** This process, and whether another one still runs. */
export interface LockParty {
  readonly owner: Owner
  /** Whether an owner may still be at work. */
  mayLive(owner: Owner): boolean
}

/**
 * Has this process alone work on a folder, until what is returned is called. A lock that a dead process left is taken over.
 * @throws `invalid_input` while another process works on it
 */
export function lockFolder(path: string, { owner, mayLive }: LockParty): () => void {
  const own = `${path}.${owner.pid}`
  writeFileSync(own, JSON.stringify(owner), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (isLinked(own, path)) return () => rmSync(path, { force: true })
      const holder = holderOf(path)
      if (holder !== undefined && mayLive(holder)) throw isHeld(holder.pid)
      // Of several processes that find it dead, one takes it away; what it took is looked at, for it may be a new one.
      takeAway(path, `${own}.old`, mayLive)
    }
  } finally {
    rmSync(own, { force: true })
  }
  throw isHeld(holderOf(path)?.pid)
}

const attempts = 5

function isHeld(pid: number | undefined): ScholiumError {
  const who = pid === undefined ? 'Another process' : `Another process (${pid})`
  return new ScholiumError('invalid_input', `${who} works on this folder.`, {
    hint: 'Wait until it has ended, or name another folder with --out.',
  })
}

/** A link is made at once and whole, or not at all. */
function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** `undefined` where there is none, or none that can be read. */
function holderOf(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function takeAway(path: string, aside: string, mayLive: LockParty['mayLive']): void {
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const taken = holderOf(aside)
  if (taken !== undefined && mayLive(taken)) isLinked(aside, path)
  rmSync(aside, { force: true })
}
