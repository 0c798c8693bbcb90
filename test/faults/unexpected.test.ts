import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHooks, type ModelSource } from '../../src/kernel/index.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { type Asking, TestTeam } from '../ask/team.ts'
import { scriptedBinding } from '../kernel/scripted-binding.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const message = 'undefined is not a function'
const bug = (): never => {
  throw new TypeError(message)
}

/** The library with a method that does not do what it should. */
function broken(method: keyof Library): Library {
  return new Proxy(team.library, {
    get(target, name) {
      if (name === method) return bug
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** Models of which none can be had for a role. */
function modelsWithout(role: string): ModelSource {
  const { binding } = scriptedBinding(() => 'Nothing.')
  return { forRole: (asked) => (asked === role ? bug() : binding) }
}

/** A model whose code fails. */
const brokenModel: Asking['settings'] = {
  choices: { default: 'mine:model' },
  providers: {
    mine: () => ({
      specificationVersion: 'v4',
      provider: 'mine',
      modelId: 'model',
      supportedUrls: {},
      doGenerate: bug,
      doStream: bug,
    }),
  },
}

describe('a question in which something throws what nobody expects', () => {
  it.each<[string, string, () => Asking]>([
    ['its sources are read', 'input', () => ({ parts: { readSources: bug } })],
    ['its model is made', 'planner', () => ({ execution: { models: modelsWithout('planner') } })],
    [
      'its evidence is looked up',
      'critic_researcher',
      () => ({ parts: { library: broken('text') } }),
    ],
    ['its cited sources are described', 'verify', () => ({ parts: { library: broken('source') } })],
    [
      'its budget is shared out',
      'ask',
      () => ({ execution: { models: modelsWithout('finalizer') } }),
    ],
  ])('while %s has failed, and says where (%s) and what', async (_what, component, asking) => {
    const { runId, result, events } = await team.ask(question, asking())
    expect(result).toMatchObject({
      status: 'failed',
      stopReason: 'error',
      answer: `${component} failed: ${message}`,
      claims: [],
      gaps: [{ kind: 'error', detail: `${component}: ${message}` }],
      error: { code: 'internal', message, retryable: false },
    })
    expect((await team.store.get(runId)).status).toBe('failed')
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', data: { status: 'failed' } })
    expect((await team.resume(runId)).result).toEqual(result)
  })

  it('in the code of its model has failed, and may continue once that is fixed', async () => {
    const { result, runId } = await team.ask(question, { settings: brokenModel })
    expect(result).toMatchObject({ status: 'failed', error: { code: 'model_unavailable' } })
    expect(result.answer).toContain(message)
    expect((await team.store.get(runId)).status).toBe('failed')
  })

  it('in a hook or a listener is answered all the same', async () => {
    const hooks = createHooks()
    for (const point of ['run:before', 'model:call:after', 'tool:call:before'] as const)
      hooks.on(point, bug)
    const { result } = await team.ask(question, { execution: { hooks, listeners: [bug] } })
    expect(result.status).toBe('answered')
  })

  it('in a search tells that to the researcher, and continues', async () => {
    const { result } = await team.ask(question, { parts: { library: broken('search') } })
    expect(result).toMatchObject({ status: 'unanswered', error: null })
    expect(result.gaps.map(({ detail }) => detail).join()).toContain(message)
  })
})

describe('a question whose check fails for a while', () => {
  it('has failed, and is answered when it continues', async () => {
    let isDown = true
    const library = new Proxy(team.library, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (name === 'source' && isDown) return unavailable
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
    const asked = await team.ask(question, { parts: { library } })
    expect(asked.result).toMatchObject({ status: 'failed', error: { retryable: true } })
    isDown = false
    const resumed = await team.resume(asked.runId, { parts: { library } })
    expect(resumed.requests).toEqual([])
    expect(resumed.result).toMatchObject({
      status: 'answered',
      citations: [{ n: 1 }],
      claims: [{ verdict: 'verbatim' }],
      error: null,
    })
    const replay = await team.replay(asked.runId)
    expect(replay.result).toEqual(replay.recorded)
  })
})

/** As a library behind a network would fail. */
const unavailable = () =>
  Promise.reject(new DOMException('the connection was closed', 'AbortError'))
