import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App, ReadEvent } from '../../src/index.ts'
import { HeldModel, question, readEvents, ServedApp } from './served-app.ts'

const model = 'openai-compatible:scripted'
const price = { inputUsdPerMTok: 10, outputUsdPerMTok: 10 }
const held = new HeldModel()
const served = new ServedApp()
let app: App
let runId: string
beforeAll(async () => {
  await held.start()
  app = await served.start({}, { ...held.options, prices: { [model]: price } })
  runId = (await served.finish({ workflow: 'ask', question })).body.runId
})
afterAll(async () => {
  await served.close()
  await held.model?.close()
})

const get = async (path: string) => (await served.call('get', `/api/${path}`)).body

describe('the log of a run', () => {
  it('comes in pages, with every event once and in order', async () => {
    const stream = await Array.fromAsync(
      readEvents(await served.fetch(`/api/runs/${runId}/events`)),
    )
    const paged: { seq: number; type: string }[] = []
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page = await get(`runs/${runId}/log?after=${after}&limit=7`)
      paged.push(...page.events)
      after = page.next
    }
    expect(paged.map(({ seq, type }) => [seq, type])).toEqual(
      stream.map(({ id, type }) => [id, type]),
    )
  })

  it('says which model a step calls, with tokens and cost', async () => {
    const { events } = await get(`runs/${runId}/log`)
    const calls = events.filter(({ kind }: { kind?: string }) => kind === 'model')
    expect(calls[0]).toMatchObject({ type: 'step.started', model, role: 'planner' })
    const done = calls.find(({ type }: { type: string }) => type === 'step.done')
    expect(done.costUsd).toBeGreaterThan(0)
    expect(done.inputTokens).toBeGreaterThan(0)
  })

  it('shows the messages of a call as they were sent, those of earlier turns included', async () => {
    const { events } = await get(`runs/${runId}/log`)
    const isTurn = ({ key, type }: { key: string; type: string }) =>
      key.includes('researcher') && key.endsWith('/2/model') && type === 'step.done'
    const { seq } = events.find(isTurn)
    const shown = await get(`runs/${runId}/log/${seq}`)
    expect(shown.messages[0]).toMatchObject({ role: 'system' })
    expect(JSON.stringify(shown.messages)).toContain(question)
    expect(shown.messages.length + shown.missing).toBe(shown.input.messages.count)
    expect(shown.messages.map(({ role }: { role: string }) => role)).toContain('tool')
    const own: ReadEvent = await app.readEvent(runId, seq)
    expect(own.messages).toHaveLength(shown.messages.length)
    expect((await served.call('get', `/api/runs/${runId}/log/99999`)).status).toBe(400)
  })
})

describe('the figures of runs', () => {
  it('are what the result says, and filter the list', async () => {
    const { body } = await served.call('get', `/api/runs/${runId}`)
    const { figures } = await get(`run-figures?runs=${runId},nobody`)
    expect(figures).toHaveLength(1)
    expect(figures[0].costUsd).toBeCloseTo(body.result.costUsd, 10)
    expect(figures[0].coverage).toEqual(body.result.coverage)
    const list = async (least: number) =>
      (await get(`runs?minCostUsd=${least}`)).runs.map((run: { runId: string }) => run.runId)
    expect(await list(figures[0].costUsd)).toEqual([runId])
    expect(await list(figures[0].costUsd + 1)).toEqual([])
  })
})
