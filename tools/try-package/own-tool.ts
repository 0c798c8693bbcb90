// A tool with a schema of the user's own zod, which is older than the one in the bundle, called by a model over HTTP.
import assert from 'node:assert/strict'
import { z } from 'zod'
import { createModelSource } from '../../src/index.ts'
import { createToolRegistry, defineTool, runAgent, type Workflow } from '../../src/kernel/index.ts'
import { runInMemory, startScriptedModel } from '../../src/testing/index.ts'

const input = z.object({ word: z.string().describe('Any word.'), times: z.number().default(1) })
const repeat = defineTool({
  name: 'repeat',
  description: 'Repeats a word.',
  input,
  effect: 'pure',
  execute: async ({ word, times }) => word.repeat(times),
})

const model = await startScriptedModel(({ number }) => {
  if (number === 1) return { toolCalls: [{ name: 'repeat', input: { word: 5 } }] }
  if (number === 2) return { toolCalls: [{ name: 'repeat', input: { word: 'ho', times: 3 } }] }
  return { text: 'Done.' }
})

const workflow: Workflow<{ task: string }, { text: string; results: string[] }> = {
  name: 'repeating',
  version: '1',
  promptHashes: {},
  title: ({ task }) => task,
  status: () => 'answered',
  async run(context, { task }) {
    const question = { id: context.id('question'), role: 'user' as const, createdAt: context.now() }
    const agent = {
      model: context.services.models.forRole('default'),
      tools: createToolRegistry([repeat]),
      maxTurns: 5,
    }
    const messages = [{ ...question, parts: [{ type: 'text' as const, text: task }] }]
    const { text, results } = await runAgent(context, agent, messages)
    return { text, results: results.map(({ output }) => JSON.stringify(output)) }
  },
}

try {
  const models = createModelSource({
    choices: { default: { name: 'openai-compatible:scripted', baseUrl: model.url } },
    environment: {},
    builtIn: {},
  })
  const { result } = await runInMemory(workflow, { task: 'Say it.' }, { models })
  console.log(result)
  assert.equal(result.text, 'Done.')
  assert.match(result.results[0] ?? '', /word/, 'the first call is refused by the schema')
  assert.match(result.results[1] ?? '', /hohoho/)
  assert.match(JSON.stringify(model.requests[0]?.body), /Any word\./, 'the schema as JSON Schema')
} finally {
  await model.close()
}
