// Watches a run: every step as it ends, the words of a model as it writes them, and at the end the answer.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { scriptTeam, startScriptedModel } from '../src/testing/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const model = await startScriptedModel(scriptTeam())
const app = createApp({
  home: temporaryFolder(),
  environment: { OPENAI_BASE_URL: model.url },
  models: { default: 'openai-compatible:scripted' },
})
let [writer, written] = ['', '']
for await (const event of app.stream('ask', { question: 'What does CRISPR stand for?' })) {
  if (event.type === 'step.done') console.log(event.key, event.data.usage?.outputTokens ?? '')
  if (event.type === 'delta') {
    written = (event.key === writer ? written : '') + event.data.text
    writer = event.key
  }
  if (event.type === 'result') {
    console.log(`${writer} wrote ${written.length} characters as they came.`)
    assert.ok(written.includes(event.result.answer.slice(0, 20)))
  }
}
assert.notEqual(written, '')
await app.close()
await model.close()
