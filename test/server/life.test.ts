import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, currentOwner, openRunStore } from '../../src/index.ts'
import { createHandler, type Handler } from '../../src/server/index.ts'
import { HeldModel, question, readEvents, ServedApp } from './served-app.ts'

const ask = { workflow: 'ask', question }
const held = new HeldModel()
let served: ServedApp
let app: App
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  served = new ServedApp()
  app = await served.start({ maxRuns: 1 }, held.options)
})
afterEach(async () => {
  held.letGo()
  await served.close()
})

const get = async (runId: string) => (await served.call('get', `/api/runs/${runId}`)).body
const start = async () => (await served.call('post', '/api/runs', ask)).body.runId as string

/** Another server on the same home, as after the end of the first. */
async function nextServer(): Promise<Handler> {
  return createHandler(served.openApp(held.options), { token: 'token-of-the-tests', maxRuns: 1 })
}

describe('more runs than are executed at once', () => {
  it('wait in order, are seen at once, and are executed when it is their turn', async () => {
    held.hold()
    const [first, second, third] = [await start(), await start(), await start()]
    expect((await get(first)).queue).toBeUndefined()
    expect([(await get(second)).queue, (await get(third)).queue]).toEqual([1, 2])
    const stream = readEvents(await served.fetch(`/api/runs/${third}/events`))
    expect((await stream.next()).value).toMatchObject({ id: 1, type: 'run.started' })
    expect((await stream.next()).value?.data.data.failure.message).toBe(
      'The run waits for its turn.',
    )
    held.letGo()
    const rest = await Array.fromAsync(stream)
    expect(rest.at(-1)).toMatchObject({
      type: 'run.finished',
      data: { data: { status: 'answered' } },
    })
    expect((await get(second)).status).toBe('answered')
    const ends = await Promise.all(
      [first, second, third].map(async (runId) => (await get(runId)).updatedAt),
    )
    expect(ends).toEqual(ends.toSorted((one, other) => one - other))
  })

  it('leave the queue when they are cancelled, for good', async () => {
    held.hold()
    const [first, second, third] = [await start(), await start(), await start()]
    await served.call('post', `/api/runs/${second}/cancel`)
    expect(await get(second)).toMatchObject({ status: 'interrupted' })
    expect((await get(second)).queue).toBeUndefined()
    expect((await get(third)).queue).toBe(1)
    held.letGo()
    for await (const _ of readEvents(await served.fetch(`/api/runs/${third}/events`)));
    expect((await get(first)).status).toBe('answered')
    expect((await get(second)).status).toBe('interrupted')
    expect(await (await nextServer()).continueRuns()).toEqual([])
  })

  it('leave the queue when they are deleted', async () => {
    held.hold()
    const [, second, third] = [await start(), await start(), await start()]
    expect((await served.call('delete', `/api/runs/${second}`)).status).toBe(204)
    expect((await get(third)).queue).toBe(1)
  })
})

it('does not claim to interrupt a run that something else executes', async () => {
  held.hold()
  const { promise: started, resolve } = Promise.withResolvers<string>()
  const onEvent = (event: object) => {
    if ('runId' in event) resolve(String(event.runId))
  }
  const asked = served.openApp(held.options).ask({ question }, { onEvent })
  const runId = await started
  for (const path of [`/api/runs/${runId}/cancel`, `/v1/responses/${runId}/cancel`])
    expect((await served.call('post', path)).status).toBe(409)
  held.letGo()
  expect((await asked).answer).toContain('412')
})

describe('the next server on a home', () => {
  it('continues what was executed or waited when the last one was stopped, and nothing else', async () => {
    held.hold()
    const interrupted = await start()
    await served.call('post', `/api/runs/${interrupted}/cancel`)
    const [first, second] = [await start(), await start()]
    await served.stop()
    expect((await app.showRun(first)).status).toBe('interrupted')
    held.letGo()
    const next = await nextServer()
    expect(await next.continueRuns()).toEqual([first, second])
    for (const runId of [first, second])
      while ((await app.showRun(runId)).status !== 'answered')
        await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await app.showRun(interrupted)).status).toBe('interrupted')
    await next.close()
  })

  it('continues a run that was executed when the last one died, but not one that died with two', async () => {
    const { runId } = (await served.finish(ask)).body
    const store = openRunStore(`${app.home.path}/runs.db`)
    const dead = { ...currentOwner(), pid: 2 ** 22 + 1, processStart: '0' }
    const [started] = await Array.fromAsync(store.events(runId, { types: ['run.started'] }))
    if (started === undefined) throw new Error('The run has no beginning.')
    const died = async (id: string, times: number, labels: Record<string, string>) => {
      let lease = await store.create({ runId: id, workflow: 'ask', title: id, createdAt: 1 }, dead)
      const { data, output = null } = started
      await store.append(
        lease,
        [{ ...started, key: '', data: { ...data, labels }, output, ts: 1 }],
        [],
        'full',
      )
      for (let time = 1; time < times; time++) {
        lease = await store.acquire(id, dead)
        const resumed = { ...data, labels, rewindToSeq: null }
        await store.append(
          lease,
          [{ key: '', type: 'run.resumed', data: resumed, ts: 1 }],
          [],
          'full',
        )
      }
    }
    await died('once', 1, { origin: 'server' })
    await died('twice', 2, { origin: 'server' })
    await died('elsewhere', 1, {})
    await store.close()
    const next = await nextServer()
    expect(await next.continueRuns()).toEqual(['once'])
    while ((await app.showRun('once')).status !== 'answered')
      await new Promise((resolve) => setTimeout(resolve, 20))
    await next.close()
  })
})
