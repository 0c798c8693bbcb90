import type { Performance } from '../../../observe/agent-performance.ts'
import type { PathFrequency } from '../../../observe/agent-trajectory.ts'
import { AgentPerformanceAnalyzer, AgentTrajectoryAnalyzer } from '../../../observe/index.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count, dollars, duration } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine, wrap } from '../../render/text.ts'
import { readFilter } from './trace-filter.ts'

/** `scholium trace stats`. */
export const runTraceStats: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const filter = readFilter(invocation.options, Date.now())
    const performance = await new AgentPerformanceAnalyzer(app.traces).analyze(filter)
    const paths = await new AgentTrajectoryAnalyzer(app.traces).paths(filter)
    printResult(invocation, { ...performance, paths }, () =>
      renderStats(invocation, performance, paths),
    )
    return 0
  })

/** `scholium trace compare`. */
export const runTraceCompare: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [left = '', right = ''] = invocation.words
    const runs = [await app.showRun(left), await app.showRun(right)].map(({ runId }) => runId)
    const [leftId = '', rightId = ''] = runs
    const comparison = await new AgentTrajectoryAnalyzer(app.traces).compare(leftId, rightId)
    printResult(invocation, { runs, ...comparison }, () => {
      const { isSame, shared } = comparison
      const same = shared.length === 0 ? 'no common steps' : chooseForm(shared)
      if (isSame) return `Both runs took the same path: ${same}`
      return [
        `Both: ${same}`,
        `${leftId}: ${chooseForm(comparison.left)}`,
        `${rightId}: ${chooseForm(comparison.right)}`,
      ].join('\n')
    })
    return 0
  })

const mostPaths = 5

function renderStats(
  { terminal }: Invocation,
  { workflow, agents }: Performance,
  paths: readonly PathFrequency[],
): string {
  const { columns } = terminal.stdout
  if (workflow.runs === 0) return 'No matching runs.'
  const { durationMs, usage, statuses, errors } = workflow
  const ends = Object.entries(statuses).map(([status, runs]) => `${runs} ${status}`)
  const head = [
    `${count(workflow.runs, 'run')}: ${ends.join(', ')}; ${percent(errors.rate)} failed`,
    `Time per run: ${times(durationMs)}`,
    `Tokens: ${usage.inputTokens.toLocaleString('en-US')} in, ${usage.outputTokens.toLocaleString('en-US')} out; cost ${cost(usage.costUsd)}`,
  ]
  const rows = agents.map(({ agent, latencyMs, usage: used, errors: failed }) => [
    oneLine(agent),
    String(latencyMs.count),
    duration(latencyMs.p50),
    duration(latencyMs.p95),
    duration(latencyMs.p99),
    used.inputTokens.toLocaleString('en-US'),
    used.outputTokens.toLocaleString('en-US'),
    cost(used.costUsd),
    `${failed.errors}/${failed.total} (${percent(failed.rate)})`,
  ])
  const header = ['AGENT', 'WORKED', 'P50', 'P95', 'P99', 'IN', 'OUT', 'COST', 'ERRORS']
  const ways = paths
    .slice(0, mostPaths)
    .flatMap(({ path, share, runs }) =>
      wrap(
        `${percent(share)} (${count(runs, 'run')}): ${chooseForm(path)}`,
        columns ?? Infinity,
        '  ',
      ),
    )
  const more =
    paths.length > mostPaths ? [`… and ${count(paths.length - mostPaths, 'other path')}`] : []
  return [...head, '', ...renderTable(header, rows, columns), '', 'Ways', ...ways, ...more].join(
    '\n',
  )
}

function chooseForm(path: readonly string[]): string {
  return path.length === 0 ? 'no calls' : path.map(oneLine).join(' → ')
}

function times({ p50, p95, p99 }: Performance['workflow']['durationMs']): string {
  return `p50 ${duration(p50)}, p95 ${duration(p95)}, p99 ${duration(p99)}`
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0)} %`
}

function cost(costUsd: number | null): string {
  return costUsd === null ? 'unknown' : dollars(costUsd)
}
