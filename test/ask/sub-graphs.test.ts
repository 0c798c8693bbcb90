import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hash } from '../../src/kernel/index.ts'
import { formatResult } from '../../src/kernel/text/result-text.ts'
import type { ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { type Asked, messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'How warm is it when glimmerstone melts, in kelvin?'
const found = 'Glimmerstone melts at 412 degrees Celsius [1].'
const answer = 'Glimmerstone melts at 412 degrees Celsius [1]. That is 685.15 kelvin.'
const call = (name: string, input: Record<string, string | number>): ScriptedReply => ({
  toolCalls: [{ name, input }],
})

/** Says one thing after the other. */
const inTurn =
  (...replies: ScriptedReply[]) =>
  (_seen: unknown, turn: number): ScriptedReply =>
    replies[turn - 1] ?? { text: 'There is nothing more to say.' }

/** A researcher and an expert that use several tools, one after the other. */
const busy: TeamScript = {
  researcher: inTurn(
    call('search_library', { query: 'glimmerstone melts' }),
    call('read_source', { citation: 1 }),
    call('quote_source', { citation: 1, text: 'melts at 412 degrees Celsius' }),
    { json: { result: found } },
  ),
  expert: inTurn(
    call('convert_units', { quantity: '412 degC', to: 'K' }),
    call('calculate', { expression: '412 + 273.15' }),
    {
      json: {
        expert_answer: answer,
        reasoning_trace: '1. convert_units gave 685.15 K. 2. calculate agreed.',
      },
    },
  ),
  finalizer: { json: { final_answer: answer, final_reasoning_trace: 'Read, then converted.' } },
}
const agents = ['researcher', 'expert'] as const

/** What the state keeps of an agent's conversation, as the log has it. */
async function keptConversation(asked: Asked, agent: (typeof agents)[number]) {
  const { research, answer } = asked.state
  const kept = agent === 'expert' ? answer.conversation : research.researchers[0]?.conversation
  const texts = (kept ?? []).map((hash: Hash) => team.store.blob(asked.runId, hash))
  return (await Promise.all(texts)).map((text) => JSON.parse(String(text)))
}

describe.each(agents)('the conversation of the %s with its tools', (agent) => {
  it('only grows: each request begins with the one before, word for word', async () => {
    const asked = await team.ask(question, { team: busy })
    const conversations = requestsOf(asked, agent).map(messagesOf)
    expect(conversations).toHaveLength(agent === 'expert' ? 3 : 4)
    for (const [index, conversation] of conversations.entries()) {
      const before = conversations[index - 1] ?? []
      expect(conversation.slice(0, before.length)).toEqual(before)
      expect(conversation).toHaveLength(2 + 2 * index)
    }
  })

  it('has each call answered by its own result, in between nothing else', async () => {
    const asked = await team.ask(question, { team: busy })
    const messages = messagesOf(requestsOf(asked, agent).at(-1)) as readonly {
      role: string
      tool_calls?: readonly { id: string }[]
      tool_call_id?: string
    }[]
    const turns = messages.slice(2)
    expect(turns.map(({ role }) => role)).toEqual(
      turns.map((_, at) => ['assistant', 'tool'][at % 2]),
    )
    for (const [index, { tool_calls: calls }] of turns.entries()) {
      if (calls === undefined) continue
      expect(calls.map(({ id }) => id)).toEqual([turns[index + 1]?.tool_call_id])
    }
  })

  it('stands in the state whole: instructions, calls, results and the answer, in order', async () => {
    const asked = await team.ask(question, { team: busy })
    const kept = await keptConversation(asked, agent)
    const sent = messagesOf(requestsOf(asked, agent).at(-1))
    expect(kept.map(({ role }) => role)).toEqual([...sent.map(({ role }) => role), 'assistant'])
    const results = kept.flatMap(({ parts }) =>
      parts.filter((part: { type: string }) => part.type === 'tool-result'),
    )
    const shown = sent.filter(({ role }) => role === 'tool').map(({ content }) => content)
    expect(results.map(({ output }) => formatResult(output))).toEqual(shown)
    const last = JSON.parse(kept.at(-1).parts[0].text)
    expect(Object.keys(last)[0]).toBe(agent === 'expert' ? 'expert_answer' : 'result')
  })

  it('is led by two nodes, the second of which keeps what the first one left', async () => {
    const { events } = await team.ask(question, { team: busy })
    const inside = events.filter(
      ({ type, key }) => type === 'node.done' && key.startsWith(`ask/${agent}[1]/`),
    )
    expect(inside.map(({ key }) => key)).toEqual([
      `ask/${agent}[1]/converse[1]`,
      `ask/${agent}[1]/report[1]`,
    ])
    const [converse, report] = inside.map(({ output }) => Object.keys(output as object))
    expect(converse).toEqual(['conversation', 'text', 'findings'])
    expect(report).toEqual(['answer'])
  })
})

describe('the expert', () => {
  it('may use several tools for one answer, and each result is kept', async () => {
    const { state, result } = await team.ask(question, { team: busy })
    expect(state.answer.calculations).toEqual([
      { expression: '412 degC to K', result: '685.15 K' },
      { expression: '412 + 273.15', result: '685.15' },
    ])
    expect(state.answer.draftReasoning).toBe('1. convert_units gave 685.15 K. 2. calculate agreed.')
    expect(result).toMatchObject({ status: 'answered', answer })
    expect(result.claims.map(({ verdict, reason }) => [verdict, reason.split(':')[0]])).toEqual([
      ['verbatim', expect.any(String)],
      ['unchecked', 'No citation'],
    ])
  })

  it('is given the steps that were planned for it, in order', async () => {
    const steps = ['Take the melting point.', 'Convert it to kelvin.', 'Say both.']
    const plan = { json: { research_steps: ['glimmerstone melts'], expert_steps: steps } }
    const asked = await team.ask(question, { team: { ...busy, planner: plan } })
    const [first] = requestsOf(asked, 'expert')
    const list = steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
    expect(messagesOf(first)[1]?.content).toContain(list)
    expect(asked.result).toMatchObject({ status: 'answered', plan: { expertSteps: steps } })
  })

  it('goes on with another tool where one fails', async () => {
    const { state, result, requests } = await team.ask(question, {
      team: {
        ...busy,
        expert: inTurn(
          call('calculate', { expression: '412 degC to K' }),
          call('convert_units', { quantity: '412 degC', to: 'K' }),
          { json: { expert_answer: answer, reasoning_trace: 'convert_units: 685.15 K' } },
        ),
      },
    })
    const [, second] = requestsOf({ requests }, 'expert')
    expect(second?.lastText).toMatch(/^Error: /)
    expect(state.answer.calculations).toEqual([{ expression: '412 degC to K', result: '685.15 K' }])
    expect(result).toMatchObject({ status: 'answered', gaps: [] })
  })

  it('is told what is wrong with the arguments of a call, and nothing is calculated', async () => {
    const { state, requests } = await team.ask(question, {
      team: {
        ...busy,
        expert: inTurn(call('calculate', { formula: '1 + 1' }), {
          json: { expert_answer: found, reasoning_trace: '' },
        }),
      },
    })
    const [, second] = requestsOf({ requests }, 'expert')
    expect(second?.lastText).toMatch(/Invalid arguments for calculate: .*expression/s)
    expect(state.answer.calculations).toEqual([])
  })
})

describe('the researcher', () => {
  it('goes on with another tool where one fails, and its result rests on that', async () => {
    let searches = 0
    const library = new Proxy(team.library, {
      get: (target, name) =>
        name === 'search' && ++searches > 1
          ? () => Promise.reject(new Error('index gone'))
          : Reflect.get(target, name).bind(target),
    })
    const { result, requests } = await team.ask(question, {
      parts: { library },
      team: {
        ...busy,
        researcher: inTurn(
          call('search_library', { query: 'glimmerstone', limit: 1 }),
          call('search_library', { query: 'lamps of lighthouses' }),
          call('read_source', { citation: 1 }),
          { json: { result: 'Glimmerstone is used in the lamps of lighthouses [1].' } },
        ),
      },
    })
    const seen = requestsOf({ requests }, 'researcher')
    expect(seen[2]?.lastText).toBe('Error: index gone')
    expect(seen[3]?.lastText).toContain('lamps of lighthouses')
    expect(result.citations).toMatchObject([{ n: 1, title: 'Glimmerstone' }])
  })
})
