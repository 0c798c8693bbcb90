import { describe, expect, it } from 'vitest'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { Budget, callModel, type Message, type ModelBinding } from '../index.ts'
import { requestedOutputTokens, resolveMaxOutputTokens } from './output-cap.ts'

const current = useRuns()
const model = useHttpModel()
const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Say hello.' }],
  createdAt: 0,
}
const asking =
  (binding: ModelBinding): Body =>
  async (context) =>
    (await callModel(context, 'model', binding, { messages: [question] })).finishReason

const sentCaps = () => model.server.requests.map(({ body }) => body.max_tokens)
/** A service elsewhere, as its binding says; it is asked here. */
const elsewhere = (changes: Partial<ModelBinding> = {}): ModelBinding => ({
  ...model.binding(),
  sizes: {},
  ...changes,
})

describe('the cap of an answer', () => {
  it.each([
    ['the model’s maximum', { maxOutputTokens: null, sizes: { outputTokens: 128_000 } }, 128_000],
    ['32,000 where that is not known', { maxOutputTokens: null }, 32_000],
    ['what the person allows', { maxOutputTokens: 77, sizes: { outputTokens: 128_000 } }, 77],
    ['what the prompt leaves of the window', windowOf(200_000, 128_000), 100_000],
    ['a usual answer at least', windowOf(90_000, 128_000), 4_096],
    ['none for a server of one’s own', { maxOutputTokens: null, sizes: { isUncapped: true } }],
  ] as const)('is %s', (_what, binding, cap = undefined) => {
    expect(requestedOutputTokens(binding, 300_000)).toBe(cap)
  })

  it('of a server of one’s own is bound by its window where a limit needs to know', () => {
    const sizes = { isUncapped: true, windowTokens: 32_000 } as const
    expect(resolveMaxOutputTokens({ maxOutputTokens: null, sizes }, 30_000)).toBe(22_000)
  })

  it('is sent, and is none of what a recorded step depends on', async () => {
    await current().start(asking(elsewhere({ sizes: { outputTokens: 16_384 } })))
    expect(sentCaps()).toEqual([16_384])
    await current().replay(asking(elsewhere({ sizes: { isUncapped: true } })))
    expect(sentCaps()).toEqual([16_384])
  })

  it('is not sent to a server of one’s own', async () => {
    await current().start(asking(model.binding()))
    expect(model.server.requests[0]?.body).not.toHaveProperty('max_tokens')
  })

  it('shrinks to a part of what a limit leaves, and is what is reserved', async () => {
    const price = { inputUsdPerMTok: 0, outputUsdPerMTok: 10 }
    const binding = elsewhere({ sizes: { outputTokens: 128_000 }, price })
    await current().start(asking(binding), { limits: { maxCostUsd: 0.5 } })
    expect(sentCaps()[0]).toBeCloseTo(6_250, -1)
    const [started] = (await current().events()).filter((event) => event.type === 'step.started')
    expect(started?.data.reservation).toMatchObject({ costUsd: expect.closeTo(0.0625) })
    expect(started?.data.reservation).not.toHaveProperty('output')
  })

  it('is sent to a server of one’s own, too, where a limit on tokens binds', async () => {
    await current().start(asking(model.binding()), { limits: { maxTokens: 2_500 } })
    expect(sentCaps()[0]).toBeLessThan(2_500)
    expect(sentCaps()[0]).toBeGreaterThan(2_000)
  })

  it('is named where it cut an answer off', async () => {
    model.script = () => ({ text: 'hel', finishReason: 'length' })
    await current().start(asking(elsewhere()), { limits: { maxTokens: 80_000 } })
    const [told] = (await current().events()).filter((event) => event.type === 'notice')
    expect(told?.data.text).toContain(`maxOutputTokens ${sentCaps()[0]}): its answer is cut off.`)
  })

  it.each(['model_length', 'MAX_TOKENS', 'insufficient_system_resource'])(
    'cut an answer off also where the service calls it %s',
    async (finishReason) => {
      model.script = () => ({ text: 'hel', finishReason })
      expect(await current().start(asking(elsewhere()))).toBe('length')
    },
  )
})

function windowOf(windowTokens: number, outputTokens: number) {
  return { maxOutputTokens: null, sizes: { windowTokens, outputTokens } }
}

describe('a service that refuses so long an answer', () => {
  it.each([
    [
      400,
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
    ],
    [400, 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
    [402, 'This request requires more credits, or fewer max_tokens. You can only afford 5000.'],
    [429, 'Request too large for x on tokens per min (TPM): Limit 30000, Requested 41000.'],
  ])('is asked for a usual one from then on (%i, %s)', async (status, message) => {
    model.script = ({ body }) =>
      Number(body.max_tokens) > 4_096 ? { status, body: { error: { message } } } : { text: 'ok' }
    const binding = elsewhere()
    await current().start(async (context) => {
      for (const name of ['first', 'second'])
        await callModel(context, name, binding, { messages: [question] })
      return null
    })
    expect(sentCaps()).toEqual([32_000, 4_096, 4_096])
  })

  it('for the length of the prompt is asked so for that prompt alone', async () => {
    const message = 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'
    let isLong = true
    model.script = ({ body }) =>
      isLong && Number(body.max_tokens) > 4_096
        ? { status: 400, body: { error: { message } } }
        : { text: 'ok' }
    const binding = elsewhere()
    await current().start(async (context) => {
      await callModel(context, 'first', binding, { messages: [question] })
      isLong = false
      await callModel(context, 'second', binding, { messages: [question] })
      return null
    })
    expect(sentCaps()).toEqual([32_000, 4_096, 32_000])
  })
})

describe('limits and long answers', () => {
  const output = { least: 1_024, usual: 4_096, most: 128_000, usdPerToken: 0.00001 }
  const call = { steps: 1, tokens: 1_000 + 4_096, costUsd: 0.01 + 0.04096, output }

  it('leave as many calls at once their usual answers as before: a longer one takes no one’s', async () => {
    for (const count of [1, 2, 4, 8]) {
      const budget = new Budget({ maxCostUsd: count * call.costUsd })
      const grants = await Promise.all(Array.from({ length: count }, () => budget.reserve(call)))
      for (const { outputTokens } of grants) expect(outputTokens).toBeGreaterThanOrEqual(4_096)
      const dollars = grants.reduce((sum, { reservation }) => sum + (reservation.costUsd ?? 0), 0)
      expect(dollars).toBeLessThanOrEqual(count * call.costUsd * (1 + 1e-9))
    }
  })

  it('let four calls at once have long ones where there is much left', async () => {
    const budget = new Budget({ maxTokens: 1_000_000, maxCostUsd: 20 })
    const grants = await Promise.all([1, 2, 3, 4].map(() => budget.reserve(call)))
    for (const { outputTokens } of grants) expect(outputTokens).toBeGreaterThan(50_000)
  })

  it('give the last call all that is left, and none where that is too little for an answer', async () => {
    const last = new Budget({ maxTokens: 1_000 + 2_000 })
    expect((await last.reserve(call)).outputTokens).toBe(2_000)
    const tooLate = new Budget({ maxTokens: 1_000 + 1_000 })
    await expect(tooLate.reserve(call)).rejects.toMatchObject({ code: 'limit_reached' })
  })

  it('have a call wait for what others may give back, rather than be short', async () => {
    const budget = new Budget({ maxTokens: 2 * (1_000 + 4_096) - 1 })
    const first = await budget.reserve(call)
    const second = budget.reserve(call)
    first.settle({ inputTokens: 10, outputTokens: 10, costUsd: 0 })
    expect((await second).outputTokens).toBeGreaterThanOrEqual(4_096)
  })

  it('do not bind an answer where there are none', async () => {
    const { reservation, outputTokens } = await new Budget({ maxSteps: 5 }).reserve(call)
    expect(outputTokens).toBeUndefined()
    expect(reservation.tokens).toBe(call.tokens)
  })

  it('of a part bind an answer, too', async () => {
    const run = new Budget({ maxTokens: 1_000_000 })
    const part = run.part('part', { maxTokens: 3_000 }, 0)
    expect((await part.reserve(call)).outputTokens).toBe(2_000)
  })
})
