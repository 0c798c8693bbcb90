// A run that reaches a limit gives what it found so far, says why it stopped, and goes on when it may use more.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const app = createApp({ home })
const question = 'What is CRISPR and who invented it?'
try {
  const partial = await app.ask({ question }, { limits: { maxSteps: 12 } })
  console.log(`${partial.status}, ${partial.stopReason}: ${partial.answer}`)
  assert.equal(partial.status, 'partial')
  assert.equal(partial.stopReason, 'limit')
  assert.ok(partial.citations.length > 0, 'what was found is cited')

  const whole = await app.ask({ question }, { limits: { maxSteps: 40 } })
  console.log(`${whole.status}: ${whole.answer}`)
  assert.equal(whole.status, 'answered')
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
