// Shows the generated claims of the half that may be looked at on which code is wrong: SCHOLIUM_DATA=… node bench/claims/show-misses.ts
import { casesOf } from './generator/cases.ts'
import { sourceTexts } from './generator/documents.ts'
import { judgeByCode } from './judge-by-code.ts'
import { isFlagged, isPassed } from './verdicts.ts'

for (const { label, kind, claim, original, source } of casesOf(
  sourceTexts(process.env.SCHOLIUM_DATA ?? ''),
  'dev',
  1,
)) {
  const { verdict, reason } = judgeByCode(claim, [source]).claim
  if (label === 'corruption' ? isFlagged(verdict) : isPassed(verdict)) continue
  console.log(
    `${label}, ${kind} → ${verdict} (${source.id})\n  - ${original}\n  + ${claim}\n  ${reason}\n`,
  )
}
