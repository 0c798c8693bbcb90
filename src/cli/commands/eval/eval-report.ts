import { type EvalReport, engineNames, engineNotes, scoreColumns } from '../../../app.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { renderTable } from '../../render/table.ts'
import { countColumns, oneLine, shortPath } from '../../render/text.ts'

type SetScores = EvalReport['sets'][number]

/** The printed scores: the model, a table, what was left out, and where to find the rest. */
export function renderReport(report: EvalReport, { terminal }: Invocation): string {
  const { paint, columns } = terminal.stdout
  const folder = terminal.host.cwd()
  const [head = '', ...lines] = formatTable(report.sets, columns)
  const blocks = [
    engineLines(report),
    report.treatments.map(({ set, treatment }) => `${set}: ${treatment}.`),
    [paint.bold(head), ...lines],
    [
      'Percentages with 95 % Wilson intervals; F1 is a mean. Supported: share of checked claims; checked: share of all claims. Seconds per question: p50, p95.',
    ],
    countLines(report.sets),
    refusedLines(report),
    [`All questions: ${shortPath(report.page, folder)}`],
  ]
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')
}

/** One row per set, or one row per score if that is too wide for the terminal. */
function formatTable(sets: readonly SetScores[], columns: number | undefined): readonly string[] {
  const heads = scoreColumns.map(({ head }) => head)
  const rows = sets.map((set) => scoreColumns.map(({ text }) => oneLine(text(set))))
  const wide = renderTable(heads, rows, undefined)
  if (columns === undefined || wide.every((line) => countColumns(line) <= columns)) return wide
  const turned = heads.map((name, index) => [name, ...rows.map((row) => row[index] ?? '')])
  return renderTable(turned[0] ?? [], turned.slice(1), columns)
}

function engineLines({
  models,
  answerFormat,
  workflow,
  done,
  total,
}: EvalReport): readonly string[] {
  const form = answerFormat === 'short' ? 'short answers' : 'full answers'
  return [
    `${workflow}, ${form}, by ${engineNames(models).join(', ')}: ${done} of ${total} questions`,
    ...engineNotes(models),
  ]
}

/** Counts of each set other than right and wrong, and usage. */
function countLines(sets: readonly SetScores[]): readonly string[] {
  return sets.map(({ set, statuses, usage }) => {
    const ends = Object.entries(statuses).flatMap(([name, times]) =>
      times > 0 ? [`${name} ${times}`] : [],
    )
    const tokens = usage.inputTokens + usage.outputTokens
    return `${oneLine(set)}: ${ends.join(', ')} · ${usage.modelCalls} model calls, ${usage.toolCalls} tool calls, ${tokens} tokens`
  })
}

/** Maximum number of unreadable lines to name; the JSON output and the page have all of them. */
const mostRefused = 10

function refusedLines({ refused }: EvalReport): readonly string[] {
  const told = refused.slice(0, mostRefused)
  const more = refused.length - told.length
  return [
    ...told.map(({ line, reason }) => oneLine(`Skipped: line ${line}: ${reason}`)),
    ...(more > 0 ? [`and ${more} more (--json lists them all)`] : []),
  ]
}
