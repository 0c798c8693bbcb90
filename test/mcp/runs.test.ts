import { describe, expect, it } from 'vitest'
import { createToolRegistry, type Message, runAgent } from '../../src/kernel/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { oddServer, useServers } from './connected.ts'

const current = useRuns()
const model = useHttpModel()
const connect = useServers()

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Do it.' }],
  createdAt: 0,
}

describe('an agent with the tools of a server', () => {
  it('learns that the outcome of a write is unknown when the server dies, and the log says so', async () => {
    const { tools } = await connect({ odd: oddServer('plain') })
    const script = [
      { toolCalls: [{ name: 'odd_die', input: {} }] },
      { toolCalls: [{ name: 'odd_echo', input: { a: 1 } }] },
      { text: 'Done.' },
    ]
    model.script = () => script[model.server.requests.length - 1] ?? { text: 'nothing more' }
    const body: Body = async (context) => {
      const registry = createToolRegistry(tools)
      const agent = { model: model.binding(), tools: registry, maxTurns: 4, allow: ['odd.*'] }
      const { text, results } = await runAgent(context, agent, [question])
      return [
        text,
        ...results.map(({ output, isError }) => [JSON.stringify(output), isError]),
      ] as never
    }
    const outcome = await current().start(body)
    expect(outcome).toEqual([
      'Done.',
      [expect.stringMatching(/"outcome_unknown".*odd_die/), true],
      [expect.stringContaining('{\\"a\\":1}'), undefined],
    ])
    const offered = model.server.requests[0]?.body.tools as { function: { description: string } }[]
    expect(offered[0]?.function.description).toContain('[From the MCP server "odd"')
    const types = (await current().events()).map(({ type }) => type)
    expect(types).toContain('step.outcome_unknown')
  })
})
