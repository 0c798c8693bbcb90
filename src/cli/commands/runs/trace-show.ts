import type { Span } from '../../../observe/span.ts'
import type { Trace } from '../../../observe/trace-reader.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count, duration } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { cut, oneLine } from '../../render/text.ts'
import {
  agentShares,
  buildTrees,
  type Row,
  type SpanTree,
  toRows,
} from '../../render/trace-tree.ts'
import { drawWaterfall, formatCost } from '../../render/trace-waterfall.ts'
import { localTime } from './runs.ts'

/** `scholium trace show`. */
export const runTraceShow: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { runId } = await app.showRun(invocation.words[0] ?? '')
    const depth = invocation.options.whole('depth', 1) ?? Infinity
    const { trace, spans } = await app.traces.read(runId)
    const own = spans.filter(({ isShared }) => isShared !== true)
    const trees = buildTrees(own)
    printResult(invocation, { ...trace, spans: trees.map(asJson) }, () =>
      renderTrace(invocation, { trace, own, trees, depth, shared: spans.length - own.length }),
    )
    return 0
  })

/** A tree as JSON: each span with its children. */
function asJson({ span, children }: SpanTree): object {
  return { ...span, children: children.map(asJson) }
}

interface Shown {
  readonly trace: Trace
  readonly own: readonly Span[]
  readonly trees: readonly SpanTree[]
  readonly depth: number
  /** Number of spans that a fork shares with its parent. */
  readonly shared: number
}

/** The width to use without a terminal. */
const usualColumns = 100

function renderTrace({ terminal, options }: Invocation, shown: Shown): string {
  const { trace, own, trees, depth, shared } = shown
  const columns = terminal.stdout.columns ?? usualColumns
  const { paint } = terminal.stdout
  const totalMs = Math.max(1, trace.durationMs)
  const rows = trees.flatMap((tree) =>
    rowsOfExecution(tree, trees.length, options.has('all'), depth, totalMs),
  )
  const offsetMs = offsets(trees)
  const hasPart = shared > 0
  return [
    paint.bold(cut(oneLine(trace.title), columns)),
    ...formatHead(trace).map((line) => cut(line, columns)),
    ...(hasPart
      ? [`Shared with ${trace.parentRunId} and not shown: ${count(shared, 'span')}`]
      : []),
    '',
    ...drawWaterfall(rows, { columns, paint, offsetMs, totalMs }),
    ...agentTable(own, columns),
  ].join('\n')
}

function formatHead(trace: Trace): readonly string[] {
  const { runId, workflow, status, startMs, durationMs, usage, sessionId, userId } = trace
  const tokens = usage.inputTokens + usage.outputTokens
  const facts = [
    status,
    duration(durationMs),
    count(usage.modelCalls, 'model call'),
    ...(usage.toolCalls === 0 ? [] : [count(usage.toolCalls, 'tool call')]),
    ...(tokens === 0 ? [] : [`${tokens.toLocaleString('en-US')} tokens`]),
    ...(usage.costUsd === null ? ['cost unknown'] : usage.costUsd === 0 ? [] : [formatCost(usage)]),
  ]
  const ids = [
    ...(sessionId === null ? [] : [`session ${oneLine(sessionId)}`]),
    ...(userId === null ? [] : [`user ${oneLine(userId)}`]),
  ]
  return [
    `${workflow} ${runId} · ${localTime(startMs)}`,
    facts.join(' · '),
    ...(ids.length === 0 ? [] : [ids.join(' · ')]),
  ]
}

/** An execution has its own line if there are several, or to say why it ended. */
function rowsOfExecution(
  tree: SpanTree,
  executions: number,
  hasAll: boolean,
  depth: number,
  totalMs: number,
): readonly Row[] {
  const rows = toRows(tree, { depth, hasAll, totalMs })
  const { span } = tree
  if (executions === 1 && span.failure === undefined) return rows
  const name = `execution ${span.execution}, ${span.attributes.begunBy}`
  const head = { span: { ...span, name }, depth: 0, hidden: 0 }
  return [head, ...rows.map((row) => ({ ...row, depth: row.depth + 1 }))]
}

/** Start times of spans, without the pauses between executions. */
function offsets(trees: readonly SpanTree[]): (span: Span) => number {
  const starts = new Map<number, number>()
  let workedMs = 0
  for (const { span } of trees) {
    starts.set(span.execution, span.startMs - workedMs)
    workedMs += span.endMs - span.startMs
  }
  return ({ execution, startMs }) => Math.max(0, startMs - (starts.get(execution) ?? startMs))
}

function agentTable(own: readonly Span[], columns: number): readonly string[] {
  const shares = agentShares(own)
  if (shares.length === 0) return []
  const rows = shares.map(({ agent, times, durationMs, usage }) => [
    oneLine(agent),
    `${times}×`,
    duration(durationMs),
    String(usage.modelCalls),
    String(usage.toolCalls),
    usage.inputTokens.toLocaleString('en-US'),
    usage.outputTokens.toLocaleString('en-US'),
    formatCost(usage) || '–',
  ])
  const header = ['AGENT', 'WORKED', 'TIME', 'MODEL', 'TOOLS', 'IN', 'OUT', 'COST']
  return ['', ...renderTable(header, rows, columns)]
}
