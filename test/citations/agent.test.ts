import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createCitationManager } from '../../src/citations/manager/citation-manager.ts'
import { createHooks, createToolRegistry, defineTool, runAgent } from '../../src/kernel/index.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { type Say, scriptedBinding } from '../kernel/scripted-binding.ts'
import { question } from './cited-workflow.ts'

const current = useRuns()
const fetched: string[][] = []
const fetchTool = defineTool({
  name: 'fetch',
  description: 'Fetches.',
  input: z.object({ urls: z.array(z.string()) }),
  effect: 'read',
  execute: async ({ urls }) => {
    fetched.push([...urls])
    return urls.map((url) => `${url} links to ${url}more/`)
  },
})

/** An agent with a manager on the hooks of its runs, and what its model was asked. */
function agentOf(say: Say) {
  const hooks = createHooks()
  const manager = createCitationManager()
  manager.install(hooks)
  const { binding, prompts } = scriptedBinding(say)
  const tools = createToolRegistry(manager.adaptTools([fetchTool]))
  const body: Body = async (context) => {
    const messages = [question(context, 'Read https://a.org/ and https://b.org/.')]
    const outcome = await runAgent(context, { model: binding, tools, maxTurns: 5 }, messages)
    const last = outcome.messages.at(-1)
    return last === undefined ? null : manager.toMarkdown(last)
  }
  fetched.length = 0
  return { hooks, manager, prompts, body, last: () => JSON.stringify(prompts.at(-1)?.prompt) }
}

const call = (input: unknown) => ({
  content: [
    {
      type: 'tool-call' as const,
      toolCallId: 'c',
      toolName: 'fetch',
      input: JSON.stringify(input),
    },
  ],
})

describe('an agent with citation numbers', () => {
  it('reads the pages that a user names, cites them, and links them for people', async () => {
    const { body, hooks, prompts, last } = agentOf((number) =>
      number === 1 ? call({ citations: [2, 1] }) : 'B says it [2], and links on [!CITE_3!].',
    )
    expect(await current().start(body, { hooks })).toBe(
      'B says it [b.org](https://b.org/), and links on [b.org](https://b.org/more/).',
    )
    expect(fetched).toEqual([['https://b.org/', 'https://a.org/']])
    expect(JSON.stringify(prompts[0]?.tools)).toContain('"citations":')
    expect(last()).toContain('[!CITE_2!] links to [!CITE_3!]')
    expect(JSON.stringify(prompts.map(({ prompt }) => prompt))).not.toMatch(/https?:/)
  })

  it.each([
    [0, 'citations[1]: 0 is not a citation number. Numbers go from 1 to 2.'],
    [3, 'citations[1]: 3 is not a citation number. Numbers go from 1 to 2.'],
  ])('is told the valid range for %d and goes on', async (wrong, told) => {
    const { body, hooks, last } = agentOf((number) =>
      number === 1 ? call({ citations: [1, wrong] }) : 'I cannot.',
    )
    expect(await current().start(body, { hooks })).toBe('I cannot.')
    expect(last()).toContain(told)
    expect(fetched).toEqual([])
  })

  it.each([
    '<tool_call>{"name": "fetch", "arguments": {"citations": [1]}}</tool_call>',
    'I read [2] first.\n```json\n{"name": "fetch", "arguments": {"citations": [1]}}\n```',
    '[fetch(citations=[1])]',
  ])('calls a tool also as text: %s', async (text) => {
    const { body, hooks } = agentOf((number) => (number === 1 ? text : 'Done [1].'))
    expect(await current().start(body, { hooks })).toBe('Done [a.org](https://a.org/).')
    expect(fetched).toEqual([['https://a.org/']])
  })

  it('without a manager on its hooks sees what there is', async () => {
    const { body, last } = agentOf(() => 'Done [1].')
    expect(await current().start(body)).toBe('Done [1].')
    expect(last()).toContain('https://a.org/')
  })
})

describe('one manager, whose index is fuller after an execution than before,', () => {
  /** The first answer names a number that nothing has yet; the second one gives it out. */
  const say: Say = (number) => {
    if (number === 1)
      return {
        content: [{ type: 'text', text: 'I guess [4].' }, ...call({ citations: [1] }).content],
      }
    if (number === 2) return call({ citations: [2] })
    return 'Settled [4].'
  }
  const dying =
    (body: Body, isDying: () => boolean): Body =>
    async (context, input) => {
      const answer = await body(context, input)
      if (isDying()) throw new Error('died')
      return answer
    }

  it('gives a run that is resumed, and one that is replayed, the same numbers', async () => {
    let isDying = true
    const { body, hooks, manager, prompts } = agentOf(say)
    const whole = dying(body, () => isDying)
    await expect(current().start(whole, { hooks })).rejects.toThrow('died')
    expect(manager.index.size).toBe(4)
    isDying = false
    const answer = await current().resume(whole, { hooks })
    expect(answer).toBe('Settled [b.org](https://b.org/more/).')
    expect(prompts).toHaveLength(3)
    const replay = await current().replay(whole, { hooks })
    expect(replay).toMatchObject({ result: { value: answer }, unclaimed: [] })
    expect(prompts).toHaveLength(3)
  })
})
