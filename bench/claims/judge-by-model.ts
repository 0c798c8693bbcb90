// Counts the verdicts of the check by code with a verifier model on freely worded claims, by the label that people gave them:
// SCHOLIUM_DATA=… node bench/claims/judge-by-model.ts PROVIDER:NAME
import { climateClaims, scifactClaims } from './free-claims.ts'
import { createVerifier } from './verifier.ts'

const judge = createVerifier(process.argv[2] ?? '')
const data = process.env.SCHOLIUM_DATA ?? ''
for (const [name, claims] of Object.entries({
  'SciFact, claim and abstract': scifactClaims(data),
  'Climate-FEVER, claim and its five sentences': climateClaims(data),
})) {
  const counts: Record<string, Record<string, number>> = {}
  for (const { claim, gold, passages } of claims) {
    const verdict = await judge(claim, passages)
    const row = counts[verdict] ?? {}
    counts[verdict] = { ...row, [gold]: (row[gold] ?? 0) + 1 }
  }
  console.log(`${name}: ${claims.length} claims`)
  console.table(counts)
}
