// An agent, a workflow and a tool with schemas of the user's own zod, which is older than the one in the bundle.
import assert from 'node:assert/strict'
import { z } from 'zod'
import { createApp, defineTool, defineWorkflow, type RunEvent } from '../../src/index.ts'
import { startScriptedModel } from '../../src/testing/index.ts'

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
  return { json: { said: 'hohoho', letters: 6 } }
})

const shout = defineWorkflow({
  name: 'shout',
  input: z.object({ task: z.string() }),
  output: z.object({ text: z.string() }),
  async run(context, { task }) {
    const { said, letters } = await context.run(agent, task)
    const loud = await context.step('shout', { effect: 'pure' }, () => said.toUpperCase())
    return { text: `${loud} ${letters}` }
  },
})
const app = createApp({
  models: { default: { name: 'openai-compatible:scripted', baseUrl: model.url } },
  workflows: [shout],
})
const agent = app.createAgent({
  instructions: 'You repeat words.',
  tools: [repeat],
  output: z.object({ said: z.string(), letters: z.number() }),
})

try {
  const steps: string[] = []
  const endOf = (event: RunEvent) => (event.type === 'step.done' ? [event.data.name] : [])
  let text = ''
  for await (const event of app.stream(shout, { task: 'Say it.' })) {
    if (event.type === 'result') text = event.result.output.text
    else if (!('transient' in event)) steps.push(...endOf(event))
  }
  console.log(text, steps)
  assert.equal(text, 'HOHOHO 6')
  assert.ok(steps.includes('shout'))
  const [run] = await app.listRuns()
  assert.ok((await app.replay(run?.runId ?? '')).isIdentical)
  assert.match(JSON.stringify(model.requests[1]?.body), /word/, 'the first call is refused')
  assert.match(JSON.stringify(model.requests[0]?.body), /Any word\./, 'the schema as JSON Schema')
} finally {
  await app.close()
  await model.close()
}
