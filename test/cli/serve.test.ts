import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf } from './command.ts'
import { serve } from './serving.ts'

const cli = new CommandLine()
const endStatuses = ['answered', 'partial', 'unanswered', 'failed']
let answers = true
let model: ScriptedModel
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => (answers ? team(seen) : { hang: true }))
  mkdirSync(join(cli.folder, 'files'))
  cli.write('files/trial.md', '# Trial\n\nThe trial of 1921 had 43 patients.\n')
})
afterAll(async () => {
  await model.close()
  cli.remove()
})

const start = (...args: string[]) => serve(cli, args, { OPENAI_BASE_URL: model.url })

describe('scholium tokens', () => {
  it('creates tokens that a running server accepts, lists them and revokes them', async () => {
    const server = await start()
    const { address } = server
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
    await server.end('SIGTERM')
  })
})

describe('scholium serve', () => {
  it('serves runs under the configuration of the command line, until it is told to stop', async () => {
    const server = await start('--files', 'files')
    const { started, call, token } = server
    expect(statSync(join(cli.folder, 'home', 'server-token')).mode & 0o777).toBe(0o600)
    const question = 'How many patients did the trial of 1921 have?'
    const { runId } = await call('/api/runs', { workflow: 'ask', question, sources: ['trial.md'] })
    let run = await call(`/api/runs/${runId}`)
    while (run.status === 'running') run = await call(`/api/runs/${runId}`)
    expect(run.result.answer).toContain('43')
    expect(await server.end('SIGTERM')).toMatchObject({ exitCode: 0 })
    expect(started.printed().stderr).not.toContain(token)
    const again = await start()
    expect(again.token).toBe(token)
    expect((await again.call(`/api/runs/${runId}`)).result).toEqual(run.result)
    await again.end('SIGTERM')
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'continues its runs after %s when it is started again',
    async (signal) => {
      answers = false
      const scripted = ['--model', 'openai-compatible:scripted']
      const first = await start(...scripted)
      const before = model.requests.length
      const { runId } = await first.call('/api/runs', {
        workflow: 'ask',
        question: `After ${signal}?`,
      })
      while (model.requests.length === before) await sleep(10)
      const { exitCode } = await first.end(signal)
      expect(exitCode).toBe(signal === 'SIGTERM' ? 0 : null)
      const left = await start(...scripted, '--no-continue')
      expect((await left.call(`/api/runs/${runId}`)).status).toBe('interrupted')
      await left.end('SIGTERM')
      answers = true
      const next = await start(...scripted)
      let run = await next.call(`/api/runs/${runId}`)
      while (!endStatuses.includes(run.status)) {
        await sleep(20)
        run = await next.call(`/api/runs/${runId}`)
      }
      expect(run.result.runId).toBe(runId)
      await next.end('SIGTERM')
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
