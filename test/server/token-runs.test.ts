import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { HeldModel, question, ServedApp } from './served-app.ts'

const held = new HeldModel()
let served: ServedApp
let app: App
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  served = new ServedApp()
  app = await served.start({ maxRuns: 1, maxRunsPerToken: 2, maxStreamsPerToken: 1 }, held.options)
  held.hold()
})
afterEach(async () => {
  held.letGo()
  await served.close()
})

/** Requests with a new token. */
function as(name: string, role: 'read' | 'run' | 'admin') {
  const token = new TokenFile(app.home.path).add(name, role)
  const call = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
    served.call(method, path, body, token)
  const start = async () =>
    (await call('post', '/api/runs', { workflow: 'ask', question })).body.runId as string
  /** Opens a stream of events; returns its status and what closes it. */
  const follow = async (runId: string) => {
    const control = new AbortController()
    const response = await served.fetch(`/api/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${token}` },
      signal: control.signal,
    })
    return { status: response.status, close: () => control.abort() }
  }
  return { call, start, follow }
}

/** Who resumed and stopped a run, as its log says. */
async function usersOf(runId: string): Promise<readonly unknown[]> {
  const types = ['run.resumed', 'run.suspended', 'limit.reached'] as const
  const users: unknown[] = []
  for await (const event of app.events(runId, { types }))
    users.push(
      event.type === 'run.resumed' ? event.data.labels?.user : event.data.failure.details?.user,
    )
  return users
}

describe('the log says who', () => {
  it('interrupted, resumed and ended a run', async () => {
    const [ada, boss] = [as('ada', 'run'), as('boss', 'admin')]
    const runId = await ada.start()
    await boss.call('post', `/api/runs/${runId}/cancel`)
    await ada.call('post', `/api/runs/${runId}/resume`)
    await served.call('post', `/api/runs/${runId}/finish`)
    expect((await usersOf(runId)).slice(0, 3)).toEqual(['boss', 'ada', 'operator'])
  })

  it('ended a run that was interrupted', async () => {
    const ada = as('ada', 'run')
    const runId = await ada.start()
    await served.call('post', `/api/runs/${runId}/cancel`)
    await ada.call('post', `/api/runs/${runId}/finish`)
    expect((await usersOf(runId)).slice(0, 3)).toEqual(['operator', 'ada', 'ada'])
  })

  it('took a run out of the queue', async () => {
    const ada = as('ada', 'run')
    await ada.start()
    const runId = await ada.start()
    await ada.call('post', `/api/runs/${runId}/cancel`)
    expect(await usersOf(runId)).toEqual([undefined, 'ada', 'ada'])
  })

  it('interrupted a response', async () => {
    const ada = as('ada', 'run')
    const request = { model: 'scholium/ask', input: question, background: true }
    const { body } = await ada.call('post', '/v1/responses', request)
    await ada.call('post', `/v1/responses/${body.id}/cancel`)
    expect(await usersOf(body.id)).toEqual(['ada'])
  })
})

it('keeps in the home who deleted which run, in a file that only its owner can read', async () => {
  const [ada, boss] = [as('ada', 'run'), as('boss', 'admin')]
  const [first, second] = [await ada.start(), await ada.start()]
  expect((await ada.call('delete', `/api/runs/${first}`)).status).toBe(409)
  for (const runId of [second, first]) await ada.call('post', `/api/runs/${runId}/cancel`)
  expect((await ada.call('delete', `/api/runs/${first}`)).status).toBe(204)
  expect((await boss.call('delete', `/v1/responses/${second}`)).status).toBe(200)
  const path = join(app.home.path, 'removed-runs.jsonl')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { runId: first, removedBy: 'ada', removedAt: expect.any(Number) },
    { runId: second, removedBy: 'boss', removedAt: expect.any(Number) },
  ])
})

describe('a token', () => {
  it('has so many runs at once, executed and waiting, while admins have more', async () => {
    const [ada, bob] = [as('ada', 'run'), as('bob', 'run')]
    const ask = { workflow: 'ask', question }
    const [first, second] = [await ada.start(), await ada.start()]
    expect((await ada.call('post', '/api/runs', ask)).status).toBe(429)
    const asked = { model: 'scholium/ask', input: question, background: true }
    expect((await ada.call('post', '/v1/responses', asked)).status).toBe(429)
    expect((await bob.call('post', '/api/runs', ask)).status).toBe(202)
    for (let count = 0; count < 3; count++)
      expect((await served.call('post', '/api/runs', ask)).status).toBe(202)
    await ada.call('post', `/api/runs/${second}/cancel`)
    const third = await ada.start()
    // Resuming a third one is refused; to end one that is counted already is not.
    const { body } = await ada.call('post', `/api/runs/${second}/resume`)
    expect(body.error.message).toBe('2 runs of this token are executed or wait for their turn.')
    expect((await ada.call('post', `/api/runs/${first}/finish`)).status).toBe(200)
    await ada.call('post', `/api/runs/${third}/cancel`)
    expect((await ada.call('post', `/api/runs/${first}/fork`, {})).status).toBe(202)
  })

  it('cannot start more at once by asking at the same time', async () => {
    const ada = as('ada', 'run')
    const ask = { workflow: 'ask', question }
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => ada.call('post', '/api/runs', ask)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([202, 202, ...Array(6).fill(429)])
  })

  it('has so many streams at once, while admins have more', async () => {
    const ada = as('ada', 'run')
    const runId = await ada.start()
    const stream = await ada.follow(runId)
    expect(stream.status).toBe(200)
    expect((await ada.follow(runId)).status).toBe(429)
    const admin = as('boss', 'admin')
    const others = [await admin.follow(runId), await admin.follow(runId)]
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    stream.close()
    let again = await ada.follow(runId)
    while (again.status === 429) again = await ada.follow(runId)
    expect(again.status).toBe(200)
    for (const { close } of [...others, again]) close()
  })
})
