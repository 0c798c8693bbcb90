import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, defineWorkflow, type RunEvent } from '../../src/index.ts'
import { createEventStream } from '../../src/server/event-stream.ts'
import { HeldModel, question, readEvents, ServedApp, type WireEvent } from './served-app.ts'

const ask = { workflow: 'ask', question }

/** The stored events of a run, as its log has them. */
async function logOf(app: App, runId: string): Promise<readonly RunEvent[]> {
  return Array.fromAsync(app.events(runId))
}

async function open(served: ServedApp, runId: string, after?: number): Promise<Response> {
  const headers = after === undefined ? {} : { 'last-event-id': String(after) }
  return served.fetch(`/api/runs/${runId}/events`, { headers })
}

const seqs = (events: readonly WireEvent[]) => events.flatMap(({ id }) => id ?? [])

describe('the events of a run that has ended', () => {
  const served = new ServedApp()
  let app: App
  let runId = ''
  let log: readonly RunEvent[] = []
  beforeAll(async () => {
    app = await served.start({ maxStreams: 3 })
    runId = (await served.finish(ask)).body.runId
    log = await logOf(app, runId)
  })
  afterAll(() => served.close())

  it('are those of its log, under their numbers, and tell no place of the machine', async () => {
    const response = await open(served, runId)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const events = await Array.fromAsync(readEvents(response))
    expect(events.map(({ id, type }) => [id, type])).toEqual(
      log.map(({ seq, type }) => [seq, type]),
    )
    expect(events.map(({ data }) => [data.seq, data.key, data.ts])).toEqual(
      log.map(({ seq, key, ts }) => [seq, key, ts]),
    )
    expect(JSON.stringify(log)).toContain(served.folder)
    expect(JSON.stringify(events)).not.toContain(served.folder)
  })

  it('come exactly once when the stream is cut after any of them and taken up again', async () => {
    for (const { seq } of log.slice(0, -1)) {
      const first: WireEvent[] = []
      for await (const event of readEvents(await open(served, runId))) {
        first.push(event)
        if (event.id === seq) break
      }
      const rest = await Array.fromAsync(readEvents(await open(served, runId, seq)))
      expect(seqs([...first, ...rest])).toEqual(log.map((event) => event.seq))
    }
  })

  it('are asked for by the address too; the header of a reconnection wins', async () => {
    const path = `/api/runs/${runId}/events?after=3`
    const asked = await Array.fromAsync(readEvents(await served.fetch(path)))
    expect(seqs(asked)[0]).toBe(4)
    const again = await served.fetch(path, { headers: { 'last-event-id': '7' } })
    expect(seqs(await Array.fromAsync(readEvents(again)))[0]).toBe(8)
  })

  it('are over after the last one', async () => {
    expect((await open(served, runId, log.length)).status).toBe(204)
    expect((await open(served, runId, 1e9)).status).toBe(204)
    const odd = await served.fetch(`/api/runs/${runId}/events`, {
      headers: { 'last-event-id': 'x' },
    })
    expect(odd.status).toBe(400)
    expect((await open(served, '20200101-aaaaaa')).status).toBe(404)
  })
})

describe('the events of a run that goes on', () => {
  const held = new HeldModel()
  let served: ServedApp
  let app: App
  beforeAll(() => held.start())
  afterAll(() => held.model?.close())
  beforeEach(async () => {
    served = new ServedApp()
    held.hold()
    app = await served.start({ maxStreams: 2, maxRuns: 1 }, held.options)
  })
  afterEach(async () => {
    held.letGo()
    await served.close()
  })

  it('come as they happen, with tokens that no number is given to', async () => {
    const { body } = await served.call('post', '/api/runs', ask)
    const stream = readEvents(await open(served, body.runId))
    expect((await stream.next()).value).toMatchObject({ id: 1, type: 'run.started' })
    held.letGo()
    const rest = await Array.fromAsync(stream)
    const log = await logOf(app, body.runId)
    expect(seqs(rest)).toEqual(log.slice(1).map(({ seq }) => seq))
    expect(rest.at(-1)?.type).toBe('run.finished')
    const live = rest.filter(({ id }) => id === undefined)
    expect(live.length).toBeGreaterThan(0)
    expect(live.every(({ data }) => data.transient === true)).toBe(true)
  })

  it('come to a reader that left in the middle and comes back', async () => {
    const { body } = await served.call('post', '/api/runs', ask)
    const first = readEvents(await open(served, body.runId))
    const { value } = await first.next()
    await first.return(undefined)
    held.letGo()
    const rest = await Array.fromAsync(readEvents(await open(served, body.runId, value?.id)))
    const log = await logOf(app, body.runId)
    expect(seqs(rest)).toEqual(log.slice(1).map(({ seq }) => seq))
  })

  it('come when another app executes it on the same home', async () => {
    const other = served.openApp(held.options)
    const started = Promise.withResolvers<string>()
    const answer = other.ask(
      { question },
      { onEvent: (event) => 'runId' in event && started.resolve(event.runId) },
    )
    const runId = await started.promise
    const stream = readEvents(await open(served, runId))
    expect((await stream.next()).value).toMatchObject({ id: 1 })
    expect((await served.call('post', `/api/runs/${runId}/cancel`)).status).toBe(409)
    held.letGo()
    const rest = await Array.fromAsync(stream)
    await answer
    expect(seqs(rest)).toEqual((await logOf(app, runId)).slice(1).map(({ seq }) => seq))
  })

  it('are interrupted on request, and the run can be resumed', async () => {
    const { body } = await served.call('post', '/api/runs', ask)
    const { runId } = body
    const stream = readEvents(await open(served, runId))
    const cancelled = await served.call('post', `/api/runs/${runId}/cancel`)
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'interrupted' } })
    for await (const { type } of stream) if (type === 'run.suspended') break
    expect((await served.call('post', `/api/runs/${runId}/cancel`)).status).toBe(200)
    held.letGo()
    expect((await app.resume(runId)).status).toBe('answered')
  })

  it('are limited in the number of their streams', async () => {
    const { body } = await served.call('post', '/api/runs', ask)
    const streams = [await open(served, body.runId), await open(served, body.runId)]
    expect((await open(served, body.runId)).status).toBe(429)
    await streams[0]?.body?.cancel()
    let status = 429
    while (status === 429) {
      const again = await open(served, body.runId)
      status = again.status
      await again.body?.cancel()
    }
    expect(status).toBe(200)
    await streams[1]?.body?.cancel()
  })
})

/** A run whose log is larger than what the buffers of a connection hold. */
const large = defineWorkflow({
  name: 'large',
  input: z.object({}),
  output: z.object({}),
  run: async (context) => {
    for (let index = 0; index < 2_000; index++)
      await context.step(`part-${index}`, { effect: 'read' }, async () => 'x'.repeat(16_000))
    return {}
  },
})

describe('a reader that takes nothing', () => {
  it('is cut off, and makes room for others', async () => {
    const served = new ServedApp()
    const app = await served.start({ slowReaderMs: 200, maxStreams: 1 }, { workflows: [large] })
    const { runId } = await app.run(large, {})
    const { port, hostname } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    socket.pause()
    socket.on('error', () => {})
    socket.write(
      `GET /api/runs/${runId}/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer token-of-the-tests\r\n\r\n`,
    )
    const statuses = new Set<number>()
    while (!statuses.has(200)) {
      const response = await open(served, runId)
      statuses.add(response.status)
      await response.body?.cancel()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect([...statuses]).toEqual([429, 200])
    socket.destroy()
    await served.close()
  })

  it('leaves the source of its events alone meanwhile', async () => {
    let given = 0
    let isLeft = false
    async function* events() {
      try {
        for (;;)
          yield {
            transient: true,
            key: '',
            type: 'progress',
            data: { text: String(given++) },
          } as const
      } finally {
        isLeft = true
      }
    }
    const ended = Promise.withResolvers<unknown>()
    const source = events()
    const stream = createEventStream(source, {
      toFrame: JSON.stringify,
      slowReaderMs: 50,
      onEnd: (error) => {
        ended.resolve(error)
        void source.return()
      },
    })
    const reader = stream.getReader()
    await reader.read()
    expect(await ended.promise).toBeUndefined()
    expect(given).toBeLessThanOrEqual(2)
    await expect(reader.read().then(() => reader.read())).rejects.toThrow('too slow')
    expect(isLeft).toBe(true)
  })
})
