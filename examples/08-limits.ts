// A run that reaches a limit gives what it found so far and says why it stopped; with a higher limit it answers.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const app = createApp({ home: temporaryFolder() })
const question = 'What is CRISPR and who invented it?'
const partial = await app.ask({ question }, { limits: { maxSteps: 12 } })
console.log(`${partial.status}, ${partial.stopReason}: ${partial.answer}`)
assert.equal(partial.status, 'partial')
assert.equal(partial.stopReason, 'limit')
assert.ok(partial.citations.length > 0, 'what was found is cited')

const whole = await app.ask({ question }, { limits: { maxSteps: 40 } })
console.log(`${whole.status}: ${whole.answer}`)
assert.equal(whole.status, 'answered')
await app.close()
