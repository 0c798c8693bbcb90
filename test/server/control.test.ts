import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type App, defineWorkflow } from '../../src/index.ts'
import { HeldModel, question, ServedApp } from './served-app.ts'

const ask = { workflow: 'ask', question, approvePlan: true }
const held = new HeldModel()
let served: ServedApp
let app: App
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  served = new ServedApp()
  app = await served.start({}, { ...held.options, workflows: [poll] })
})
afterEach(async () => {
  held.letGo()
  await served.close()
})

/** A workflow that asks two people. */
const poll = defineWorkflow({
  name: 'poll',
  input: z.object({}),
  output: z.object({ votes: z.array(z.string()) }),
  run: async (context) => {
    const first = await context.ask('first', { text: 'Yes?' })
    return { votes: [String(first), String(await context.ask('second', { text: 'No?' }))] }
  },
})

const post = (runId: string, does: string, body?: object) =>
  served.call('post', `/api/runs/${runId}/${does}`, body)

async function startHeld(): Promise<string> {
  held.hold()
  return (await served.call('post', '/api/runs', { workflow: 'ask', question })).body.runId
}

describe('a run that waits', () => {
  it('shows its plan, takes another one or a refusal, and continues', async () => {
    const { body } = await served.finish(ask)
    expect(body).toMatchObject({
      status: 'waiting',
      question: { key: expect.stringContaining('approv'), prompt: { kind: 'plan' } },
    })
    expect(body.result).toBeUndefined()
    const answered = await post(body.runId, 'answer', { answer: 'approve', key: body.question.key })
    expect(answered.status).toBe(202)
    expect((await served.ended(body.runId)).body.result.answer).toContain('412')
    expect((await post(body.runId, 'answer', { answer: 'approve' })).status).toBe(409)
  })

  it('waits again where it asks something else', async () => {
    await app.run(poll, {}).catch(() => {})
    const [{ runId = '' } = {}] = await app.listRuns({ limit: 1 })
    expect((await served.call('get', `/api/runs/${runId}`)).body.question.prompt).toMatchObject({
      text: 'Yes?',
    })
    await post(runId, 'answer', { answer: 'aye' })
    const { body } = await served.ended(runId)
    expect(body).toMatchObject({ status: 'waiting', question: { prompt: { text: 'No?' } } })
    const stale = await post(runId, 'answer', { answer: 'aye', key: 'poll/first' })
    expect(stale.status).toBe(409)
    await post(runId, 'answer', { answer: 'nay' })
    expect((await served.ended(runId)).body.result.output).toEqual({ votes: ['aye', 'nay'] })
  })

  it.each([{}, { answer: null }, { answer: 'yes', grants: ['web'] }])(
    'is not answered by %o',
    async (body) => {
      const { runId } = (await served.finish(ask)).body
      expect((await post(runId, 'answer', body)).status).toBe(400)
      expect((await served.call('get', `/api/runs/${runId}`)).body.status).toBe('waiting')
    },
  )
})

describe('a run that is executed', () => {
  it('ends on request with what it has', async () => {
    const runId = await startHeld()
    const { status, body } = await post(runId, 'finish')
    expect(status).toBe(200)
    expect(body.result.stopReason).toBe('ended_early')
    const again = await post(runId, 'finish')
    expect(again.body).toEqual(body)
  })

  it('can be interrupted and resumed, by one request at a time', async () => {
    const runId = await startHeld()
    await post(runId, 'cancel')
    expect((await post(runId, 'resume', { limits: { maxSteps: 100 } })).status).toBe(202)
    expect((await post(runId, 'resume')).status).toBe(409)
    held.letGo()
    expect((await served.ended(runId)).body.status).toBe('answered')
    expect((await post(runId, 'resume')).status).toBe(200)
  })

  it('can be ended after it was interrupted', async () => {
    const runId = await startHeld()
    await post(runId, 'cancel')
    const { body } = await post(runId, 'finish')
    expect(body.result.stopReason).toBe('ended_early')
  })

  it('is not deleted', async () => {
    const runId = await startHeld()
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(409)
  })
})

describe('a run that has ended', () => {
  it('is replayed, forked and deleted', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    expect((await post(runId, 'replay')).body).toMatchObject({ runId, isIdentical: true })
    const forked = await post(runId, 'fork', { at: 'expert[1]' })
    expect(forked).toMatchObject({ status: 202, body: { parent: { runId } } })
    const fork = (await served.ended(forked.body.runId)).body
    expect(fork.status).toBe('answered')
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(409)
    expect((await served.call('delete', `/api/runs/${fork.runId}`)).status).toBe(204)
    expect((await served.call('delete', `/api/runs/${runId}`)).status).toBe(204)
    expect((await served.call('get', `/api/runs/${runId}`)).status).toBe(404)
    expect((await post(runId, 'fork', {})).status).toBe(404)
  })

  it('is forked only where it has a step, and never with changed rights', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    expect((await post(runId, 'fork', { at: 'nowhere[7]' })).status).toBe(400)
    const change = { changes: [{ path: 'question.files', value: ['/etc/passwd'] }] }
    expect((await post(runId, 'fork', change)).status).toBe(400)
    expect(await app.listRuns()).toHaveLength(1)
  })
})
