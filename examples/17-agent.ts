// An agent of your own: a model, instructions, a tool, and an answer in the form of a schema. Here a scripted model stands in.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { createApp, defineTool } from '../src/index.ts'
import { scriptModels } from '../src/testing/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const readThermometer = defineTool({
  name: 'read_thermometer',
  description: 'The temperature of a room, in degrees Celsius.',
  input: z.object({ room: z.string() }),
  effect: 'read',
  execute: async ({ room }) => ({ room, celsius: 21 }),
})
const { model } = scriptModels(({ lastRole }) =>
  lastRole === 'tool'
    ? { json: { celsius: 21, isComfortable: true } }
    : { toolCalls: [{ name: 'read_thermometer', input: { room: 'greenhouse' } }] },
)
const app = createApp({ home: temporaryFolder(), models: { default: model } })
const agent = app.createAgent({
  instructions: 'You say whether rooms are comfortable.',
  tools: [readThermometer],
  output: z.object({ celsius: z.number(), isComfortable: z.boolean() }),
})
const { output, runId } = await agent.run('Is the greenhouse comfortable?')
console.log(`${output.celsius} °C: ${output.isComfortable ? 'yes' : 'no'}`)
assert.ok(output.isComfortable)
assert.ok((await app.replay(runId)).isIdentical, 'without the model and without the tool')
await app.close()
