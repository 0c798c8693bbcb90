// Asks a question of the sample library and prints the answer with what each sentence rests on.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../src/index.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const app = createApp({ home })
try {
  const answer = await app.ask({ question: 'What is CRISPR and who invented it?' })
  console.log(answer.answer)
  for (const { n, title } of answer.citations) console.log(`[${n}] ${title}`)
  for (const { verdict, text } of answer.claims) console.log(`${verdict}: ${text}`)

  assert.equal(answer.status, 'answered')
  assert.ok(answer.plan.researchSteps.length > 1)
  assert.ok(answer.citations.length > 0)
  assert.ok(answer.claims.every(({ verdict }) => verdict === 'verbatim' || verdict === 'supported'))
} finally {
  await app.close()
  rmSync(home, { recursive: true })
}
