import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { root } from '../repo/source-file.ts'
import { question, readEvents, ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
let tokens: TokenFile
let path = ''
beforeAll(async () => {
  cpSync(`${root}samples/library`, `${served.folder}/files`, { recursive: true })
  app = await served.start({ filesFolder: `${served.folder}/files` })
  tokens = new TokenFile(app.home.path)
  path = join(app.home.path, 'server-tokens.json')
})
afterAll(() => served.close())

const ask = { workflow: 'ask', question }

/** Requests with a new token. */
function as(name: string, role: 'read' | 'run' | 'admin') {
  const token = tokens.add(name, role)
  const call = async (method: 'get' | 'post' | 'delete', to: string, body?: object) =>
    served.call(method, to, body, token)
  const finish = async (request: object) => {
    const { body } = await call('post', '/api/runs', request)
    let run = await call('get', `/api/runs/${body.runId}`)
    while (run.body.status === 'running') run = await call('get', `/api/runs/${body.runId}`)
    return run.body
  }
  return { token, call, finish }
}

const listed = async ({ call }: Pick<ReturnType<typeof as>, 'call'>) =>
  (await call('get', '/api/runs')).body.runs.map((run: { runId: string }) => run.runId)

describe('runs of tokens', () => {
  it('are seen by their owner and by admins, and are not there for others', async () => {
    const [ada, bob, boss] = [as('ada', 'run'), as('bob', 'run'), as('boss', 'admin')]
    const { runId } = await ada.finish(ask)
    const operators = (await served.finish(ask)).body.runId
    expect(await listed(ada)).toEqual([runId])
    expect(await listed(bob)).toEqual([])
    expect(await listed(boss)).toEqual([operators, runId])
    for (const name of [
      '',
      '/events',
      '/references',
      '/trace',
      '/bundle',
      `/diff?with=${operators}`,
    ])
      expect([name, (await bob.call('get', `/api/runs/${runId}${name}`)).status]).toEqual([
        name,
        404,
      ])
    for (const does of ['cancel', 'finish', 'resume', 'replay'])
      expect((await bob.call('post', `/api/runs/${runId}/${does}`)).status).toBe(404)
    expect((await bob.call('post', `/api/runs/${runId}/fork`, {})).status).toBe(404)
    expect((await bob.call('post', '/api/runs', { ...ask, continue: runId })).status).toBe(404)
    expect((await bob.call('delete', `/api/runs/${runId}`)).status).toBe(404)
    expect((await ada.call('get', `/api/runs/${runId}/diff?with=${operators}`)).status).toBe(404)
    expect((await boss.call('delete', `/api/runs/${runId}`)).status).toBe(204)
  })

  it('say who started and forked them', async () => {
    const eve = as('eve', 'run')
    const { runId } = await eve.finish(ask)
    const { body } = await eve.call('post', `/api/runs/${runId}/fork`, { at: 'expert[1]' })
    await served.ended(body.runId)
    const labels: unknown[] = []
    const types = ['run.started', 'run.forked'] as const
    for await (const { data } of app.events(body.runId, { types })) labels.push(data.labels)
    expect(labels).toMatchObject([{ user: 'eve' }, { user: 'eve' }])
    expect(await listed(eve)).toEqual([body.runId, runId])
  })

  it('are not given to somebody else who asks the same', async () => {
    const papers = { workflow: 'papers', query: 'CRISPR', sources: ['.'] }
    const [one, other] = [as('one', 'run'), as('other', 'run')]
    const first = await one.finish(papers)
    expect(first.status).toBe('answered')
    const second = await other.finish(papers)
    expect(second.status).toBe('answered')
    expect(second.runId).not.toBe(first.runId)
    expect((await one.call('post', '/api/runs', papers)).body.runId).not.toBe(second.runId)
  })
})

describe('a token', () => {
  it('to read starts and changes nothing', async () => {
    const reader = as('reader', 'read')
    expect(await listed(reader)).toEqual([])
    expect((await reader.call('post', '/api/runs', ask)).status).toBe(403)
    expect((await reader.call('delete', '/api/runs/20200101-aaaaaa')).status).toBe(403)
  })

  it('is refused as soon as it is revoked, and kept as a hash that only its owner can read', async () => {
    const guest = as('guest', 'run')
    expect((await guest.call('get', '/api/runs')).status).toBe(200)
    expect(readFileSync(path, 'utf8')).not.toContain(guest.token)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    tokens.revoke('guest')
    expect((await guest.call('get', '/api/runs')).status).toBe(401)
    expect(tokens.list().map(({ name }) => name)).not.toContain('guest')
    expect(() => tokens.revoke('guest')).toThrow('no token named "guest"')
  })

  it('ends its streams when it is revoked, and no others', async () => {
    const [gus, hal] = [as('gus', 'run'), as('hal', 'run')]
    const streamOf = async ({ call, token }: ReturnType<typeof as>) => {
      const { body } = await call('post', '/api/runs', { ...ask, approvePlan: true })
      const path = `/api/runs/${body.runId}/events`
      return served.fetch(path, { headers: { authorization: `Bearer ${token}` } })
    }
    const [revoked, other] = [await streamOf(gus), await streamOf(hal)]
    tokens.revoke('gus')
    // Who is added under the same name is somebody else.
    tokens.add('gus', 'run')
    expect((await Array.fromAsync(readEvents(revoked))).at(-1)?.type).not.toBe('run.finished')
    const seen = readEvents(other)
    expect((await seen.next()).value?.type).toBe('run.started')
    await seen.return(undefined)
  })

  it.each(['', 'operator', 'a b', '../x', 'ada', 'x'.repeat(101)])(
    'cannot be created for "%s"',
    (name) => {
      expect(() => tokens.add(name, 'admin')).toThrow()
    },
  )

  it('is refused while the file is damaged, but for that of the operator', async () => {
    const before = readFileSync(path, 'utf8')
    const late = as('late', 'run')
    writeFileSync(path, '{')
    expect((await late.call('get', '/api/runs')).status).toBe(422)
    expect((await served.call('get', '/api/runs')).status).toBe(200)
    writeFileSync(path, before)
  })
})
