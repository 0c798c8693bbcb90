import type { RunStatus } from '../kernel/run/event.ts'
import type { Span, SpanStatus, SpanUsage } from './span.ts'
import { nodeName } from './span-path.ts'
import type { Trace, TraceFilter, TraceReader } from './trace-reader.ts'

/** A visit of a run to a node of the workflow's own graph. */
export interface TrajectoryStep {
  /** Without the visit number. */
  readonly node: string
  readonly durationMs: number
  readonly status: SpanStatus
  readonly usage: SpanUsage
}

/** The path of a run through its graph. */
export interface Trajectory {
  readonly runId: string
  readonly status: RunStatus
  /** Every node in order of its start; a repeated one appears where it was last done. */
  readonly steps: readonly TrajectoryStep[]
  /** The names of nodes that called a model or a tool, without nodes that only route. */
  readonly path: readonly string[]
}

/** A path, and how many runs took it. */
export interface PathFrequency {
  readonly path: readonly string[]
  readonly runs: number
  /** Share of all runs, 0 to 1. */
  readonly share: number
  /** Up to ten of these runs, newest first. */
  readonly runIds: readonly string[]
}

/** Where two runs diverged. */
export interface TrajectoryComparison {
  readonly isSame: boolean
  /** The common beginning of both paths. */
  readonly shared: readonly string[]
  /** The rest of each path. */
  readonly left: readonly string[]
  readonly right: readonly string[]
}

const maxNamedRuns = 10

/** Analyses the paths that runs take through their graphs. */
export class AgentTrajectoryAnalyzer {
  private readonly reader: TraceReader

  constructor(reader: TraceReader) {
    this.reader = reader
  }

  /** The paths of runs, newest first. */
  async *trajectories(filter: TraceFilter = {}): AsyncGenerator<Trajectory> {
    let nodes: Span[] = []
    const collect = () => {
      nodes = []
      return (span: Span) => {
        if (isTopNode(span)) nodes.push(span)
      }
    }
    for await (const trace of this.reader.traces(filter, collect)) yield toTrajectory(trace, nodes)
  }

  /** Each path with its frequency, most frequent first. */
  async paths(filter: TraceFilter = {}): Promise<readonly PathFrequency[]> {
    const found = new Map<string, { path: readonly string[]; runs: number; runIds: string[] }>()
    let total = 0
    for await (const { runId, path } of this.trajectories(filter)) {
      total++
      const name = JSON.stringify(path)
      const known = found.get(name) ?? { path, runs: 0, runIds: [] }
      found.set(name, known)
      known.runs++
      if (known.runIds.length < maxNamedRuns) known.runIds.push(runId)
    }
    return [...found.values()]
      .map((way) => ({ ...way, share: way.runs / total }))
      .sort((left, right) => right.runs - left.runs)
  }

  /**
   * Where the paths of two runs diverged.
   * @throws `run_not_found`
   */
  async compare(leftRun: string, rightRun: string): Promise<TrajectoryComparison> {
    const left = await this.pathOf(leftRun)
    const right = await this.pathOf(rightRun)
    let length = 0
    while (length < Math.min(left.length, right.length) && left[length] === right[length]) length++
    return {
      isSame: length === left.length && length === right.length,
      shared: left.slice(0, length),
      left: left.slice(length),
      right: right.slice(length),
    }
  }

  private async pathOf(run: string): Promise<readonly string[]> {
    const { trace, spans } = await this.reader.read(run)
    return toTrajectory(trace, spans.filter(isTopNode)).path
  }
}

function isTopNode({ kind, key }: Span): boolean {
  return kind === 'node' && key.split('/').length === 2
}

/**
 *
 * @param ended the nodes of the run, in the order in which they ended
 */
function toTrajectory({ runId, status }: Trace, ended: readonly Span[]): Trajectory {
  const nodes = new Map(ended.map((span) => [span.key, span]))
  const steps = [...nodes.values()]
    .sort((left, right) => left.startMs - right.startMs)
    .map(({ name, startMs, endMs, status: how, usage }) => ({
      node: nodeName(name),
      durationMs: endMs - startMs,
      status: how,
      usage,
    }))
  const path = steps
    .filter(({ usage }) => usage.modelCalls + usage.toolCalls > 0)
    .map(({ node }) => node)
  return { runId, status, steps, path }
}
