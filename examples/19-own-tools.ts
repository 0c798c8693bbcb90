// A question with a tool of your own: what it gives becomes a source that the answer cites. Here a scripted model stands in.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { createApp, defineTool } from '../src/index.ts'
import { plainReply, scriptTeam, startScriptedModel } from '../src/testing/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const lookUpPlant = defineTool({
  name: 'look_up_plant',
  description: 'The record of a plant in the greenhouse.',
  input: z.object({ plant: z.string() }),
  effect: 'read',
  execute: async ({ plant }) => `The ${plant} in the greenhouse was planted in 1987.`,
})
const call = { toolCalls: [{ name: 'look_up_plant', input: { plant: 'fern' } }] }
const model = await startScriptedModel(
  scriptTeam({
    researcher: (seen) => (seen.lastRole === 'tool' ? plainReply('researcher', seen) : call),
  }),
)
const models = { default: { name: 'openai-compatible:scripted', baseUrl: model.url } }
const app = createApp({ home: temporaryFolder(), models })
const answer = await app.ask({ question: 'When was the fern planted?', tools: [lookUpPlant] })
console.log(answer.answer, answer.citations[0]?.title)
assert.equal(answer.claims[0]?.verdict, 'verbatim')
await Promise.all([app.close(), model.close()])
