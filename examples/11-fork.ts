// Goes on with a run another way: the same research, another question to the expert. What was done before is shared.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const app = createApp({ home })
try {
  const first = await app.ask({ question: 'What is CRISPR and who invented it?' })
  const { place, state } = await app.stateAt(first.runId, 'expert[1]')
  console.log(`Before the expert, after ${place.boundary}: ${JSON.stringify(state.plan)}`)

  const { fork, answer } = await app.fork(first.runId, {
    at: 'expert[1]',
    question: 'What is CRISPR?',
  })
  console.log(`${fork.runId} shares ${fork.sharedThroughSeq} events with ${fork.parentId}`)
  assert.ok(answer.schema === 'scholium.answer/1')
  console.log(answer.answer)
  assert.ok(answer.usage.modelCalls < first.usage.modelCalls, 'the research was not done again')
  assert.deepEqual(answer.plan.researchSteps, first.plan.researchSteps)

  const { isIdentical } = await app.replay(fork.runId)
  assert.equal(isIdentical, true)
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
