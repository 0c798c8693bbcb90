import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { call, type Replies } from './session-world.ts'

let cli: CommandLine
let model: ScriptedModel
let replies: Replies
let given = 0

beforeEach(async () => {
  cli = new CommandLine()
  mkdirSync(join(cli.folder, 'work'))
  given = 0
  model = await startScriptedModel((seen) =>
    typeof replies === 'function' ? replies(seen) : (replies[given++] ?? { text: 'nothing more' }),
  )
})
afterEach(async () => {
  await model.close()
  cli.remove()
})

const run = (args: readonly string[], baseUrl = model.url) =>
  cli.run(args, { env: { OPENAI_BASE_URL: baseUrl } })
const begin = (...args: readonly string[]) => [
  ...['code', '--workspace', 'work', '--model', 'openai-compatible:scripted'],
  ...args,
]

describe('a session resumed from the command line', () => {
  it('is judged by its last request, not by what an earlier one was refused', async () => {
    const touch = call('bash', { command: 'touch made.txt' })
    replies = [touch, { text: 'I may not.' }, touch, { text: 'Made.' }]
    const first = await run(begin('-p', 'make it', '--json'))
    expect(first.exitCode).toBe(3)
    const { runId } = jsonOf(first)
    const again = ['code', '--resume', runId, '-p', 'make it now', '--allow', 'bash:touch *']
    const second = await run([...again, '--json'])
    expect(second.exitCode, second.stderr).toBe(0)
    expect(jsonOf(second)).toMatchObject({ status: 'answered', answer: 'Made.', refused: [] })
    expect(second.stderr).not.toContain('Not done')
  }, 60_000)

  it('continues after a request that failed on a dead server and was resumed as a run', async () => {
    replies = (seen) => ({ text: `heard ${seen.lastText}` })
    const dead = await run(begin('-p', 'one', '--json'), 'http://127.0.0.1:9/v1')
    expect(dead.exitCode).toBe(1)
    const { runId, failure } = jsonOf(dead)
    expect(failure.hint).toBe(
      `Check that the service is running and reachable, then say it again. Continue with: scholium code --resume ${runId} -p "continue"`,
    )
    const resumed = await run(['resume', runId])
    expect(resumed.stdout, resumed.stderr).toBe('heard one\n')
    const again = await run(['code', '--resume', runId, '-p', 'two', '--json'])
    expect(again.exitCode, again.stderr).toBe(0)
    expect(jsonOf(again)).toMatchObject({ answer: 'heard two', requests: 2 })
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('heard one')
    const { runId: nextId } = jsonOf(again)
    expect((await run(['replay', nextId])).stdout).toContain('identical: yes')
  }, 60_000)

  it('continues after a failed request by the command that was named', async () => {
    replies = (seen) => ({ text: `heard ${seen.lastText}` })
    const { runId } = jsonOf(await run(begin('-p', 'one', '--json'), 'http://127.0.0.1:9/v1'))
    const again = await run(['code', '--resume', runId, '-p', 'continue'])
    expect(again.stdout, again.stderr).toBe('heard continue\n')
  }, 60_000)

  it('is the last one of its folder, and none of another folder where that is named', async () => {
    replies = (seen) => ({ text: `heard ${seen.lastText}` })
    mkdirSync(join(cli.folder, 'other'))
    const { runId } = jsonOf(await run(begin('-p', 'one', '--json')))
    await run(['ask', 'What is it?'])
    const last = ['code', '--resume', 'last', '-p', 'two']
    const none = await run(last)
    expect([none.exitCode, none.stdout]).toEqual([2, ''])
    expect(none.stderr).toContain(`There is no session in ${realpathSync(cli.folder)}.`)
    const there = await run([...last, '--workspace', 'work'])
    expect(there.stdout, there.stderr).toBe('heard two\n')
    const named = ['code', '--resume', runId, '-p', 'three']
    const told = await run(named)
    expect(told.stderr).toContain(`Session ${runId} works in ${join(cli.folder, 'work')}`)
    const against = await run([...named, '--workspace', 'other'])
    expect([against.exitCode, against.stdout]).toEqual([2, ''])
    expect(against.stderr).toContain(
      `works in ${join(cli.folder, 'work')}, not in ${join(cli.folder, 'other')}.`,
    )
  }, 60_000)

  it('waits for its next request when it was forked, and is named by the command that continues with it', async () => {
    replies = (seen) => ({ text: `heard ${seen.lastText}` })
    const { runId } = jsonOf(await run(begin('-p', 'one', '--json')))
    const forked = await run(['fork', runId, '--at', 'turn[2]'])
    expect(forked.exitCode, forked.stderr).toBe(0)
    expect(forked.stderr).not.toContain('Error')
    const [, forkId = ''] = /scholium code --resume (\S+)/.exec(forked.stderr) ?? []
    expect(forkId).not.toBe(runId)
    const next = await run(['code', '--resume', forkId, '-p', 'two', '-q'])
    expect(next.stdout, next.stderr).toBe('heard two\n')
    const json = await run(['fork', runId, '--at', 'turn[1]', '--json'])
    expect([json.exitCode, jsonOf(json).error.hint]).toEqual([
      0,
      `Continue with: scholium code --resume ${jsonOf(json).runId}`,
    ])
  }, 60_000)
})
