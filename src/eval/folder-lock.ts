import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import type { Owner } from '../kernel/run/run-store.ts'
import { storing } from './durable-files.ts'

/** This process, and what it can say of another. */
export interface LockParty {
  readonly owner: Owner
  /** `unknown`: it cannot be seen from here, as one of another container. */
  livenessOf(owner: Owner): 'alive' | 'dead' | 'unknown'
}

/** A folder on which this process alone works. */
export interface FolderLock {
  /** @throws `fenced` where another process has taken the folder over, since this one did not show for too long */
  check(): void
  release(): void
}

/** How long a process that cannot be seen counts as alive after it last showed. */
const leaseMs = 30_000
const showEveryMs = 10_000
const attempts = 3

/**
 * Has this process alone work on a folder. Each process that wants to writes a claim under a name of its own, and looks for
 * others afterwards: of two at least one sees the other, and who sees one withdraws. The claim of a dead process is removed, of
 * one that cannot be seen when it has not shown for 30 s.
 * @throws `invalid_input` while another process works on it
 */
export function lockFolder(folder: string, party: LockParty): FolderLock {
  const name = `lock-${randomUUID()}`
  const own = join(folder, name)
  const text = JSON.stringify(party.owner)
  for (let attempt = 1; ; attempt++) {
    storing(own, () => writeFileSync(own, text, { mode: 0o600, flag: 'wx' }))
    try {
      const others = othersThan(name, folder, party)
      const other = others.find(({ isOver }) => !isOver)
      if (other === undefined) {
        for (const { path } of others) rmSync(path, { force: true })
        return held(own, text)
      }
      if (attempt === attempts) throw isHeld(other)
    } catch (error) {
      rmSync(own, { force: true })
      throw error
    }
    rmSync(own, { force: true })
    // Two that came at once have both withdrawn: they come again at different times.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + (party.owner.pid % 64))
  }
}

/** Whether a file of a folder is a claim on it. */
export function isLockName(name: string): boolean {
  return /^lock-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name)
}

function held(own: string, text: string): FolderLock {
  const timer = setInterval(() => {
    try {
      writeFileSync(own, text, { flag: 'r+' })
    } catch {
      // Whether the folder is still this process's is looked at before the next line is written.
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
  /** `undefined`: its file cannot be read, as in the moment in which it is written. */
  readonly owner: Owner | undefined
  readonly isUnseen: boolean
  /** Since it last showed. */
  readonly ageMs: number
  readonly isOver: boolean
}

function othersThan(name: string, folder: string, party: LockParty): readonly Claim[] {
  // By the clock of the medium, which several machines may share.
  const nowMs = statSync(join(folder, name)).mtimeMs
  return readdirSync(folder)
    .filter((one) => isLockName(one) && one !== name)
    .flatMap((one) => claimAt(join(folder, one), nowMs, party) ?? [])
}

/** `undefined` where it was withdrawn in the meantime. */
function claimAt(path: string, nowMs: number, { livenessOf }: LockParty): Claim | undefined {
  const ageMs = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN)
  if (Number.isNaN(ageMs)) return undefined
  const owner = ownerIn(path)
  const liveness = owner === undefined ? 'unknown' : livenessOf(owner)
  const isUnseen = liveness === 'unknown'
  const isOver = liveness === 'dead' || (isUnseen && ageMs >= leaseMs)
  return { path, owner, isUnseen, ageMs, isOver }
}

function ownerIn(path: string): Owner | undefined {
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
