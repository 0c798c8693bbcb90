import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import type { Owner } from '../kernel/run/run-store.ts'
import { mapStoreFailure } from './durable-files.ts'

/** This process, and how it tells whether others are alive. */
export interface LockParty {
  readonly owner: Owner
  /** `unknown`: it cannot be seen from here, as in another container. */
  livenessOf(owner: Owner): 'alive' | 'dead' | 'unknown'
}

/** A folder that only this process works on. */
export interface FolderLock {
  /** @throws `fenced` if another process has taken the folder over because this one was silent for too long */
  check(): void
  release(): void
}

/** How long a process that cannot be seen counts as alive after its last sign. */
const leaseMs = 30_000
const showEveryMs = 10_000
const attempts = 3

/**
 * Locks a folder for this process. Each process that wants it writes a claim under its own name, then looks for others: of
 * two, at least one sees the other and withdraws. The claim of a dead process is removed, and that of an invisible process
 * after 30 s of silence.
 * @throws `invalid_input` while another process works on it
 */
export function lockFolder(folder: string, party: LockParty): FolderLock {
  const name = `lock-${randomUUID()}`
  const own = join(folder, name)
  const text = JSON.stringify(party.owner)
  for (let attempt = 1; ; attempt++) {
    mapStoreFailure(own, () => writeFileSync(own, text, { mode: 0o600, flag: 'wx' }))
    try {
      const others = listOthers(name, folder, party)
      const other = others.find(({ isOver }) => !isOver)
      if (other === undefined) {
        for (const { path } of others) rmSync(path, { force: true })
        return holdFolder(own, text)
      }
      if (attempt === attempts) throw isHeld(other)
    } catch (error) {
      rmSync(own, { force: true })
      throw error
    }
    rmSync(own, { force: true })
    // Two that came at the same time have both withdrawn; they retry at different times.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + (party.owner.pid % 64))
  }
}

/** Whether a file in a folder is a claim on it. */
export function isLockName(name: string): boolean {
  return /^lock-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
}

function holdFolder(own: string, text: string): FolderLock {
  const timer = setInterval(() => {
    try {
      writeFileSync(own, text, { flag: 'r+' })
    } catch {
      // The next write checks whether the folder is still this process's.
    }
  }, showEveryMs).unref()
  return {
    check: () => {
      if (existsSync(own)) return
      throw new ScholiumError('fenced', 'Another process has taken over this folder.', {
        hint: 'Run the same command again when it has ended.',
      })
    },
    release: () => {
      clearInterval(timer)
      rmSync(own, { force: true })
    },
  }
}

interface Claim {
  readonly path: string
  /** `undefined`: its file cannot be read, for instance while it is being written. */
  readonly owner: Owner | undefined
  readonly isUnseen: boolean
  /** Since its last sign. */
  readonly ageMs: number
  readonly isOver: boolean
}

function listOthers(name: string, folder: string, party: LockParty): readonly Claim[] {
  // By the medium's clock, which several machines may share.
  const nowMs = statSync(join(folder, name)).mtimeMs
  return readdirSync(folder)
    .filter((one) => isLockName(one) && one !== name)
    .flatMap((one) => readClaim(join(folder, one), nowMs, party) ?? [])
}

/** `undefined` if it was withdrawn in the meantime. */
function readClaim(path: string, nowMs: number, { livenessOf }: LockParty): Claim | undefined {
  const ageMs = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN)
  if (Number.isNaN(ageMs)) return undefined
  const owner = readOwner(path)
  const liveness = owner === undefined ? 'unknown' : livenessOf(owner)
  const isUnseen = liveness === 'unknown'
  const isOver = liveness === 'dead' || (isUnseen && ageMs >= leaseMs)
  return { path, owner, isUnseen, ageMs, isOver }
}

function readOwner(path: string): Owner | undefined {
  try {
    return ownerForm.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

const ownerForm = z.object({ bootId: z.string(), pid: z.number(), processStart: z.string() })

function isHeld({ owner, isUnseen, ageMs }: Claim): ScholiumError {
  const who = owner === undefined ? 'Another process' : `Another process (${owner.pid})`
  const leftSeconds = Math.ceil((leaseMs - ageMs) / 1000)
  const gone = `if it is gone already, try again in ${leftSeconds} s`
  return new ScholiumError('invalid_input', `${who} is using this folder.`, {
    hint: `Wait until it has ended${isUnseen ? ` (it cannot be seen from here; ${gone})` : ''}, or choose another folder with --out.`,
  })
}
