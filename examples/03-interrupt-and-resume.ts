// Interrupts a run in its middle and resumes it: what was done is not done again.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const app = createApp({ home })
try {
  const interruption = new AbortController()
  let runId = ''
  const asking = app.ask(
    { question: 'What is CRISPR and who invented it?' },
    {
      signal: interruption.signal,
      onEvent: (event) => {
        if ('transient' in event) return
        runId = event.runId
        if (event.type === 'node.done' && event.data.node === 'attempt') interruption.abort()
      },
    },
  )
  await assert.rejects(asking, { code: 'cancelled' })
  const [interrupted] = await app.listRuns()
  assert.equal(interrupted?.status, 'interrupted')

  const resumed: string[] = []
  const answer = await app.resume(runId, {
    onEvent: (event) => {
      if (!('transient' in event) && event.type === 'node.done') resumed.push(event.key)
    },
  })
  assert.ok(answer.schema === 'scholium.answer/1')
  console.log(`resumed at ${resumed[0]}: ${answer.answer}`)
  assert.equal(answer.status, 'answered')
  assert.ok(!resumed.includes('ask/planner[1]'), 'the plan was made before')
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
