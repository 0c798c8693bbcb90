// Shows how code judges the third set: SCHOLIUM_DATA=… node bench/claims/third/show.ts [LABEL VERDICT …]
// Prints the verdicts for each label in both halves, then the sentences of the half that may be looked at with this label
// and one of these verdicts.
import { computeRate } from '../../../src/eval/summary.ts'
import { type JudgedRow, judgeRows, readRows } from './judge-rows.ts'

const [label, ...verdicts] = process.argv.slice(2)
const judged = judgeRows(await readRows(process.env.SCHOLIUM_DATA ?? ''))

for (const half of ['dev', 'held-out'] as const) {
  const rows = judged.filter((row) => row.half === half)
  console.log(`\n== ${half}: ${rows.length} sentences`)
  for (const [of, own] of Map.groupBy(rows, (row) => row.label)) printLabel(of, own)
}
for (const row of judged) {
  if (row.half !== 'dev' || row.label !== label || !verdicts.includes(row.verdict)) continue
  console.log(`\n${row.document} ${row.pages.join(', ')} · ${row.kind} · ${row.note ?? ''}`)
  for (const { text, verdict, reason, evidence } of row.claims)
    console.log(
      `  ${verdict}: ${text}\n    ${reason}\n    ${evidence.map(({ quote }) => quote).join(' | ')}`,
    )
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
