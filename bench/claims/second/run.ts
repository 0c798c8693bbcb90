/**
 * Measures the claim check with claims that were made without looking at it: `node bench/claims/second/run.ts [seed]`
 * with SCHOLIUM_DATA set. `--half dev|test` reports one half, `--misses` shows the dev cases that came out wrong, `--sample`
 * prints 60 claims to judge by eye and checks none. Ends with 1 where a target is missed.
 */
import { codeVerdict } from '../code-verdict.ts'
import { wilson } from '../interval.ts'
import { type Case, casesOf, type Label } from './cases.ts'
import { type Half, sourceTexts } from './documents.ts'
import { randomFrom, shuffled } from './random.ts'

type Checked = Case & { readonly verdict: string; readonly reason: string }

const isPassed = (verdict: string): boolean => verdict === 'supported' || verdict === 'verbatim'
const isFlagged = (verdict: string): boolean =>
  verdict === 'altered' || verdict === 'not_found' || verdict === 'contradicted'

interface Figure {
  readonly name: string
  readonly label: Label
  readonly counts: (verdict: string) => boolean
  readonly target: string
  readonly isMet: (share: number) => boolean
}

const figures: readonly Figure[] = [
  {
    name: 'corruptions passed',
    label: 'corruption',
    counts: isPassed,
    target: '≤ 1 %',
    isMet: (share) => share <= 0.01,
  },
  {
    name: 'corruptions flagged',
    label: 'corruption',
    counts: isFlagged,
    target: '≥ 90 %',
    isMet: (share) => share >= 0.9,
  },
  {
    name: 'false alarms',
    label: 'paraphrase',
    counts: isFlagged,
    target: '≤ 3 %',
    isMet: (share) => share <= 0.03,
  },
  {
    name: 'paraphrases supported',
    label: 'paraphrase',
    counts: isPassed,
    target: '≥ 85 %',
    isMet: (share) => share >= 0.85,
  },
  {
    name: 'verbatim',
    label: 'verbatim',
    counts: (verdict) => verdict === 'verbatim',
    target: '≥ 99 %',
    isMet: (share) => share >= 0.99,
  },
]

const data = process.env.SCHOLIUM_DATA
const flags = process.argv.slice(2)
const seed = Number(flags.find((flag) => /^\d+$/.test(flag)) ?? 1)
const wanted = flags.includes('--half') ? flags[flags.indexOf('--half') + 1] : undefined

if (data === undefined) {
  console.error('bench/claims/second needs SCHOLIUM_DATA.')
  process.exitCode = 2
} else {
  const texts = sourceTexts(data)
  for (const half of ['dev', 'test'] as const)
    if (wanted === undefined || wanted === half) {
      const cases = casesOf(texts, half, seed)
      if (flags.includes('--sample')) printSample(cases, half)
      else report(cases.map(check), half)
    }
}

function check(one: Case): Checked {
  const { verdict, reason } = codeVerdict(one.claim, [one.source])
  return { ...one, verdict, reason }
}

function printSample(cases: readonly Case[], half: Half): void {
  const made = cases.filter(({ label }) => label !== 'verbatim')
  const sample = shuffled(made, randomFrom(`${seed} sample ${half}`)).slice(0, 30)
  for (const [index, { label, kind, claim, original, source }] of sample.entries())
    console.log(
      `\n${half} ${index + 1}. ${label}, ${kind} (${source.set} ${source.id})\n  - ${original}\n  + ${claim}`,
    )
}

function report(checked: readonly Checked[], half: Half): void {
  console.log(`\n== ${half}, seed ${seed}: ${checked.length} claims`)
  for (const figure of figures) printFigure(figure, checked)
  for (const label of ['corruption', 'paraphrase'] as const) {
    const own = checked.filter((one) => one.label === label)
    for (const by of ['set', 'kind'] as const) printTable(label, by, own)
  }
  if (flags.includes('--misses') && (half === 'dev' || wanted === 'test')) printMisses(checked)
}

function printFigure(
  { name, label, counts, target, isMet }: Figure,
  checked: readonly Checked[],
): void {
  const own = checked.filter((one) => one.label === label)
  const count = own.filter(({ verdict }) => counts(verdict)).length
  const { share } = wilson(count, own.length)
  if (!isMet(share)) process.exitCode = 1
  console.log(
    `${name.padEnd(22)} ${interval(count, own.length)}  target ${target}: ${isMet(share) ? 'met' : 'missed'}`,
  )
}

function interval(count: number, total: number): string {
  const { share, low, high } = wilson(count, total)
  const percent = (value: number): string => (100 * value).toFixed(1)
  return `${percent(share).padStart(5)} % [${percent(low)}, ${percent(high)}]  ${count} of ${total}`
}

function printTable(label: Label, by: 'set' | 'kind', own: readonly Checked[]): void {
  const key = (one: Checked): string => (by === 'set' ? one.source.set : one.kind)
  console.log(`\n${label}s by ${by}: passed, flagged; verdicts`)
  for (const name of new Set(own.map(key))) {
    const group = own.filter((one) => key(one) === name)
    const passed = group.filter(({ verdict }) => isPassed(verdict)).length
    const flagged = group.filter(({ verdict }) => isFlagged(verdict)).length
    const verdicts = Map.groupBy(group, ({ verdict }) => verdict)
    const counts = [...verdicts].map(([verdict, list]) => `${verdict} ${list.length}`).sort()
    console.log(
      `  ${name.padEnd(24)} ${interval(passed, group.length).padEnd(34)} ${interval(flagged, group.length).padEnd(34)} ${counts.join(', ')}`,
    )
  }
}

function printMisses(checked: readonly Checked[]): void {
  const groups: readonly (readonly [string, (one: Checked) => boolean])[] = [
    ['corruption passed', ({ label, verdict }) => label === 'corruption' && isPassed(verdict)],
    [
      'corruption not flagged',
      ({ label, verdict }) => label === 'corruption' && !isPassed(verdict) && !isFlagged(verdict),
    ],
    ['false alarm', ({ label, verdict }) => label === 'paraphrase' && isFlagged(verdict)],
    [
      'paraphrase not supported',
      ({ label, verdict }) => label === 'paraphrase' && !isPassed(verdict) && !isFlagged(verdict),
    ],
    ['verbatim lost', ({ label, verdict }) => label === 'verbatim' && verdict !== 'verbatim'],
  ]
  for (const [name, belongs] of groups) {
    const own = checked.filter(belongs)
    console.log(`\n-- ${name}: ${own.length}`)
    for (const { kind, verdict, claim, original, reason, source } of own)
      console.log(`${kind} → ${verdict} (${source.id})\n  - ${original}\n  + ${claim}\n  ${reason}`)
  }
}
