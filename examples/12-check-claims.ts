// Checks the sentences of any answer against the passages that they cite: a changed number is found, and shown.
import assert from 'node:assert/strict'
import * as citations from '../src/citations.ts'
import { sha256 } from '../src/kernel/index.ts'

const text =
  'The trial followed 1,204 patients for two years. The drug lowered blood pressure by 12 mmHg. It did not change weight.'
const sourceId = sha256(text) as citations.SourceId
const whole = { start: 0, end: text.length }
const id = citations.passageId(sourceId, whole.start, whole.end)
const ledger = new citations.EvidenceLedger()
const reference = ledger.read({ passageId: id, sourceId, title: 'The trial', ...whole })

const answer = [
  'The trial followed 1,204 patients for two years [1].',
  'The drug lowered blood pressure by 21 mmHg [1].',
  'It cured everyone [1].',
  'Weight fell as well [2].',
].join(' ')
const claims = citations.checkClaims(
  citations.splitClaims(answer),
  [{ ...reference, text }],
  ledger.citations,
)
for (const claim of claims) console.log(`${claim.verdict}: ${claim.text} ${claim.reason}`)
console.log(citations.measureCoverage(claims))

assert.deepEqual(claims.map(({ verdict }) => verdict).slice(0, 2), ['verbatim', 'altered'])
assert.match(claims[1]?.reason ?? '', /21.*12|12.*21/)
assert.ok(claims[2]?.verdict !== 'verbatim' && claims[2]?.verdict !== 'supported')
assert.equal(claims[3]?.verdict, 'not_found')
