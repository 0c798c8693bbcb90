// Forks a run: the same research, another question to the expert. What was done before is shared.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const app = createApp({ home: temporaryFolder() })
const first = await app.ask({ question: 'What is CRISPR and who invented it?' })
const { place, state } = await app.stateAt(first.runId, 'expert[1]')
console.log(`Before the expert, after ${place.boundary}: ${JSON.stringify(state.plan)}`)

const request = { at: 'expert[1]', question: 'What is CRISPR?' }
const { fork, answer } = await app.fork(first.runId, request)
console.log(`${fork.runId} shares ${fork.sharedThroughSeq} events with ${fork.parentId}`)
assert.ok(answer.schema === 'scholium.answer/1')
console.log(answer.answer)
assert.ok(answer.usage.modelCalls < first.usage.modelCalls, 'the research was not done again')
assert.deepEqual(answer.plan.researchSteps, first.plan.researchSteps)
assert.ok((await app.replay(fork.runId)).isIdentical)
await app.close()
