import type { Span, SpanStatus, SpanUsage } from '../../observe/span.ts'
import { count, dollars, duration } from '../progress/live-lines.ts'
import type { Paint } from './paint.ts'
import { countColumns, cut, oneLine, pad, wrap } from './text.ts'
import type { Row } from './trace-tree.ts'

/** The frame of a waterfall. */
export interface WaterfallFrame {
  readonly columns: number
  readonly paint: Paint
  /** Start of a span within the working time, in milliseconds from the start of the run. */
  readonly offsetMs: (span: Span) => number
  readonly totalMs: number
}

/** Narrower terminals have no room for bars. */
const leastForBars = 64
const leastForCosts = 30
const mostLabelColumns = 44
const leastBarColumns = 10

/** The lines of a waterfall: label, bar, time, tokens and cost, with the reasons of failures below. */
export function drawWaterfall(rows: readonly Row[], frame: WaterfallFrame): readonly string[] {
  const isNarrow = frame.columns < leastForBars
  const cells = rows.map(({ span }) => toCells(span, frame.columns))
  const widths = [0, 1, 2].map((index) =>
    Math.max(...cells.map((row) => countColumns(row[index] ?? '')), 0),
  )
  const facts = widths.reduce((sum, width) => sum + width + (width === 0 ? 0 : 2), 0)
  const labels = Math.max(...rows.map((row) => countColumns(formatLabel(row))), 4)
  const room = frame.columns - facts
  const hasBars = !isNarrow && room - 12 - 2 >= leastBarColumns
  const label = hasBars
    ? Math.min(labels, mostLabelColumns, room - 2 - leastBarColumns)
    : Math.min(labels, Math.max(4, room))
  const bar = hasBars ? room - label - 2 : 0
  return rows.flatMap((row, index) => {
    const text = pad(cut(formatLabel(row), label), label)
    const right = (cells[index] ?? [])
      .map((cell, column) =>
        widths[column] === 0 ? '' : `  ${padStart(cell, widths[column] ?? 0)}`,
      )
      .join('')
    const drawn = bar === 0 ? '' : `  ${drawBar(row.span, bar, frame)}`
    const line = `${painted(row.span, text, frame.paint)}${drawn}${frame.paint.dim(right.trimEnd())}`
    const reason = isToldBelow(rows, index) ? [] : reasonLines(row, frame)
    return [line, ...reason, ...moreLines(row, frame)]
  })
}

function formatLabel({ span, depth }: Row): string {
  const { kind, name, attributes, status } = span
  const model = kind === 'model' && attributes.model !== undefined ? ` ${shortModel(span)}` : ''
  const requests = Number(attributes.requests ?? 1)
  const again = kind === 'model' && requests > 1 ? ` (${count(requests, 'request')})` : ''
  const label = kind === 'agent' ? `agent ${name}` : `${name}${model}${again}`
  return `${'  '.repeat(depth)}${signs[status]}${oneLine(label)}`
}

/** The model's name without its provider, which is long and says little. */
function shortModel({ attributes }: Span): string {
  const model = String(attributes.model)
  return model.slice(model.indexOf(':') + 1)
}

const signs: Readonly<Record<SpanStatus, string>> = {
  ok: '',
  failed: '✗ ',
  cancelled: '– ',
  open: '… ',
}

/** A narrow terminal has room for time and cost only, a very narrow one for time. */
function toCells({ startMs, endMs, usage }: Span, columns: number): readonly string[] {
  const tokens = columns < leastForBars ? 0 : usage.inputTokens + usage.outputTokens
  return [
    duration(endMs - startMs),
    tokens === 0 ? '' : `${tokens.toLocaleString('en-US')} tok`,
    columns < leastForCosts ? '' : formatCost(usage),
  ]
}

/** The cost: empty if nothing was paid, `$?` if a price is unknown. */
export function formatCost({ costUsd }: SpanUsage): string {
  if (costUsd === null) return '$?'
  return costUsd === 0 ? '' : dollars(costUsd)
}

/** Whether something inside a row failed for the same reason, which is shown there. */
function isToldBelow(rows: readonly Row[], index: number): boolean {
  const { span, depth } = rows[index] as Row
  const message = span.failure?.message
  if (message === undefined) return false
  for (const below of rows.slice(index + 1)) {
    if (below.depth <= depth) return false
    const reason = below.span.status === 'ok' ? undefined : below.span.failure?.message
    if (reason !== undefined && message.includes(reason)) return true
  }
  return false
}

function drawBar(
  span: Span,
  columns: number,
  { totalMs, offsetMs, paint }: WaterfallFrame,
): string {
  const scale = totalMs <= 0 ? 0 : columns / totalMs
  const from = Math.min(columns - 1, Math.floor(offsetMs(span) * scale))
  const length = Math.round((span.endMs - span.startMs) * scale)
  const drawn = Math.max(1, Math.min(columns - from, length))
  const isHolder = span.kind === 'node' || span.kind === 'workflow' || span.kind === 'agent'
  const sign = length === 0 ? '▏' : isHolder ? '━' : '█'
  const text = sign.repeat(drawn)
  return ' '.repeat(from) + colored(span, text, paint) + ' '.repeat(columns - from - drawn)
}

function colored({ kind, status }: Span, text: string, paint: Paint): string {
  if (status === 'failed') return paint.red(text)
  if (kind === 'model') return paint.cyan(text)
  if (kind === 'tool' || kind === 'retrieval') return paint.green(text)
  return kind === 'step' ? paint.dim(text) : text
}

function painted({ kind, status }: Span, text: string, paint: Paint): string {
  if (status === 'failed') return paint.red(text)
  if (status !== 'ok') return paint.yellow(text)
  return kind === 'node' || kind === 'workflow' ? paint.bold(text) : text
}

function reasonLines({ span, depth }: Row, { columns, paint }: WaterfallFrame): readonly string[] {
  const { failure, status } = span
  if (failure === undefined || status === 'ok') return []
  const text = `${'  '.repeat(depth + 1)}${oneLine(failure.code)}: ${oneLine(failure.message)}`
  return wrap(text, columns, '  '.repeat(depth + 2)).map((line) => paint.red(line))
}

function moreLines({ hidden, depth }: Row, { paint }: WaterfallFrame): readonly string[] {
  return hidden === 0 ? [] : [paint.dim(`${'  '.repeat(depth)}… and ${hidden} more`)]
}

function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - countColumns(text))) + text
}
