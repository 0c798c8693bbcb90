import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchRequest } from '../../src/retrieval/library.ts'
import type { ScriptedReply } from '../../src/testing/index.ts'
import { readShown } from '../shown-results.ts'
import { type Asking, messagesOf, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const search: ScriptedReply = {
  toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone melts' } }],
}
const found = { json: { result: 'Glimmerstone melts at 412 degrees Celsius [1].' } }

/** Asks with a researcher that says one thing after the other, and gives the results that its tools gave. */
async function research(replies: readonly ScriptedReply[], asking: Asking = {}) {
  const asked = await team.ask(question, {
    ...asking,
    team: { researcher: (_seen, call) => replies[call - 1] ?? found },
  })
  const results = messagesOf(requestsOf(asked, 'researcher').at(-1)).flatMap(({ role, content }) =>
    role === 'tool' ? [readShown(content ?? '')] : [],
  )
  const calls = asked.events.filter(({ key, type }) => type === 'step.done' && /tool\[/.test(key))
  return { ...asked, results, calls }
}

describe('a tool call of the researcher', () => {
  it.each<[string, ScriptedReply]>([
    ['structured', search],
    [
      'printed as <tool_call>',
      {
        text: '<tool_call>{"name":"search_library","arguments":{"query":"glimmerstone melts"}}</tool_call>',
      },
    ],
    [
      'printed in a code block',
      {
        text: 'Let me look.\n```json\n{"name": "search_library", "arguments": {"query": "glimmerstone melts"}}\n```',
      },
    ],
    ['printed in Python', { text: '[search_library(query="glimmerstone melts")]' }],
  ])('%s is done once', async (_how, reply) => {
    const { calls, results, result } = await research([reply])
    expect(calls).toHaveLength(1)
    expect(results).toHaveLength(1)
    expect(results[0]?.passages[0]).toMatchObject({ n: 1, title: 'Glimmerstone' })
    expect(result).toMatchObject({ status: 'answered', citations: [{ n: 1 }] })
  })

  it('that is told of or quoted is not done', async () => {
    const text = 'One could call search_library(query="x"), as the manual says: `search_library`.'
    const { calls } = await research([{ text }])
    expect(calls).toHaveLength(0)
  })

  it('stands beside others, all done at once, results in the order of the calls', async () => {
    let [under, most] = [0, 0]
    const search = async (request: SearchRequest) => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return team.library.search(request).finally(() => under--)
    }
    const library = new Proxy(team.library, {
      get: (target, name) => (name === 'search' ? search : Reflect.get(target, name).bind(target)),
    })
    const reply = {
      toolCalls: ['varnel', 'glimmerstone'].map((query) => ({
        name: 'search_library',
        input: { query, limit: 1 },
      })),
    }
    const { results, calls } = await research([reply], { parts: { library } })
    expect(most).toBe(2)
    expect(calls).toHaveLength(2)
    expect(results.map(({ passages }) => passages[0]?.title)).toEqual([
      'The varnel',
      'Glimmerstone',
    ])
    expect(results.map(({ passages }) => passages[0]?.n)).toEqual([1, 2])
  })

  it.each<[string, ScriptedReply, RegExp]>([
    [
      'an unknown tool',
      { toolCalls: [{ name: 'browse_web', input: {} }] },
      /There is no tool "browse_web"\. Tools: search_library/,
    ],
    [
      'arguments that are missing',
      { toolCalls: [{ name: 'search_library', input: {} }] },
      /Invalid arguments for search_library: .*query/s,
    ],
    [
      'arguments out of range',
      { toolCalls: [{ name: 'search_library', input: { query: 'x', limit: 500 } }] },
      /Invalid arguments .*limit/s,
    ],
    [
      'arguments that are no JSON',
      { toolCalls: [{ name: 'search_library', input: '{query: ' }] },
      /was not made: its arguments are cut off/,
    ],
    [
      'a number that stands for nothing',
      { toolCalls: [{ name: 'read_source', input: { citation: 7 } }] },
      /The number 7 does not refer to a source\. There are no numbers yet\./,
    ],
    [
      'the number 0',
      { toolCalls: [{ name: 'read_source', input: { citation: 0 } }] },
      /The number 0 does not refer to a source/,
    ],
  ])('with %s is data for the model, and the run goes on', async (_what, reply, text) => {
    const { results, result, state } = await research([reply, search])
    expect(results[0]?.error).toMatch(text)
    expect(results[1]?.passages.length).toBeGreaterThan(0)
    expect(result.status).toBe('answered')
    expect(state.control.error).toBeNull()
  })

  it('reads on in a source, and says whether words stand in it', async () => {
    const { results } = await research([
      { toolCalls: [{ name: 'search_library', input: { query: 'glimmerstone melts', limit: 1 } }] },
      { toolCalls: [{ name: 'read_source', input: { citation: 1 } }] },
      {
        toolCalls: [{ name: 'quote_source', input: { citation: 1, text: 'shines without heat' } }],
      },
      { toolCalls: [{ name: 'quote_source', input: { citation: 1, text: 'glows in the dark' } }] },
    ])
    expect(results[1]).toMatchObject({ passages: [{ n: 1 }], passagesLeft: 0 })
    expect(JSON.stringify(results[1]?.passages)).toContain('lamps of lighthouses')
    expect(results[1]?.text).toMatch(/^Shown to you above: \[1\] at \d+\.$/m)
    expect(results[2]).toMatchObject({ isVerbatim: true })
    expect(results[3]).toMatchObject({ isVerbatim: false })
  })

  it('ends after ten turns with a demand for the answer', async () => {
    const asked = await team.ask(question, {
      team: { researcher: (seen) => (seen.lastText.includes('Answer now') ? found : search) },
    })
    const requests = requestsOf(asked, 'researcher')
    expect(requests).toHaveLength(11)
    expect(requests.at(-1)?.tools).toEqual([])
    expect(asked.result.status).toBe('answered')
  })
})

describe('a tool call of the expert', () => {
  const plan = { json: { research_steps: [], expert_steps: ['Calculate.'] } }

  /** Asks with an expert that makes one call and answers with its result. */
  async function calculate(name: string, input: Record<string, string | number>, final: string) {
    const asked = await team.ask('How much is it?', {
      team: {
        planner: plan,
        expert: (seen) =>
          seen.lastRole === 'tool'
            ? { json: { expert_answer: seen.lastText, reasoning_trace: `used ${name}` } }
            : { toolCalls: [{ name, input }] },
        finalizer: { json: { final_answer: final, final_reasoning_trace: `used ${name}` } },
      },
    })
    return {
      shown: asked.state.answer.draft,
      state: asked.state,
      result: asked.result,
    }
  }

  it.each([
    ['calculate', { expression: '2 + 2' }, '4'],
    ['calculate', { expression: '(1 + 2)^10 / 3' }, '19683'],
    ['convert_units', { quantity: '10 km', to: 'm' }, '10000'],
  ])('%s %o gives %s', async (name, input, expected) => {
    const { shown, state, result } = await calculate(name, input, `It is ${expected}.`)
    expect(String(JSON.parse(shown).result)).toContain(expected)
    expect(state.answer.calculations).toEqual([JSON.parse(shown)])
    expect(result).toMatchObject({ status: 'answered', reasoning: `used ${name}` })
  })

  it.each([
    ['calculate', { expression: '2 +' }],
    ['calculate', { expression: 'import("fs")' }],
    ['convert_units', { quantity: '1 kg', to: 'm' }],
    ['python', { code: 'import os' }],
  ])('%s %o fails as data and counts as no calculation', async (name, input) => {
    const { shown, state, result } = await calculate(name, input, 'It is 4.')
    expect(shown).toMatch(/^(?:Error: |.*ImportError|<error>)/s)
    expect(state).toMatchObject({ answer: { calculations: [] }, control: { error: null } })
    expect(result.status).toBe('unanswered')
  })
})
