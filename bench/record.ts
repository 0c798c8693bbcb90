import { readFileSync, writeFileSync } from 'node:fs'
import { type BenchSize, judgedValue, type Measure, meetsTarget, ratioOf } from './bench.ts'
import type { Circumstances } from './machine.ts'

/** What one bench measured, and where. */
export interface BenchRecord extends Circumstances {
  readonly name: string
  readonly title: string
  readonly size: BenchSize
  readonly measures: readonly Measure[]
}

const recordFile = new URL('./record.json', import.meta.url)
const documentFile = new URL('../docs/measurements.md', import.meta.url)

/** The recorded figures by the name of the bench. */
export function readRecords(): ReadonlyMap<string, BenchRecord> {
  const records = JSON.parse(readFileSync(recordFile, 'utf8')) as BenchRecord[]
  return new Map(records.map((record) => [record.name, record]))
}

/**
 * Stores new figures in place of those of the same benches, and writes `docs/measurements.md` anew between its marks.
 *
 * @param order - the names of all benches; records of others are dropped.
 */
export function writeRecords(order: readonly string[], fresh: readonly BenchRecord[]): void {
  const records = new Map([
    ...readRecords(),
    ...fresh.map((record) => [record.name, record] as const),
  ])
  const kept = order.flatMap((name) => records.get(name) ?? [])
  writeFileSync(recordFile, `${JSON.stringify(kept, null, 2)}\n`)
  const document = readFileSync(documentFile, 'utf8')
  writeFileSync(documentFile, fillIn(document, kept.map(renderSection).join('\n')))
}

const [startMark, endMark] = [
  '<!-- figures: written by npm run bench -->',
  '<!-- end of figures -->',
]

function fillIn(document: string, sections: string): string {
  const [start, end] = [document.indexOf(startMark), document.indexOf(endMark)]
  if (start === -1 || end === -1) throw new Error(`docs/measurements.md lacks ${startMark}.`)
  return `${document.slice(0, start + startMark.length)}\n\n${sections}\n${document.slice(end)}`
}

/** A bench's table with its circumstances, as Markdown. */
export function renderSection(record: BenchRecord): string {
  const { title, name, size, date, commit, cores, node, load, arithmeticMs } = record
  return [
    `## ${title}`,
    '',
    `\`npm run bench -- ${name}${size === 'full' ? ' --full' : ''}\` · ${date} · commit ${commit} · ${cores} cores, Node ${node.slice(1)}, load ${load} · arithmetic ${arithmeticMs} ms`,
    '',
    '| what | ratio | measured | compared with | target |',
    '|---|---|---|---|---|',
    ...record.measures.map(renderRow),
    '',
  ].join('\n')
}

function renderRow(measure: Measure): string {
  const { what, value, unit, range, yardstick, target } = measure
  const ratio = ratioOf(measure)
  const cells = [
    what,
    ratio === undefined ? '' : formatNumber(ratio),
    `${formatFigure(value, unit)}${range === undefined ? '' : ` (${range.map(formatNumber).join(' to ')})`}`,
    yardstick === undefined ? '' : `${yardstick.what}: ${formatFigure(yardstick.value, unit)}`,
    target === undefined ? '' : `${formatTarget(target)}${meetsTarget(measure) ? '' : ' (missed)'}`,
  ]
  return `| ${cells.join(' | ')} |`
}

function formatTarget(target: NonNullable<Measure['target']>): string {
  return 'atMost' in target
    ? `≤ ${formatNumber(target.atMost)}`
    : `≥ ${formatNumber(target.atLeast)}`
}

/** A score keeps four decimals, since what counts may be what it lacks to 1. */
function formatFigure(value: number, unit: string | undefined): string {
  return unit === undefined ? String(Number(value.toFixed(4))) : `${formatNumber(value)} ${unit}`
}

/** Three significant digits, but never fewer than the whole number has. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return Number(value.toFixed(Math.min(digits, 4))).toLocaleString('en', {
    maximumFractionDigits: 4,
  })
}

/** Noise of a shared machine stays below this share; more is a change. */
const noticeableShare = 0.2

/** A line for each measure with a target that became worse by more than a fifth since the record. */
export function compareWithRecord(
  record: BenchRecord,
  before: BenchRecord | undefined,
): readonly string[] {
  return record.measures.flatMap((measure) => {
    const earlier = before?.measures.find(({ what }) => what === measure.what)
    if (earlier === undefined || measure.target === undefined) return []
    const [now, then] = [judgedValue(measure), judgedValue(earlier)]
    const worse = 'atMost' in measure.target ? now / then - 1 : then / now - 1
    if (!(worse > noticeableShare)) return []
    return [
      `${record.name}: ${measure.what}: ${formatNumber(now)}, recorded ${formatNumber(then)}, more than a fifth worse`,
    ]
  })
}
