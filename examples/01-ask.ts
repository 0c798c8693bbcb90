// Asks a question of the sample library and prints the answer with what each sentence rests on.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const app = createApp({ home: temporaryFolder() })
const answer = await app.ask({ question: 'What is CRISPR and who invented it?' })
console.log(answer.answer)
for (const { n, title } of answer.citations) console.log(`[${n}] ${title}`)
for (const { verdict, text } of answer.claims) console.log(`${verdict}: ${text}`)

assert.equal(answer.status, 'answered')
assert.ok(answer.plan.researchSteps.length > 1)
assert.ok(answer.citations.length > 0)
assert.ok(answer.claims.every(({ verdict }) => verdict === 'verbatim' || verdict === 'supported'))
await app.close()
