// Replays a finished run from its log: no model, no network, the same answer.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const app = createApp({ home })
try {
  const { runId, answer } = await app.ask({ question: 'Who discovered penicillin?' })
  const replay = await app.replay(runId)
  console.log(`${runId}: ${answer}`)
  console.log(`identical: ${replay.isIdentical}`)
  assert.equal(replay.isIdentical, true)
  assert.deepEqual(replay.unclaimed, [])
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
