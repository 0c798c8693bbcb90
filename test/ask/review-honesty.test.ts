import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const nothing = 'The sources do not say.'
const noResearch: ScriptedReply = { json: { research_steps: [], expert_steps: ['Answer.'] } }

/** An expert that first makes a calculation, then says this, and a finalizer that repeats it. */
const calculating = (expression: string, answer: string): TeamScript => ({
  expert: (seen) =>
    seen.lastRole === 'tool'
      ? { json: { expert_answer: answer, reasoning_trace: 'calculate' } }
      : { toolCalls: [{ name: 'calculate', input: { expression } }] },
  finalizer: { json: { final_answer: answer, final_reasoning_trace: 'calculate' } },
})
const final = (answer: string): TeamScript => ({
  finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } },
})

describe('an answer that cites nothing', () => {
  it('is withheld when nothing was looked up or calculated', async () => {
    const { result } = await team.ask('Who invented CRISPR?', {
      team: { planner: noResearch, ...final('Newton did, in 1873.') },
    })
    expect(result).toMatchObject({
      status: 'unanswered',
      stopReason: 'no_evidence',
      answer: nothing,
      claims: [],
      gaps: [{ kind: 'uncited_answer', detail: expect.stringContaining('Nothing was looked up') }],
    })
  })

  it('is withheld when what was calculated does not stand in it', async () => {
    const script = { planner: noResearch, ...calculating('1 + 1', 'Newton did, in 1873.') }
    const { result } = await team.ask('Who invented CRISPR?', { team: script })
    expect(result).toMatchObject({ status: 'unanswered', answer: nothing })
  })

  it('stands when it gives the result of a calculation', async () => {
    const script = { planner: noResearch, ...calculating('15% of 240', 'It is 36.') }
    const { result } = await team.ask('What is 15% of 240?', { team: script })
    expect(result).toMatchObject({ status: 'answered', answer: 'It is 36.', gaps: [] })
    expect(result.claims).toMatchObject([{ reason: expect.stringContaining('calculated') }])
  })

  it('is withheld when research was planned, whatever was calculated', async () => {
    const script = calculating('1 + 1', 'It was found 2 centuries ago by Newton.')
    const { result } = await team.ask(question, { team: script })
    expect(result).toMatchObject({ status: 'unanswered', answer: nothing })
    expect(result.gaps.map(({ kind }) => kind)).toEqual(['uncited_answer'])
  })

  it('appears next to missing research when it is nothing but a calculation', async () => {
    const script: TeamScript = {
      researcher: { json: { result: nothing } },
      ...calculating('15% of 240', '15% of 240 is 36.'),
    }
    const { result } = await team.ask('What is 15% of 240, and who was Zorp?', { team: script })
    expect(result).toMatchObject({ status: 'partial', answer: '15% of 240 is 36.' })
    expect(result.gaps.map(({ kind }) => kind)).toEqual(['no_evidence'])
  })

  it('may appear next to citations, and only the calculated sentence is called calculated', async () => {
    const answer = `${found} That is 685.15 kelvin. Newton found it.`
    const { result } = await team.ask(question, { team: calculating('412 + 273.15', answer) })
    expect(result.status).toBe('answered')
    expect(result.claims.map(({ verdict, reason }) => [verdict, reason.split(':')[0]])).toEqual([
      ['verbatim', expect.any(String)],
      ['unchecked', 'No citation'],
      ['not_found', 'It has no citation.'],
    ])
  })
})

describe('an answer of which nothing is found in its places', () => {
  it('is partial at best, and says so', async () => {
    const answer = 'Bananas are 90 kilometres long and belong to Newton [1].'
    const { result } = await team.ask(question, { team: final(answer) })
    expect(result).toMatchObject({
      status: 'partial',
      stopReason: 'gaps',
      answer,
      claims: [{ verdict: 'not_found' }],
      gaps: [{ kind: 'unsupported_answer' }],
    })
  })

  it('is told of next to one that is found, where a verifier has looked', async () => {
    const { result } = await team.ask(question, { team: final(`Bananas are long [1]. ${found}`) })
    expect(result).toMatchObject({
      status: 'partial',
      gaps: [{ kind: 'unsupported_answer', detail: expect.stringContaining('Of 2 sentences') }],
    })
  })
})

describe('a fixed text that a model writes', () => {
  it.each(['The question could not be answered.', '"the sources do not say"'])(
    '%s is no answer, and is no limit of critics',
    async (text) => {
      const { result } = await team.ask(question, { team: final(text) })
      expect(result).toMatchObject({
        status: 'unanswered',
        stopReason: 'no_evidence',
        answer: nothing,
        gaps: [],
      })
    },
  )
})

describe('a finalizer that fails', () => {
  it.each([
    ['for good', 400, 'partial'],
    ['for a while', 503, 'failed'],
  ] as const)('%s leaves the approved answer, checked', async (_how, status, ended) => {
    const asked = await team.ask(question, { team: { finalizer: { status } } })
    expect(asked.result).toMatchObject({
      status: ended,
      stopReason: 'error',
      answer: found,
      citations: [{ n: 1 }],
      claims: [{ verdict: 'verbatim' }],
      gaps: [{ kind: 'error', detail: expect.stringContaining('finalizer: ') }],
    })
    const resumed = await team.resume(asked.runId)
    expect(resumed.result.status).toBe(ended === 'failed' ? 'answered' : 'partial')
    expect(resumed.requests).toHaveLength(ended === 'failed' ? 1 : 0)
  })
})

describe('a search that fails', () => {
  const broken = (failures: number) => {
    let searches = 0
    return new Proxy(team.library, {
      get: (target, name) =>
        name === 'search' && searches++ < failures
          ? () => Promise.reject(new Error('index gone'))
          : Reflect.get(target, name).bind(target),
    })
  }

  it('last of all is a gap', async () => {
    const { result } = await team.ask(question, { parts: { library: broken(99) } })
    expect(result.gaps).toContainEqual({
      kind: 'tool_failed',
      detail: expect.stringContaining('index gone'),
    })
  })

  it('is none when a later one worked', async () => {
    const search = { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone' } }] }
    const { result } = await team.ask(question, {
      parts: { library: broken(1) },
      team: { researcher: (_seen, call) => (call < 3 ? search : { json: { result: found } }) },
    })
    expect(result).toMatchObject({ status: 'answered', gaps: [] })
  })
})

describe('a limit', () => {
  const two: TeamScript = {
    planner: {
      json: { research_steps: ['glimmerstone melts', 'varnel weighs'], expert_steps: ['x'] },
    },
  }

  it('of steps leaves the finalizer’s share, with which approved research becomes an answer', async () => {
    const script: TeamScript = {
      ...two,
      finalizer: { json: { final_answer: `In short: ${found}`, final_reasoning_trace: 'Read.' } },
    }
    const { result, requests } = await team.ask(question, {
      team: script,
      execution: { limits: { maxSteps: 10 } },
    })
    expect(result).toMatchObject({
      status: 'partial',
      stopReason: 'limit',
      answer: `In short: ${found}`,
      reasoning: expect.stringMatching(/^The limit on .* was reached\..*Read\.$/),
    })
    expect(result.gaps.map(({ kind }) => kind)).toEqual(['limit'])
    expect(requests.at(-1)?.lastText).not.toContain('varnel')
  })

  it('leaves what was approved as it is when the finalizer fails then', async () => {
    const { result } = await team.ask(question, {
      team: { ...two, finalizer: { status: 400 } },
      execution: { limits: { maxSteps: 10 } },
    })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit', answer: found })
  })
})

describe('an answer that says something else than its source', () => {
  it.each([
    ['another number', 'Glimmerstone melts at 512 degrees Celsius [1].'],
    [
      'a number that stands nowhere',
      `Glimmerstone melts at 412 degrees Celsius [1]. ${found} Its mines employ 87,300 people [1].`,
    ],
    [
      'a source that was never read',
      'Glimmerstone melts at 412 degrees Celsius [1]. It is made on Mars [7].',
    ],
  ])('(%s) is not told as a plain success', async (_what, answer) => {
    const { result } = await team.ask(question, { team: final(answer) })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'gaps', answer })
    expect(result.gaps.map(({ kind }) => kind)).toEqual(['unsupported_answer'])
  })
})

describe('an answer that mostly rests on nothing', () => {
  it('is partial, though one sentence of it is found', async () => {
    const answer = `${found} It cures all cancers. It was made by Newton. It glows at night.`
    const { result } = await team.ask(question, { team: final(answer) })
    expect(result).toMatchObject({ status: 'partial', coverage: { verbatim: 1 } })
    expect(result.gaps).toMatchObject([
      { kind: 'unsupported_answer', detail: '3 sentences have no citation.' },
    ])
  })
})
