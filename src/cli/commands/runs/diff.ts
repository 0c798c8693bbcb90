import type { RunDiff } from '../../../app.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count, dollars } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { verdictWords } from '../../render/render-claims.ts'
import { renderTable } from '../../render/table.ts'
import { asShown, oneLine, wrap } from '../../render/text.ts'

type Pair = RunDiff['claims'][number]

/** `scholium diff`. */
export const runDiff: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [first = '', second = ''] = invocation.words
    const diff = await app.diff(first, second)
    printResult(invocation, diff, () => renderDiff(diff, invocation.terminal.stdout))
    return diff.isSame ? 0 : 1
  })

type Style = Pick<Invocation['terminal']['stdout'], 'paint' | 'columns'>

function renderDiff({ runs, claims, sources }: RunDiff, style: Style): string {
  const [one, other] = runs
  const same = claims.filter(
    ({ first, second, differences }) => first && second && differences.length === 0,
  )
  return [
    ...questionLines(one.question, other.question),
    '',
    ...renderTable(['', 'RUN', 'STATUS', 'CLAIMS', 'COST', 'MODELS'], runRows(runs), style.columns),
    '',
    ...claims.filter((pair) => !same.includes(pair)).flatMap((pair) => pairLines(pair, style)),
    `The same in both: ${count(same.length, 'claim')} of ${one.coverage.claims} and ${other.coverage.claims}`,
    `Sources: ${sources.both.length} in both${onlyIn('first', sources.firstOnly)}${onlyIn('second', sources.secondOnly)}`,
  ].join('\n')
}

function questionLines(one: string, other: string): readonly string[] {
  if (one === other) return [oneLine(one)]
  return [`- ${oneLine(one)}`, `+ ${oneLine(other)}`]
}

function runRows(runs: RunDiff['runs']): readonly (readonly string[])[] {
  return runs.map(({ runId, status, coverage, usage, costUsd, models }, index) => [
    index === 0 ? '-' : '+',
    runId,
    status,
    `${coverage.verbatim + coverage.supported} of ${coverage.claims} supported`,
    `${count(usage.modelCalls, 'call')}, ${costUsd === null ? 'price unknown' : dollars(costUsd)}`,
    [...new Set(Object.values(models))].map(oneLine).join(', '),
  ])
}

/** Lines of a claim that differs: the first answer's marked `-`, the second's `+`, each with its verdict. */
function pairLines({ first, second, differences }: Pair, style: Style): readonly string[] {
  const { paint } = style
  const what = differences.includes('wording')
    ? []
    : [paint.dim(`  other ${differences.join(' and ')}:`)]
  return [
    ...(differences.length > 0 ? what : []),
    ...(first === undefined ? [] : claimLines('-', first, style).map(paint.red)),
    ...(second === undefined ? [] : claimLines('+', second, style).map(paint.green)),
    '',
  ]
}

function claimLines(
  sign: string,
  { text, verdict }: NonNullable<Pair['first']>,
  { columns }: Style,
): readonly string[] {
  const line = `${sign} ${oneLine(asShown(text, { columns }))} (${verdictWords[verdict]})`
  return columns === undefined ? [line] : wrap(line, columns, '  ')
}

function onlyIn(which: string, sources: RunDiff['sources']['both']): string {
  if (sources.length === 0) return ''
  return `; only in the ${which}: ${sources.map(({ title }) => oneLine(title)).join('; ')}`
}
