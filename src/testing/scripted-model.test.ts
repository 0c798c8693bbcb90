import { afterEach, describe, expect, it } from 'vitest'
import {
  createQuickClock,
  createRandom,
  plainReply,
  type Script,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
} from './index.ts'

let model: ScriptedModel | undefined
afterEach(() => model?.close())

/** Asks a model that says what a script says, as any client would. */
async function ask(script: Script, body: object = {}, headers: Record<string, string> = {}) {
  model = await startScriptedModel(script)
  const response = await fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }], ...body }),
  })
  return {
    status: response.status,
    headers: response.headers,
    json: JSON.parse(await response.text()),
  }
}

describe('startScriptedModel', () => {
  it('answers in the form of chat completions, with what was used', async () => {
    const { status, json } = await ask(() => ({ text: 'hi' }))
    expect(status).toBe(200)
    expect(json).toMatchObject({
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
      usage: { prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) },
    })
    expect(json.usage.total_tokens).toBe(json.usage.prompt_tokens + json.usage.completion_tokens)
  })

  it('prints JSON and calls tools, with ids that depend on the request alone', async () => {
    expect((await ask(() => ({ json: { a: 1 } }))).json.choices[0].message.content).toBe('{"a":1}')
    await model?.close()
    const calls = () => ({ toolCalls: [{ name: 'look', input: { at: 'x' } }] })
    const first = (await ask(calls)).json.choices[0]
    await model?.close()
    const second = (await ask(calls)).json.choices[0]
    expect(first).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ function: { name: 'look', arguments: '{"at":"x"}' } }],
      },
    })
    expect(second).toEqual(first)
  })

  it('tells a script what was asked, and keeps it', async () => {
    const body = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What ' },
            { type: 'text', text: 'now?' },
          ],
        },
      ],
      tools: [{ type: 'function', function: { name: 'look' } }],
    }
    await ask(() => ({ text: '' }), body, { authorization: 'Bearer key' })
    expect(model?.requests).toMatchObject([
      {
        number: 1,
        model: 'm',
        system: 'Be brief.',
        lastText: 'What now?',
        lastRole: 'user',
        tools: ['look'],
        apiKey: 'key',
        body,
      },
    ])
  })

  it('fails as it is told, and counts no failure as an answer', async () => {
    const reply = { status: 429, body: { error: 'slow' }, headers: { 'retry-after': '3' } }
    const { status, json, headers } = await ask(() => reply)
    expect([status, json, headers.get('retry-after')]).toEqual([429, { error: 'slow' }, '3'])
    expect(model?.requests).toHaveLength(1)
    expect(model?.answered.size).toBe(0)
  })

  it('counts answers by what was asked', async () => {
    await ask(() => ({ text: 'hi' }))
    const url = `${model?.url}/chat/completions`
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
    for (const text of [body, body, body.replace('hello', 'bye')]) {
      await (await fetch(url, { method: 'POST', body: text })).json()
    }
    expect([...(model?.answered.values() ?? [])]).toEqual([3, 1])
  })

  it('closes connections, and leaves others open, as it is told', async () => {
    await expect(ask(() => ({ reset: true }))).rejects.toThrow()
    await model?.close()
    model = await startScriptedModel(() => ({ hang: true }))
    const signal = AbortSignal.timeout(30)
    const hanging = fetch(`${model.url}/chat/completions`, { method: 'POST', body: '{}', signal })
    await expect(hanging).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('says that a script failed, and does not fall over', async () => {
    const { status, json } = await ask(() => {
      throw new Error('no such role')
    })
    expect(status).toBe(400)
    expect(json.error.message).toBe('The script failed: no such role')
  })
})

/** Asks for a stream, and gives the data of its events. */
async function stream(script: Script, body: object = {}): Promise<readonly string[]> {
  model = await startScriptedModel(script)
  const response = await fetch(`${model.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [], stream: true, ...body }),
  })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  return [...(await response.text()).matchAll(/^data: (.*)\n\n/gm)].map(
    ([, data]) => data as string,
  )
}

/** What the chunks of a stream say under one name. */
function saidIn(data: readonly string[], name: string): string {
  return data
    .slice(0, -1)
    .map((chunk) => JSON.parse(chunk).choices[0]?.delta[name] ?? '')
    .join('')
}

describe('startScriptedModel, asked for a stream', () => {
  const text = 'A text of more than twenty characters 😀, so that it comes in bits.'

  it('streams thoughts and text, says why it ended, and what was used where that is asked for', async () => {
    const data = await stream(() => ({ text, reasoning: 'Hm.' }), {
      stream_options: { include_usage: true },
    })
    expect([saidIn(data, 'reasoning_content'), saidIn(data, 'content')]).toEqual(['Hm.', text])
    expect(data.length).toBeGreaterThan(5)
    expect(data.at(-1)).toBe('[DONE]')
    expect(JSON.parse(data.at(-2) as string)).toMatchObject({
      choices: [],
      usage: { completion_tokens: expect.any(Number) },
    })
    expect(JSON.parse(data.at(-3) as string).choices[0].finish_reason).toBe('stop')
    expect([...(model?.answered.values() ?? [])]).toEqual([1])
    await model?.close()
    expect((await stream(() => ({ text }))).join()).not.toContain('"usage"')
  })

  it('streams tool calls with their arguments in bits', async () => {
    const data = await stream(() => ({ toolCalls: [{ name: 'look', input: { at: text } }] }))
    const deltas = data
      .slice(0, -1)
      .flatMap((chunk) => JSON.parse(chunk).choices[0].delta.tool_calls ?? [])
    expect(deltas[0]).toMatchObject({ index: 0, function: { name: 'look', arguments: '' } })
    const given = deltas.map((delta) => delta.function.arguments).join('')
    expect(JSON.parse(given)).toEqual({ at: text })
  })

  it('breaks off as it is told, and counts that as no answer', async () => {
    const data = await stream(() => ({ text, cut: { afterChunks: 2, by: 'end' } }))
    expect([data.length, model?.answered.size]).toEqual([2, 0])
    await model?.close()
    const reset = stream(() => ({ text, cut: { afterChunks: 2, by: 'reset' } }))
    await expect(reset).rejects.toThrow()
    await model?.close()
    const whole = ask(() => ({ text, cut: { afterChunks: 0, by: 'end' } }))
    await expect(whole).rejects.toThrow('JSON')
    expect(model?.answered.size).toBe(0)
  })

  it('takes its time between chunks, and sends what it is given as it is', async () => {
    const begun = performance.now()
    await stream(() => ({ text, chunkDelayMs: 5 }))
    expect(performance.now() - begun).toBeGreaterThan(20)
    await model?.close()
    expect(await stream(() => ({ events: ['{"a":', 'x'] }))).toEqual(['{"a":', 'x'])
  })
})

describe('scriptTeam', () => {
  const seen = (system: string, lastText: string, lastRole = 'user') =>
    ({ system, lastText, lastRole }) as never

  it('lets a role say what it is given, and the others do their part', async () => {
    const script = scriptTeam({ critic_planner: (_seen, call) => ({ text: `call ${call}` }) })
    expect(await script(seen('You judge a plan', ''))).toEqual({ text: 'call 1' })
    expect(await script(seen('You judge a plan', ''))).toEqual({ text: 'call 2' })
    expect(await script(seen('You judge an answer', ''))).toEqual({
      json: { decision: 'approve', feedback: '' },
    })
    expect(() => script(seen('You write poems', ''))).toThrow('No role')
  })

  it('has a researcher that searches, quotes what it found, and says when it found nothing', () => {
    const passages = '<passage source="[3]" at="0">\n# Title\n\nIt is so. And more.\n</passage>'
    const found = (shown: string) => plainReply('researcher', seen('', shown, 'tool'))
    expect(plainReply('researcher', seen('', 'Research this: why?'))).toEqual({
      toolCalls: [{ name: 'search_library', input: { query: 'why?', limit: 3 } }],
    })
    expect(found(passages)).toEqual({ json: { result: 'It is so [3].' } })
    expect(found('There is no such passage.')).toEqual({
      json: { result: 'The sources do not say.' },
    })
  })
})

describe('createQuickClock', () => {
  it('moves when it is read, waited for or told to, and waits for nothing', async () => {
    const clock = createQuickClock(1_000)
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_001])
    await clock.sleep(60_000, new AbortController().signal)
    clock.advance(500)
    expect(clock.now()).toBe(61_502)
    expect(clock.waitsMs).toEqual([60_000])
    await expect(clock.sleep(1, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop')
  })
})

describe('createRandom', () => {
  it('gives the same numbers for the same seed, spread from 0 to below 1', () => {
    const draw = (seed: number) => Array.from({ length: 1_000 }, createRandom(seed))
    expect(draw(5)).toEqual(draw(5))
    expect(draw(5)).not.toEqual(draw(6))
    const numbers = draw(5)
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...numbers)).toBeLessThan(1)
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
  })
})
