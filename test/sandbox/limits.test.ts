import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/tools/sandbox/sandbox.ts'
import { childrenOf, eventually, isRunning } from './children.ts'

const sandbox = createSandbox({ limits: { wallMs: 1_500 } })
const never = new AbortController().signal
// A run that meets its limit ends its process also in a session, which starts no spare one.
const session = sandbox.openSession()
/** For code that has to end by itself, however slow the machine is. */
const patient = createSandbox({ limits: { wallMs: 60_000 } })
const patientSession = patient.openSession()
const run = (code: string, signal = never) => session.run({ language: 'python', code }, signal)
const runThrough = (code: string) => patientSession.run({ language: 'python', code }, never)
const runLua = (code: string, inside: Sandbox, signal = never) =>
  inside.run({ language: 'lua', code }, signal)

afterAll(async () => {
  await sandbox.close()
  await patient.close()
})

describe('the limits of a sandbox', () => {
  it('cut what is printed in the middle', async () => {
    const { output } = await runThrough('for i in range(50_000): print(i)')
    expect(output.length).toBeLessThan(66_000)
    expect(output).toMatch(/^0\n1\n2\n[\s\S]*\n… \d+ bytes cut …\n[\s\S]*\n49999\n$/)
  }, 90_000)

  it('cut a long value in the middle', async () => {
    const { value } = await runThrough('"a" * 10_000_000 + "z"')
    expect(value).toMatch(/^a+\n… 9983617 characters cut …\na+z$/)
  }, 90_000)

  // After those that leave their interpreter as it was: Python takes seconds to start.
  it.each([
    ['a loop', 'while True: pass'],
    ['a loop in C', 'sum(range(10 ** 13))'],
    ['a number', 'x = 10 ** 10 ** 9'],
    ['a regular expression', 'import re; re.match("(a+)+$", "a" * 40 + "b")'],
  ])(
    'end %s without end, and keep what was printed',
    async (_, code) => {
      const { output, error } = await run(`print("before")\n${code}`)
      expect(error).toMatchObject({
        type: 'TimeLimitExceeded',
        message: expect.stringMatching('1.5'),
      })
      expect(output).toBe('before\n')
    },
    90_000,
  )

  it.each([
    // Which of the two notices first, the interpreter or who watches it from outside, is a matter of time.
    [
      'lists',
      'kept = []\nwhile True: kept.append(bytearray(10_000_000))',
      ['MemoryError', 'MemoryLimitExceeded'],
    ],
    [
      'files',
      'f = open("/tmp/f", "wb")\nwhile True: f.write(b"x" * 20_000_000)',
      ['MemoryLimitExceeded'],
    ],
  ])(
    'end %s that fill the memory',
    async (_, code, types) => {
      const roomy = createSandbox({ limits: { wallMs: 60_000 }, spareMs: 0 })
      const { error } = await roomy.run({ language: 'python', code }, never)
      expect(error?.type).toBeOneOf(types)
      expect(error?.message).toMatch('512 MB')
    },
    90_000,
  )

  it('let two run at once', async () => {
    const code = 'const start = Date.now(); while (Date.now() - start < 500); [start, Date.now()]'
    const alone = createSandbox({ spareMs: 0 })
    const results = await Promise.all(
      Array.from({ length: 4 }, () => alone.run({ language: 'javascript', code }, never)),
    )
    const spans = results.map(({ value }) => value as [number, number])
    for (const [start] of spans) {
      expect(spans.filter(([from, to]) => from <= start && start < to).length).toBeLessThan(3)
    }
  }, 120_000)
})

describe.skipIf(process.platform !== 'linux')('the processes of a sandbox (needs /proc)', () => {
  it('end with a run that is cancelled', async () => {
    const own = createSandbox({ spareMs: 0 })
    const before = childrenOf(process.pid)
    const cancel = new AbortController()
    const running = runLua('while true do end', own, cancel.signal)
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid))
    expect(await eventually(() => started().length === 1)).toBe(true)
    cancel.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
    expect(started()).toEqual([])
  }, 90_000)

  it('end with the sandbox, and with the time of a spare one', async () => {
    const before = childrenOf(process.pid)
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid))
    const own = createSandbox({ spareMs: 1_000 })
    await runLua('1', own)
    expect(started()).toHaveLength(1)
    expect(await eventually(() => started().length === 0)).toBe(true)
    await runLua('1', own)
    await own.close()
    expect(started()).toEqual([])
    await expect(runLua('1', own)).rejects.toMatchObject({ code: 'cancelled' })
  }, 90_000)

  it('end soon after the process that started them was killed', async () => {
    const program = fileURLToPath(new URL('killed-parent.ts', import.meta.url))
    const parent = spawn(process.execPath, ['--no-warnings', program], { stdio: 'pipe' })
    await new Promise((resolve) => parent.stdout.once('data', resolve))
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [spare] = childrenOf(parent.pid as number)
    expect(spare).toBeDefined()
    const cleared = readFileSync(`/proc/${spare}/environ`, 'utf8')
    expect(cleared).not.toMatch(/PATH|HOME|NODE/)
    // A shell sets them before it becomes Node.
    const limits = () => readFileSync(`/proc/${spare}/limits`, 'utf8')
    expect(await eventually(() => /Max cpu time +30 +30 +seconds/.test(limits()))).toBe(true)
    expect(await eventually(() => /Max file size +0 +0 +bytes/.test(limits()))).toBe(true)
    const command = readFileSync(`/proc/${spare}/cmdline`, 'utf8').split('\0')
    expect(command).toContain('--permission')
    expect(command.filter((part) => part.startsWith('--allow-'))).toEqual([
      expect.stringMatching(/^--allow-fs-read=.*\/src\/tools\/sandbox\/child\/$/),
      expect.stringMatching(/^--allow-fs-read=.*\/wasmoon\/$/),
    ])
    parent.kill('SIGKILL')
    expect(await eventually(() => !isRunning(spare as number))).toBe(true)
  }, 90_000)
})
