import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callModel, type Limits } from '../../src/kernel/index.ts'
import { noticeOvershoot } from '../../src/kernel/limits/with-limits.ts'
import type { ScriptedReply } from '../../src/testing/index.ts'
import { TestTeam } from '../ask/team.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { price } from './call-tree.ts'

/** An answer of a service that counts so many tokens of a prompt. */
function counting(promptTokens: number, content = 'a'): ScriptedReply {
  const message = { role: 'assistant', content }
  const body = {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 },
  }
  return { status: 200, body }
}

describe('a service that counts more tokens than a call can have', () => {
  const current = useRuns()
  const model = useHttpModel()

  /** Two calls, then what is to be told of passed limits. */
  const body: Body = async (context) => {
    const prices = { 'openai-compatible:scripted': price }
    const binding = model.binding({ maxOutputTokens: 10, isStreamed: false, prices })
    const parts = [{ type: 'text' as const, text: 'Hello' }]
    const messages = [{ id: 'q', role: 'user' as const, parts, createdAt: 0 }]
    const outcomes = []
    for (const name of ['first', 'second']) {
      const call = callModel(context, name, binding, { messages })
      outcomes.push(await call.then(() => 'answered').catch((error) => error.details.limit))
    }
    return [...outcomes, (await noticeOvershoot(context)) ?? null]
  }
  const run = (limits: Limits) => current().start(body, { limits })
  const notices = async () =>
    (await current().events())
      .filter((event) => event.type === 'notice')
      .map(({ data }) => data.text)

  it('is reported with its excess over the limit, at the call and at the end, also in a replay', async () => {
    model.script = () => counting(1_000)
    const told =
      'The limits were exceeded: dollars by 502. A service used more than the estimated maximum of a call.'
    expect(await run({ maxCostUsd: 500 })).toEqual(['answered', 'maxCostUsd', told])
    expect(await notices()).toEqual([
      expect.stringMatching(
        /^1001 tokens were counted for a call that can use at most \d\d. The limits/,
      ),
      told,
    ])
    expect((await current().replay(body)).result.value).toEqual(['answered', 'maxCostUsd', told])
  })

  it('is told of also when no limit was passed yet', async () => {
    model.script = () => counting(1_000)
    expect(await run({ maxTokens: 9_000 })).toEqual(['answered', 'answered', null])
    const told = expect.stringMatching(
      /^1001 tokens were counted for a call that can use at most \d\d.$/,
    )
    expect(await notices()).toEqual([told, told])
  })

  it('is not told of when it keeps to the bound', async () => {
    model.script = () => counting(9)
    expect(await run({ maxTokens: 9_000 })).toEqual(['answered', 'answered', null])
    expect(await notices()).toEqual([])
  })
})

describe('an answer that cost more than it was allowed because a service counted more', () => {
  const team = new TestTeam()
  beforeAll(() => team.open())
  afterAll(() => team.close())

  it('says so among its gaps', async () => {
    const final = {
      final_answer: 'Glimmerstone melts at 412 degrees Celsius [1].',
      final_reasoning_trace: '',
    }
    const reply = counting(900_000, JSON.stringify(final))
    const choices = { default: { name: 'openai-compatible:scripted', isStreamed: false } }
    const { result, runId } = await team.ask('At what temperature does glimmerstone melt?', {
      team: { finalizer: reply },
      settings: { choices },
      execution: { limits: { maxTokens: 200_000 } },
    })
    expect(result).toMatchObject({ status: 'answered', answer: final.final_answer })
    expect(result.gaps).toEqual([
      { kind: 'limit', detail: expect.stringMatching(/limits were exceeded: tokens by \d+/) },
    ])
    const replay = await team.replay(runId)
    expect(replay.result).toEqual(replay.recorded)
  })
})
