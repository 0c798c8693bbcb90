import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { toFrame } from './read-frames.ts'
import { ReadProcess, startReadProcess } from './read-process.ts'

const bytes = new Uint8Array()
const request = {
  bytes,
  kind: 'pdf',
  contentHash: sha256(bytes),
  path: '/a.pdf',
  fallbackTitle: 'a',
  timeoutMs: 20_000,
} as const
const never = new AbortController().signal

const unreadable = { reason: 'no_text', detail: 'It is empty.', hint: 'Fill it.' }
const done = { type: 'done', reading: { ok: false, unreadable } }
/** JavaScript that says this to the parent. */
const say = (head: object) =>
  `process.stdout.write(Buffer.from('${Buffer.concat(toFrame(head)).toString('hex')}', 'hex'));`
const begin = say({ type: 'begun' })

async function refusalBy(script: string, timeoutMs = 20_000) {
  const process = new ReadProcess(spawnScript(script))
  const { reading, hasBegun } = await process.read({ ...request, timeoutMs }, never)
  const { isAlive } = process
  await process.kill()
  return { isAlive, hasBegun, ...(reading.ok ? {} : reading.unreadable) }
}

function spawnScript(script: string) {
  const args = ['--max-old-space-size=32', '-e', `${script};process.stdin.resume()`]
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
}

describe('one file in a process', () => {
  it.each<[what: string, script: string, outcome: object]>([
    [
      'that ends is refused by that',
      `${begin} process.exit(3)`,
      { reason: 'reader_died', detail: 'The process that read it ended with code 3.' },
    ],
    [
      'that is killed is refused by that',
      `${begin} process.kill(process.pid, 'SIGKILL')`,
      { reason: 'reader_died', detail: expect.stringContaining('ran out of memory') },
    ],
    [
      'that V8 gives up is too large',
      `${begin} const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length + 0.5))`,
      { reason: 'too_large', detail: 'Reading it takes more than 768 MB of memory.' },
    ],
    [
      'that fills memory outside the heap is too large',
      `${begin} const kept = []; setInterval(() => kept.push(Buffer.alloc(64_000_000, 1)), 5)`,
      { reason: 'too_large', detail: 'Reading it takes more than 768 MB of memory.' },
    ],
    [
      'that claims a text without end is too large',
      "process.stdout.write(Buffer.from('02000000ffffffff7b7d', 'hex'))",
      { reason: 'too_large' },
    ],
    [
      'that says what no reader says is broken',
      say({ type: 'done', reading: { ok: true, content: { title: 'x', pages: [{ start: 9 }] } } }),
      { reason: 'broken' },
    ],
    [
      'that says what is no JSON is broken',
      "process.stdout.write(Buffer.from('02000000000000007b7b', 'hex'))",
      { reason: 'broken' },
    ],
  ])('%s', async (_, script, outcome) => {
    expect(await refusalBy(script)).toMatchObject({ isAlive: false, ...outcome })
  })

  it('is timed out when it never answers', async () => {
    expect(await refusalBy(`${begin} setImmediate(() => { for (;;); })`, 300)).toMatchObject({
      reason: 'timed_out',
      isAlive: false,
    })
  })

  it('is not timed out by a machine that is slow to start its process', async () => {
    const script = `setTimeout(() => { ${begin} }, 500); setTimeout(() => { ${say(done)} }, 600)`
    expect(await refusalBy(script, 300)).toMatchObject({ reason: 'no_text', isAlive: true })
  })

  it('gets more time when it asks for it', async () => {
    const script = `${begin} ${say({ type: 'time', limitMs: 20_000 })} setTimeout(() => { ${say(done)} }, 900)`
    expect(await refusalBy(script, 500)).toMatchObject({ reason: 'no_text', isAlive: true })
  })

  it('is not begun when its process ends before', async () => {
    expect(await refusalBy('process.exit(0)')).toMatchObject({ hasBegun: false })
  })

  it('fails with the reason of the signal', async () => {
    const reason = new Error('stopped')
    const stop = new AbortController()
    const running = new ReadProcess(spawnScript('for (;;);')).read(request, stop.signal)
    stop.abort(reason)
    await expect(running).rejects.toBe(reason)
  })

  it('is answered by the true process', async () => {
    const process = startReadProcess()
    const { reading } = await process.read(request, never)
    expect(reading).toMatchObject({ ok: false, unreadable: { reason: 'broken' } })
    expect(process.isAlive).toBe(true)
    await process.kill()
  })
})
