import { resolve } from 'node:path'
import { createOpenAI } from '@ai-sdk/openai'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HeldModel, question, readEvents, ServedApp, type WireEvent } from './served-app.ts'

const held = new HeldModel()
const served = new ServedApp()
const apiKey = 'token-of-the-tests'
const model = 'scholium/ask'
let client: OpenAI
beforeAll(async () => {
  await held.start()
  served.write(
    'agents/fail.yaml',
    'name: fail\nnodes:\n  - name: divide\n    run: |\n      return {"result": 1 / 0}\nedges:\n  - {from: __start__, to: divide}\n  - {from: divide, to: __end__}\n',
  )
  const defaults = () => ({ ask: { approvePlan: true }, papers: {} })
  const agentsFolder = `${served.folder}/agents`
  await served.start({ defaults, agentsFolder, maxStreams: 3, maxRequests: 8 }, held.options)
  client = new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 0 })
})
afterEach(() => held.letGo())
afterAll(async () => {
  await served.close()
  await held.model?.close()
})

const post = (path: string, body: object) => served.call('post', path, body)

/** The events of a response's stream. */
async function read(id: string, after?: number): Promise<readonly WireEvent[]> {
  const from = after === undefined ? '' : `&starting_after=${after}`
  const response = await served.fetch(`/v1/responses/${id}?stream=true${from}`)
  const text = (await response.text()).replace('data: [DONE]\n\n', '')
  return Array.fromAsync(readEvents(new Response(text)))
}

const numbersOf = (events: readonly WireEvent[]) =>
  events.map(({ data }) => data.sequence_number as number)

/** Holds a later stream against what an earlier one was told until its end: no number has two meanings. */
function expectGoesOn(earlier: readonly WireEvent[], later: readonly WireEvent[]): void {
  const known = new Map(earlier.map(({ data }) => [data.sequence_number, data]))
  const numbers = numbersOf(later)
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
  for (const { data } of later) {
    const told = known.get(data.sequence_number)
    if (told !== undefined) expect(data).toEqual(told)
  }
}

describe('a response whose run is resumed after an end', () => {
  it('is `incomplete` while its run waits, and later streamed with other numbers', async () => {
    const waiting = await client.responses.create({ model, input: question })
    expect(waiting).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'waiting' },
    })
    expect(waiting.output_text).toContain(`/api/runs/${waiting.id}/answer`)
    expect((await client.responses.retrieve(waiting.id)).status).toBe('incomplete')
    const first = await read(waiting.id)
    expect(first.at(-1)).toMatchObject({ type: 'response.incomplete' })
    await post(`/api/runs/${waiting.id}/answer`, { answer: 'approve' })
    await served.ended(waiting.id)
    const whole = await read(waiting.id)
    expect(whole.at(-1)).toMatchObject({
      type: 'response.completed',
      data: { response: { status: 'completed' } },
    })
    expectGoesOn(first, whole)
    const rest = await read(waiting.id, numbersOf(first).at(-1))
    expect(rest.length).toBeGreaterThan(0)
    expect(rest).toEqual(whole.slice(-rest.length))
    expect(numbersOf(rest).filter((number) => numbersOf(first).includes(number))).toEqual([])
    for (const [index, number] of numbersOf(whole).entries())
      expect(await read(waiting.id, number)).toEqual(whole.slice(index + 1))
    expect((await client.responses.retrieve(waiting.id)).output_text).toContain('412')
  })

  it('goes on in a stream that is open while it is interrupted and resumed', async () => {
    held.hold()
    const { body } = await post('/v1/responses', { model, input: question, background: true })
    await served.call('post', `/v1/responses/${body.id}/cancel`)
    const cut = await read(body.id)
    expect(cut.at(-1)?.data.response.status).toBe('cancelled')
    await post(`/api/runs/${body.id}/resume`, {})
    const live = read(body.id)
    held.letGo()
    const resumed = await live
    expect(resumed.at(-1)?.data.response).toMatchObject({ status: 'incomplete' })
    await post(`/api/runs/${body.id}/answer`, { answer: 'approve' })
    await served.ended(body.id)
    const whole = await read(body.id)
    expectGoesOn(cut, whole)
    expectGoesOn(resumed, whole)
    expect(whole.at(-1)?.type).toBe('response.completed')
    const { output } = (await served.call('get', `/v1/responses/${body.id}`)).body
    expect(whole.at(-1)?.data.response.output).toEqual(output)
  })
})

describe('a run that fails', () => {
  const input = '{}'

  it('is a failed response, whole, streamed and later', async () => {
    const failed = { status: 'failed', error: { code: 'tool_failed' } }
    const response = await client.responses.create({ model: 'agent:fail', input })
    expect(response).toMatchObject(failed)
    expect(response.error?.message).toContain('division by zero')
    expect(await client.responses.retrieve(response.id)).toMatchObject(failed)
    expect((await read(response.id)).at(-1)?.type).toBe('response.failed')
  })

  it('is an error of a chat, which the client does not repeat', async () => {
    const messages = [{ role: 'user' as const, content: input }]
    const asked = { model: 'agent:fail', messages }
    const before = (await served.call('get', '/api/runs')).body.runs.length
    const repeating = new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 2 })
    const error = { status: 500, type: 'server_error', code: 'tool_failed' }
    await expect(repeating.chat.completions.create(asked)).rejects.toMatchObject(error)
    expect((await served.call('get', '/api/runs')).body.runs).toHaveLength(before + 1)
    const stream = await client.chat.completions.create({ ...asked, stream: true })
    await expect(Array.fromAsync(stream)).rejects.toThrow('division by zero')
    const sdk = createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).chat('agent:fail')
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: input }] }]
    await expect(sdk.doStream({ prompt })).rejects.toThrow('division by zero')
  })

  it('is an error of a chat also if somebody interrupts it', async () => {
    held.hold()
    const messages = [{ role: 'user' as const, content: question }]
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    const chunks = stream[Symbol.asyncIterator]()
    const { value } = await chunks.next()
    await post(`/api/runs/${value?.id}/cancel`, {})
    held.letGo()
    await expect(chunks.next()).rejects.toThrow('interrupted')
  })
})

describe('too much at once', () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }

  it('is refused with 429, and starts no run', async () => {
    held.hold()
    const body = JSON.stringify({ model, input: question, stream: true })
    const streams = [1, 2, 3].map(() => served.fetch('/v1/responses', { ...json, body }))
    const open = await Promise.all(streams)
    const before = (await served.call('get', '/api/runs')).body.runs.length
    const refused = client.responses.create({ model, input: question, stream: true })
    await expect(refused).rejects.toMatchObject({ status: 429, type: 'rate_limit_error' })
    const chat = { model, messages: [{ role: 'user' as const, content: question }] }
    await expect(client.chat.completions.create({ ...chat, stream: true })).rejects.toThrow('429')
    expect((await served.call('get', '/api/runs')).body.runs).toHaveLength(before)
    for (const { body } of open) await body?.cancel()
  })
})

describe('papers', () => {
  it('are reviewed, and the same review is given again', async () => {
    const library = new ServedApp()
    const app = await library.start()
    await Array.fromAsync(app.addToLibrary([resolve('samples')]))
    const own = new OpenAI({ apiKey, baseURL: `${library.url}/v1`, maxRetries: 0 })
    const asked = { model: 'scholium/papers', input: 'CRISPR' }
    const first = await own.responses.create(asked)
    expect(first).toMatchObject({ model: 'scholium/papers', status: 'completed' })
    expect(first.output_text).toContain(`/runs/${first.id}`)
    expect((await own.responses.create(asked)).id).toBe(first.id)
    const stream = own.responses.stream(asked)
    expect((await stream.finalResponse()).output_text).toBe(first.output_text)
    await library.close()
  })
})

describe('a server that fails', () => {
  it("says so in OpenAI's form, and not why", async () => {
    const broken = new ServedApp()
    const app = await broken.start({}, held.options)
    await app.close()
    const { status, body } = await broken.call('post', '/v1/responses', { model, input: question })
    expect(status).toBeGreaterThanOrEqual(500)
    expect(body.error).toMatchObject({ type: 'server_error', param: null })
    await broken.close()
  })
})
