import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScholiumError } from '../../src/kernel/index.ts'
import {
  findRole,
  type ModelRequestSeen,
  type ScriptedReply,
  type ScriptedRole,
} from '../../src/testing/index.ts'
import { requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
/** Whose failure ends the work; the verifier's never does. */
type EndingRole = Exclude<ScriptedRole, 'verifier' | 'rewriter' | 'quick'>
const component: Readonly<Record<EndingRole, string>> = {
  planner: 'planner',
  critic_planner: 'critic_planner',
  researcher: 'researcher',
  critic_researcher: 'critic_researcher',
  expert: 'expert',
  critic_expert: 'critic_expert',
  finalizer: 'finalizer',
}
const roles = Object.keys(component) as readonly EndingRole[]

/** The roles of the requests that were made a second time. */
function askedAgain(
  before: readonly ModelRequestSeen[],
  after: readonly ModelRequestSeen[],
): readonly string[] {
  const known = new Set(before.map(({ bodyHash }) => bodyHash))
  return after.filter(({ bodyHash }) => known.has(bodyHash)).map(findRole)
}

describe('a model that is down', () => {
  it.each(roles)(
    'for the %s fails the run and names it; when it is back, the run continues',
    async (role) => {
      const asked = await team.ask(question, { team: { [role]: { status: 500 } } })
      expect(requestsOf(asked, role)).toHaveLength(3)
      expect(asked.result).toMatchObject({ status: 'failed', stopReason: 'error' })
      expect(asked.result.gaps).toContainEqual({
        kind: 'error',
        detail: expect.stringMatching(
          new RegExp(`^${component[role]}: openai-compatible:scripted failed`),
        ),
      })
      expect(asked.state).toMatchObject({
        control: {
          errorComponent: component[role],
          error: { code: 'model_unavailable', retryable: true, details: { status: 500 } },
          rejectionCount: 0,
        },
      })
      if (role !== 'finalizer') {
        expect(asked.result.answer).toBe(
          `${component[role]} failed: ${asked.state.control.error?.message}`,
        )
      }
      expect(asked.events.filter(({ type }) => type === 'notice')).toMatchObject([
        { data: { level: 'error', text: expect.stringContaining(`${component[role]}: `) } },
      ])
      expect((await team.store.get(asked.runId)).status).toBe('failed')

      const resumed = await team.resume(asked.runId)
      expect(resumed.result).toMatchObject({
        status: 'answered',
        answer: 'Glimmerstone melts at 412 degrees Celsius [1].',
        gaps: [],
      })
      expect(askedAgain(asked.requests, resumed.requests)).toEqual([role])
      expect((await team.store.get(asked.runId)).status).toBe('answered')
      const replay = await team.replay(asked.runId)
      expect(replay.result).toEqual(replay.recorded)
      expect(replay.unclaimed).toEqual([])
    },
  )

  it('for a moment is not noticed', async () => {
    const failing = (reply: ScriptedReply) => (_seen: unknown, call: number) =>
      call === 1 ? reply : { json: { decision: 'approve', feedback: '' } }
    for (const reply of [{ status: 503 }, { status: 429 }, { reset: true }] as const) {
      const { result } = await team.ask(question, { team: { critic_planner: failing(reply) } })
      expect(result).toMatchObject({ status: 'answered', retries: { planner: 0 } })
    }
  })

  it('because every connection is closed fails the run the same way, and it goes on later', async () => {
    const asked = await team.ask(question, { team: { researcher: { reset: true } } })
    expect(requestsOf(asked, 'researcher')).toHaveLength(3)
    expect(asked.result).toMatchObject({ status: 'failed', stopReason: 'error' })
    expect(asked.state).toMatchObject({
      control: {
        errorComponent: 'researcher',
        error: { code: 'model_unavailable', retryable: true },
      },
    })
    expect((await team.resume(asked.runId)).result.status).toBe('answered')
  })

  it('stays a failed run as long as it is down', async () => {
    const down = { expert: { status: 503 } } as const
    const asked = await team.ask(question, { team: down })
    for (let time = 1; time <= 2; time++) {
      const again = await team.resume(asked.runId, { team: down })
      expect(again.result.status).toBe('failed')
      expect(requestsOf(again, 'planner')).toHaveLength(0)
      expect(requestsOf(again, 'expert')).toHaveLength(3)
    }
    expect((await team.resume(asked.runId)).result.status).toBe('answered')
  })
})

describe('a model that refuses', () => {
  it.each([
    [401, 'Check the key in OPENAI_API_KEY'],
    [404, 'Check the name of the model.'],
  ])(
    'with %i fails the run at once, says what to do, and goes on once it is mended',
    async (status, hint) => {
      const asked = await team.ask(question, { team: { expert: { status } } })
      expect(requestsOf(asked, 'expert')).toHaveLength(1)
      expect(asked.result.status).toBe('failed')
      expect(asked.state.control.error).toMatchObject({
        code: 'model_failed',
        retryable: true,
        hint: expect.stringContaining(hint),
      })
      const again = await team.resume(asked.runId)
      expect(again.result.status).toBe('answered')
      expect(requestsOf(again, 'researcher')).toHaveLength(0)
    },
  )

  it('with 400 has failed for good', async () => {
    const asked = await team.ask(question, { team: { planner: { status: 400 } } })
    expect(asked.state.control.error).toMatchObject({ code: 'model_failed', retryable: false })
    const again = await team.resume(asked.runId)
    expect(again.result).toEqual(asked.result)
    expect(again.requests).toHaveLength(0)
  })
})

describe('a library that cannot be read', () => {
  it('fails the run where it is opened, by name', async () => {
    const readSources = () =>
      Promise.reject(new ScholiumError('store_failed', 'The library is damaged.'))
    await expect(team.ask(question, { parts: { readSources } })).rejects.toMatchObject({
      code: 'store_failed',
    })
    const unreadable = () => Promise.reject(new Error('disk on fire'))
    const { state, result } = await team.ask(question, { parts: { readSources: unreadable } })
    expect(state).toMatchObject({
      control: { errorComponent: 'input', error: { message: 'disk on fire' } },
    })
    expect(result).toMatchObject({ status: 'failed', answer: 'input failed: disk on fire' })
  })

  it('is what the researcher is told when a search fails, and the run goes on', async () => {
    const broken = new Proxy(team.library, {
      get: (target, name) =>
        name === 'search'
          ? () => Promise.reject(new Error('index gone'))
          : Reflect.get(target, name).bind(target),
    })
    const asked = await team.ask(question, { parts: { library: broken } })
    expect(requestsOf(asked, 'researcher')[1]?.lastText).toContain('index gone')
    expect(asked.result).toMatchObject({ status: 'unanswered', stopReason: 'no_evidence' })
  })
})

describe('a key', () => {
  it('is in nothing that the log holds, though the service and the model repeat it and the question has it', async () => {
    const key = 'sk-live-0123456789'
    const environment = { OPENAI_BASE_URL: team.server.url, OPENAI_API_KEY: key }
    const asking = { execution: { secrets: [key] }, settings: { environment } }
    const body = { error: { message: `Incorrect API key provided: ${key}` } }
    const refused = await team.ask(`Is ${key} a key?`, {
      ...asking,
      team: { expert: { status: 401, body } },
    })
    const echoed = await team.ask(question, {
      ...asking,
      team: {
        finalizer: { json: { final_answer: `It is ${key} [1].`, final_reasoning_trace: key } },
      },
    })
    expect(refused.requests[0]?.apiKey).toBe(key)
    expect(refused.result.answer).toContain('Incorrect API key provided: [secret]')
    expect(echoed.result.answer).toBe('It is [secret] [1].')
    for (const { runId, events } of [refused, echoed]) {
      expect(JSON.stringify(events)).not.toContain(key)
      expect(JSON.stringify(await team.store.get(runId))).not.toContain(key)
    }
    const files = ['runs.db', 'runs.db-wal'].map((name) => `${team.folder}/${name}`)
    for (const file of files) expect(readFileSync(file).includes(key)).toBe(false)
  })
})

describe('an interruption', () => {
  it.each(roles)('while the %s is asked leaves a run that continues from there', async (role) => {
    const interruption = new AbortController()
    const { signal } = interruption
    const script = {
      [role]: () => {
        setTimeout(() => interruption.abort(), 5)
        return { hang: true } as const
      },
    }
    const first = team.server.requests.length
    const asking = team.ask(question, { team: script, execution: { signal } })
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    expect((await team.store.get(team.lastRunId)).status).toBe('interrupted')
    const before = team.server.requests.slice(first)
    const resumed = await team.resume(team.lastRunId)
    expect(resumed.result.status).toBe('answered')
    expect(askedAgain(before, resumed.requests)).toEqual([role])
  })
})
