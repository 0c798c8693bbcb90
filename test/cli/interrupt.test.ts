import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, type Started } from './command.ts'

const cli = new CommandLine()
/** Whether the model answers; when not, it never does. */
let answers = true
let isSlow = false
let model: ScriptedModel
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel(async (seen) => {
    if (!answers && seen.number % 2 === 1) return { hang: true }
    if (isSlow) await sleep(100)
    return team(seen)
  })
})
afterAll(async () => {
  await model.close()
  cli.remove()
})

/** Each time another question, so that no request of one run equals one of another. */
let asked = 0
const args = () => [
  'ask',
  `What does CRISPR stand for, for the ${++asked}. time?`,
  '--model',
  'openai-compatible:scripted',
]
const env = () => ({ OPENAI_BASE_URL: model.url })

/** Starts a question and waits until the model has been asked something that it does not answer. */
async function startUntilItHangs(...more: string[]): Promise<Started> {
  answers = false
  const before = model.requests.length
  const started = cli.start([...args(), ...more], { env: env() })
  const hangs = () => model.requests.slice(before).some(({ number }) => number % 2 === 1)
  while (!hangs()) await Promise.race([sleep(10), started.outcome.then(endedTooEarly)])
  answers = true
  return started
}

function endedTooEarly(outcome: unknown): never {
  throw new Error(`The command ended before it was interrupted: ${JSON.stringify(outcome)}`)
}

describe('Ctrl-C', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '(%s) leaves a run that can be resumed, and says how',
    async (signal) => {
      const { child, outcome } = await startUntilItHangs()
      child.kill(signal)
      const { exitCode, stdout, stderr } = await outcome
      expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
      const runId =
        /Interrupted\. Resume with: scholium resume (\S+) \(add --finish for the answer so far\)\n$/.exec(
          stderr,
        )?.[1] ?? ''
      expect(stderr).toContain(`Run ${runId}\n`)
      expect(jsonOf(await cli.run(['runs', 'list', '--json']))[0]).toMatchObject({
        runId,
        status: 'interrupted',
      })

      const done = new Map(model.answered)
      const resumed = await cli.run(['resume', runId, '--json'], { env: env() })
      expect(resumed.exitCode).toBe(0)
      expect(jsonOf(resumed)).toMatchObject({ runId, status: 'answered' })
      for (const [hash, times] of done) expect(model.answered.get(hash)).toBe(times)
      expect(await cli.run(['replay', runId])).toMatchObject({
        exitCode: 0,
        stdout: expect.stringMatching(/^identical: yes/),
      })
    },
  )

  it('is one JSON object with --json, with the id of the run; --finish ends that run without another call', async () => {
    const { child, outcome } = await startUntilItHangs('--json')
    child.kill('SIGINT')
    const ended = await outcome
    expect(ended.exitCode).toBe(130)
    const { runId, error } = jsonOf(ended)
    expect(error.code).toBe('cancelled')
    const before = model.requests.length
    const finish = ['resume', runId, '--finish']
    const finished = await cli.run([...finish, '--json'], { env: env() })
    expect(finished.exitCode).toBe(3)
    expect(jsonOf(finished)).toMatchObject({
      runId,
      status: 'unanswered',
      stopReason: 'ended_early',
    })
    expect(model.requests).toHaveLength(before)
    expect((await cli.run(finish, { env: env() })).stdout).toContain('The run was ended early.')
    expect((await cli.run(['replay', runId])).exitCode).toBe(0)
  })

  it('a second time ends the process at once with 130, whatever holds it up', async () => {
    const listen = new URL('../../src/cli/interrupts.ts', import.meta.url)
    const stuck = `
      const { listenForInterrupts } = await import('${listen}')
      listenForInterrupts(() => console.log('asked to stop'))
      setInterval(() => {}, 1000)
      console.log('ready')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', stuck])
    const ended = once(child, 'close')
    for (const line of ['ready', 'asked to stop']) {
      expect(String((await once(child.stdout, 'data'))[0])).toContain(line)
      child.kill('SIGINT')
    }
    const again = setInterval(() => child.kill('SIGINT'), 100)
    expect(await ended).toEqual([130, null])
    clearInterval(again)
  })

  it('that arrives twice at once, as under npm, is one', async () => {
    const listen = new URL('../../src/cli/interrupts.ts', import.meta.url)
    const twice = `
      const { listenForInterrupts } = await import('${listen}')
      const stop = listenForInterrupts(() => console.log('asked to stop'))
      process.emit('SIGINT')
      process.emit('SIGINT')
      stop()`
    const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', twice])
    expect([String(stdout), status]).toEqual(['asked to stop\n', 0])
  })

  it('is not needed where the reader of the stream goes away: the run stops quietly and can be resumed', async () => {
    isSlow = true
    const { child, outcome } = cli.start([...args(), '--output-format', 'stream-json'], {
      env: env(),
    })
    const [first] = await once(child.stdout as Readable, 'data')
    child.stdout?.destroy()
    const { exitCode, stderr } = await outcome
    isSlow = false
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' })
    const { runId } = JSON.parse(String(first).split('\n')[0] ?? '')
    expect((await cli.run(['resume', runId], { env: env() })).exitCode).toBe(0)
  })
})

describe('a model that fails', () => {
  it('ends with 1, says why and what to do', async () => {
    const refusing = await startScriptedModel(() => ({ status: 401 }))
    const { exitCode, stdout } = await cli.run(args(), { env: { OPENAI_BASE_URL: refusing.url } })
    await refusing.close()
    expect(exitCode).toBe(1)
    expect(stdout).toContain('planner')
    expect(stdout).toContain('401')
  })
})
