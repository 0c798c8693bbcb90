import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, type Started } from './command.ts'

const cli = new CommandLine()
const endStatuses = ['answered', 'partial', 'unanswered', 'failed']
let answers = true
let model: ScriptedModel
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => (answers ? team(seen) : { hang: true }))
  cli.write('trial.md', '# Trial\n\nThe trial of 1921 had 43 patients.\n')
})
afterAll(async () => {
  await model.close()
  cli.remove()
})

/** Starts a server in a process of its own. */
async function serve(...args: string[]) {
  const started = cli.start(['serve', '--port', '0', '--json', ...args], {
    env: { OPENAI_BASE_URL: model.url },
  })
  const printed = () => started.printed().stdout
  while (!printed().endsWith('}\n')) await Promise.race([sleep(10), started.outcome.then(ended)])
  const { url } = JSON.parse(printed())
  const [address = '', token = ''] = String(url).split('/#token=')
  const call = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return JSON.parse(await (await fetch(`${address}${path}`, { headers, ...sent })).text())
  }
  return { started, address, token, call }
}

function ended(outcome: unknown): never {
  throw new Error(`The server ended: ${JSON.stringify(outcome)}`)
}

async function stop({ child, outcome }: Started) {
  child.kill('SIGTERM')
  return outcome
}

describe('scholium tokens', () => {
  it('creates tokens that a running server accepts, lists them and revokes them', async () => {
    const { started, address } = await serve()
    const added = await cli.run(['tokens', 'add', 'ada', '--role', 'read'])
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) })
    const headers = { authorization: `Bearer ${added.stdout.trim()}` }
    const status = async () => (await fetch(`${address}/api/runs`, { headers })).status
    expect(await status()).toBe(200)
    const listed = jsonOf(await cli.run(['tokens', 'list', '--json']))
    expect(listed).toEqual([{ name: 'ada', role: 'read', createdAt: expect.any(Number) }])
    expect((await cli.run(['tokens', 'list'])).stdout).toMatch(/^NAME +ROLE +CREATED\nada +read/)
    expect((await cli.run(['tokens', 'revoke', 'ada'])).exitCode).toBe(0)
    expect(await status()).toBe(401)
    expect((await cli.run(['tokens', 'revoke', 'ada'])).exitCode).toBe(2)
    expect((await cli.run(['tokens', 'add', 'bob', '--role', 'king'])).exitCode).toBe(2)
    await stop(started)
  })
})

describe('scholium serve', () => {
  it('serves runs under the configuration of the command line, until it is told to stop', async () => {
    const { started, call, token } = await serve('--files', '.')
    expect(statSync(join(cli.folder, 'home', 'server-token')).mode & 0o777).toBe(0o600)
    const question = 'How many patients did the trial of 1921 have?'
    const { runId } = await call('/api/runs', { workflow: 'ask', question, sources: ['trial.md'] })
    let run = await call(`/api/runs/${runId}`)
    while (run.status === 'running') run = await call(`/api/runs/${runId}`)
    expect(run.result.answer).toContain('43')
    expect(await stop(started)).toMatchObject({ exitCode: 0 })
    expect(started.printed().stderr).not.toContain(token)
    const again = await serve()
    expect(again.token).toBe(token)
    expect((await again.call(`/api/runs/${runId}`)).result).toEqual(run.result)
    await stop(again.started)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'continues its runs after %s when it is started again',
    async (signal) => {
      answers = false
      const scripted = ['--model', 'openai-compatible:scripted']
      const first = await serve(...scripted)
      const before = model.requests.length
      const { runId } = await first.call('/api/runs', {
        workflow: 'ask',
        question: `After ${signal}?`,
      })
      while (model.requests.length === before) await sleep(10)
      first.started.child.kill(signal)
      const { exitCode } = await first.started.outcome
      expect(exitCode).toBe(signal === 'SIGTERM' ? 0 : null)
      const left = await serve(...scripted, '--no-continue')
      expect((await left.call(`/api/runs/${runId}`)).status).toBe('interrupted')
      await stop(left.started)
      answers = true
      const next = await serve(...scripted)
      let run = await next.call(`/api/runs/${runId}`)
      while (!endStatuses.includes(run.status)) {
        await sleep(20)
        run = await next.call(`/api/runs/${runId}`)
      }
      expect(run.result.runId).toBe(runId)
      await stop(next.started)
    },
  )

  it.each([
    [['--host', '0.0.0.0'], 'SCHOLIUM_TOKEN'],
    [['--public-url', 'papers'], 'https://'],
    [['--files', 'nowhere'], 'spelling'],
    [['--port', '99999'], '--port'],
  ])('refuses %o and says what to do', async (args, hint) => {
    const { exitCode, stderr } = await cli.run(['serve', ...args])
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(hint) })
  })
})
