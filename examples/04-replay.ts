// Replays a finished run from its log: no model, no network, the same answer.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const app = createApp({ home: temporaryFolder() })
const { runId, answer } = await app.ask({ question: 'Who discovered penicillin?' })
const replay = await app.replay(runId)
console.log(`${runId}: ${answer}`)
console.log(`identical: ${replay.isIdentical}`)
assert.equal(replay.isIdentical, true)
assert.deepEqual(replay.unclaimed, [])
await app.close()
