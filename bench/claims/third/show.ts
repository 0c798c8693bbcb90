// Shows how code judges the third set: SCHOLIUM_DATA=… node bench/claims/third/show.ts [LABEL VERDICT …]
// Prints the verdicts for each label in both halves, and in the held-out half with the verifier's recorded answers; then the
// sentences of the half that may be looked at with this label and one of these verdicts. `show.ts requests` prints the
// verifier's requests that have no recorded answer, one JSON object a line.
import { computeRate } from '../../../src/eval/summary.ts'
import { verifyByHand } from './by-hand.ts'
import { type JudgedRow, judgeRows, readRows } from './judge-rows.ts'

const [label, ...verdicts] = process.argv.slice(2)
const judged = judgeRows(await readRows(process.env.SCHOLIUM_DATA ?? ''))

const verified = await verifyByHand(judged.filter(({ half }) => half === 'held-out'))

if (label === 'requests') for (const request of verified.open) console.log(JSON.stringify(request))
else {
  for (const half of ['dev', 'held-out'] as const)
    printLabels(
      half,
      judged.filter((row) => row.half === half),
    )
  printLabels('held-out, with the verifier by hand', verified.rows)
  const { asked, open, units } = verified
  console.log(
    `\n${asked} sentences asked about, ${open.length} requests without a recorded answer; ${units.asked} characters asked, ${units.answered} answered`,
  )
}
for (const row of judged) {
  if (row.half !== 'dev' || row.label !== label || !verdicts.includes(row.verdict)) continue
  console.log(`\n${row.document} ${row.pages.join(', ')} · ${row.kind} · ${row.note ?? ''}`)
  for (const { text, verdict, reason, evidence } of row.claims)
    console.log(
      `  ${verdict}: ${text}\n    ${reason}\n    ${evidence.map(({ quote }) => quote).join(' | ')}`,
    )
}

function printLabels(what: string, rows: readonly JudgedRow[]): void {
  console.log(`\n== ${what}: ${rows.length} sentences`)
  for (const [of, own] of Map.groupBy(rows, (row) => row.label)) printLabel(of, own)
}

function printLabel(of: string, own: readonly JudgedRow[]): void {
  console.log(`${of}: ${own.length}`)
  const counts = Map.groupBy(own, ({ verdict }) => verdict)
  for (const [verdict, some] of counts) {
    const { rate = 0, low = 0, high = 1 } = computeRate(some.length, own.length) ?? {}
    const [a, b, c] = [rate, low, high].map((value) => (100 * value).toFixed(1))
    const kinds = [...Map.groupBy(some, ({ kind }) => kind)].map(
      ([kind, list]) => `${kind} ${list.length}`,
    )
    console.log(
      `  ${verdict.padEnd(11)} ${String(some.length).padStart(3)}  ${a} % [${b}, ${c}]  ${kinds.join(', ')}`,
    )
  }
}
