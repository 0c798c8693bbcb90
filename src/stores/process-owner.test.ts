import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkLiveness, currentOwner, startFromPs, startFromStat } from './process-owner.ts'

const hasPs = existsSync('/bin/ps') || existsSync('/usr/bin/ps')

describe('the owner of a run', () => {
  it('is alive while its process runs, and the same each time it is asked for', () => {
    expect(checkLiveness(currentOwner())).toBe('alive')
    expect(currentOwner()).toEqual(currentOwner())
  })

  it('is dead as soon as its process was killed', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      stdio: 'ignore',
    })
    await once(child, 'spawn')
    const { bootId } = currentOwner()
    const childOwner = { bootId, pid: child.pid as number, processStart: 'another' }
    expect(checkLiveness(childOwner)).toBe(process.platform === 'win32' ? 'unknown' : 'dead')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(checkLiveness(childOwner)).toBe('dead')
  })

  it.skipIf(process.platform === 'win32')('is not a later process under the same number', () => {
    expect(checkLiveness({ ...currentOwner(), processStart: '1' })).toBe('dead')
  })

  it('cannot be judged from another machine', () => {
    expect(checkLiveness({ ...currentOwner(), bootId: 'another boot' })).toBe('unknown')
    expect(checkLiveness({ ...currentOwner(), bootId: 'another boot' })).not.toBe('alive')
  })
})

describe('the start of a process', () => {
  it('is read after a command with blanks and parentheses', () => {
    const fields = Array.from({ length: 50 }, (_, index) => String(index + 3))
    const rest = fields.slice(1).join(' ')
    expect(startFromStat(`7 (a) b) S ${rest}`)).toBe('22')
    expect(startFromStat(`7 (a) b) Z ${rest}`)).toBeUndefined()
  })

  it.skipIf(!hasPs)(
    'is read from ps, and absent for a process that is not there (needs ps)',
    () => {
      expect(startFromPs(process.pid)).toMatch(/\d{4}$/)
      expect(startFromPs(99_999_999)).toBeUndefined()
    },
  )
})
