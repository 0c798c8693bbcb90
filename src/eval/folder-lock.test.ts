import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FolderLock, lockFolder } from './folder-lock.ts'

type Liveness = 'alive' | 'dead' | 'unknown'
const ownerOf = (pid: number) => ({ bootId: 'boot', pid, processStart: '1' })
const party = (pid: number, livenessOf: (pid: number) => Liveness = () => 'alive') => ({
  owner: ownerOf(pid),
  livenessOf: (owner: { readonly pid: number }) => livenessOf(owner.pid),
})
const unseen = () => 'unknown' as const

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-lock-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})
const claims = () => readdirSync(folder).map((name) => join(folder, name))
/** Makes the only claim look as if it was last shown so long ago. */
const age = (ms: number) => {
  const then = (Date.now() - ms) / 1000
  utimesSync(claims()[0] as string, then, then)
}

describe('the lock of a folder', () => {
  it('is had by one of three processes that come upon a dead one, whenever they look', () => {
    writeFileSync(
      join(folder, 'lock-00000000-0000-4000-8000-000000000000'),
      JSON.stringify(ownerOf(9)),
    )
    const held: FolderLock[] = []
    const come = (pid: number, meanwhile: () => void) => {
      let isFirst = true
      try {
        const lock = lockFolder(
          folder,
          party(pid, (other) => {
            if (isFirst) {
              isFirst = false
              meanwhile()
            }
            return other === 9 ? 'dead' : 'alive'
          }),
        )
        held.push(lock)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_input' })
      }
    }
    come(1, () => come(2, () => come(3, () => {})))
    come(4, () => {})
    expect(held).toHaveLength(1)
    held[0]?.check()
    held[0]?.release()
    expect(claims()).toEqual([])
  })

  it('of a process that cannot be seen is left alone while it shows itself, and says how long', () => {
    const lock = lockFolder(folder, party(1))
    age(12_000)
    expect(() => lockFolder(folder, party(2, unseen))).toThrow(
      expect.objectContaining({
        message: 'Another process (1) is using this folder.',
        hint: expect.stringMatching(/cannot be seen from here; .* try again in 1[78] s/),
      }),
    )
    lock.check()
    lock.release()
  })

  it('of a process that cannot be seen is taken over when it has not shown for 30 s; it may write no more', () => {
    const first = lockFolder(folder, party(1))
    age(31_000)
    const second = lockFolder(folder, party(2, unseen))
    expect(() => first.check()).toThrow(expect.objectContaining({ code: 'fenced' }))
    // What the first lets go is not the second's.
    first.release()
    second.check()
    expect(() => lockFolder(folder, party(3))).toThrow('Another process (2)')
    second.release()
  })

  it('is shown every ten seconds until it is let go', () => {
    vi.useFakeTimers()
    const lock = lockFolder(folder, party(1))
    utimesSync(claims()[0] as string, 0, 0)
    vi.advanceTimersByTime(10_000)
    expect(statSync(claims()[0] as string).mtimeMs).toBeGreaterThan(0)
    lock.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is just being written is nobody’s to take', () => {
    writeFileSync(join(folder, 'lock-00000000-0000-4000-8000-000000000000'), '')
    expect(() =>
      lockFolder(
        folder,
        party(1, () => 'dead'),
      ),
    ).toThrow('Another process is using')
    expect(claims()).toHaveLength(1)
  })
})
