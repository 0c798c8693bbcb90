// Interrupts a run in its middle and resumes it: what was done is not done again.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const app = createApp({ home: temporaryFolder() })
const question = 'What is CRISPR and who invented it?'
let runId = ''
for await (const event of app.stream('ask', { question })) {
  if ('runId' in event) runId = event.runId
  // Leaving the loop interrupts the run.
  if (event.type === 'node.done' && event.data.node === 'attempt') break
}
assert.equal((await app.showRun(runId)).status, 'interrupted')

const resumed: string[] = []
const answer = await app.resume(runId, {
  onEvent: ({ type, key }) => {
    if (type === 'node.done') resumed.push(key)
  },
})
assert.ok(answer.schema === 'scholium.answer/1')
console.log(`resumed at ${resumed[0]}: ${answer.answer}`)
assert.equal(answer.status, 'answered')
assert.ok(!resumed.includes('ask/planner[1]'), 'the plan was made before')
await app.close()
