import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withLimits } from '../../src/kernel/index.ts'
import { resolveMaxLogBytes } from '../../src/kernel/limits/log-limit.ts'
import { createMemoryStore } from '../../src/testing/index.ts'
import { parseDocument, runDocument, testParts } from '../agents/run-document.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { type Body, useRuns } from '../kernel/runs.ts'

const maxLogBytes = 100_000

describe('a limit on the log', () => {
  const current = useRuns()
  let done = 0

  /** Ten steps, each of which records as many bytes. */
  function stepsOf(bytes: number, path = ''): Body {
    return async (context) => {
      const place = path === '' ? context : await withLimits(context, path, { maxSteps: 50 })
      for (let index = 0; index < 10; index++)
        await place.step(`step[${index}]`, 'read', index, async () => {
          done++
          return String(index).repeat(bytes)
        })
      return 'all'
    }
  }

  it('lets no step begin once so much is recorded, and says how to continue', async () => {
    done = 0
    await expect(
      current().start(stepsOf(30_000), { limits: { maxLogBytes } }),
    ).rejects.toMatchObject({
      code: 'limit_reached',
      message: expect.stringMatching(
        /^The limit on megabytes of the log was reached\. Used: 0\.12\d+ of 0\.1, left: 0\.$/,
      ),
      hint: 'To continue with a higher limit: scholium resume run --max-log-mb 1',
      details: { limit: 'maxLogBytes' },
    })
    expect(done).toBe(4)
    expect((await current().log()).slice(-2)).toEqual([
      'limit.reached test/step[4]',
      'run.suspended',
    ])
  })

  it('counts what earlier executions recorded, and not again what they did', async () => {
    done = 0
    const limits = { maxLogBytes }
    const body = stepsOf(30_000)
    await expect(current().start(body, { limits })).rejects.toThrow('of the log')
    await expect(current().resume(body, {})).rejects.toThrow('of the log')
    expect(done).toBe(4)
    const more = { limits: { maxLogBytes: 200_000 } }
    await expect(current().resume(body, more)).rejects.toThrow('Used: 0.21')
    expect(done).toBe(7)
    expect(await current().resume(body, { limits: { maxLogBytes: 900_000 } })).toBe('all')
    expect(done).toBe(10)
    expect((await current().replay(body)).result.value).toBe('all')
  })

  it('is that of the run in all its parts, and holds in memory too', async () => {
    const changes = { limits: { maxLogBytes }, store: createMemoryStore() }
    const start = current().start(stepsOf(30_000, 'part'), changes)
    await expect(start).rejects.toThrow('Used: 0.12')
  })

  it('counts a text that is recorded twice once', async () => {
    const body: Body = async (context) => {
      for (let index = 0; index < 30; index++)
        await context.step(`step[${index}]`, 'read', index, async () => 'same '.repeat(5_000))
      return 'all'
    }
    expect(await current().start(body, { limits: { maxLogBytes } })).toBe('all')
  })

  it('holds where nobody set one', () => {
    expect([{}, { maxSteps: 1 }, { maxLogBytes: 5 }].map(resolveMaxLogBytes)).toEqual([
      256_000_000, 256_000_000, 5,
    ])
  })
})

/** As a file of somebody else may be written: it would record 30 GB. */
const filling = `
name: fill
config: {max_steps: 100000}
initial_state: {n: 0, text: "0123456789"}
nodes:
  - name: grow
    run: {type: expression, value: "(state.n ~ ' ' ~ state.text ~ state.text)[:300000]", output_key: text}
  - name: count
    run: {type: expression, value: "state.n + 1", output_key: n}
    goto: [{if: "state.n < 100000", to: grow}, {to: __end__}]
`

describe('an agent file that fills the disk', () => {
  const cli = new CommandLine()
  beforeAll(() => cli.write('fill.yaml', filling))
  afterAll(() => cli.remove())
  it('is stopped with the state it had, and continues with more', async () => {
    const stopped = await cli.run(['run', 'fill.yaml', '--max-log-mb', '3', '--json'])
    expect(stopped.exitCode).toBe(3)
    const { runId, ...partial } = jsonOf(stopped)
    expect(partial).toMatchObject({
      status: 'partial',
      stopReason: 'limit',
      gaps: [{ kind: 'limit', detail: expect.stringContaining('megabytes of the log') }],
      failure: { hint: `To continue with a higher limit: scholium resume ${runId} --max-log-mb 6` },
    })
    const { n } = partial.state
    expect(n).toBeGreaterThan(20)
    expect(n).toBeLessThan(40)
    const replay = await cli.run(['replay', runId, '--json'])
    expect([replay.exitCode, jsonOf(replay).isIdentical]).toEqual([0, true])
    const more = jsonOf(await cli.run(['resume', runId, '--max-log-mb', '6', '--json']))
    expect(more).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(more.state.n).toBeGreaterThan(n + 5)
  })

  it('ends when its time is up', async () => {
    const late = jsonOf(await cli.run(['run', 'fill.yaml', '--max-seconds', '1', '--json']))
    expect(late).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(late.gaps[0].detail).toContain('The limit on time was reached.')
  })

  it('ends when it is told to', async () => {
    const signal = AbortSignal.timeout(200)
    const run = runDocument(await parseDocument(filling), {}, testParts(), { signal })
    await expect(run).rejects.toMatchObject({ code: 'cancelled' })
  })
})
