import type { RunStatus } from '../kernel/run/event.ts'
import type { Span, SpanStatus, SpanUsage } from './span.ts'
import { nodeName } from './span-path.ts'
import type { Trace, TraceFilter, TraceReader } from './trace-reader.ts'

/** A node of the workflow's own graph that a run went through. */
export interface TrajectoryStep {
  /** Without the number of the visit. */
  readonly node: string
  readonly durationMs: number
  readonly status: SpanStatus
  readonly usage: SpanUsage
}

/** The way that a run took. */
export interface Trajectory {
  readonly runId: string
  readonly status: RunStatus
  /** Every node, in order of its beginning; what was done again stands where it was done last. */
  readonly steps: readonly TrajectoryStep[]
  /** The names of the nodes that called a model or a tool: the way without what only routes. */
  readonly path: readonly string[]
}

/** A way and how many runs took it. */
export interface PathFrequency {
  readonly path: readonly string[]
  readonly runs: number
  /** Of all the runs, 0 to 1. */
  readonly share: number
  /** Up to ten of the runs, newest first. */
  readonly runIds: readonly string[]
}

/** Where two runs part. */
export interface TrajectoryComparison {
  readonly isSame: boolean
  /** The beginning of both paths. */
  readonly shared: readonly string[]
  /** What follows in each of them. */
  readonly left: readonly string[]
  readonly right: readonly string[]
}

const mostRunsNamed = 10

/** Which ways runs take through their graph. */
export class AgentTrajectoryAnalyzer {
  private readonly reader: TraceReader

  constructor(reader: TraceReader) {
    this.reader = reader
  }

  /** The ways of runs, newest first. */
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

  /** The ways and how often each was taken, the most frequent first. */
  async paths(filter: TraceFilter = {}): Promise<readonly PathFrequency[]> {
    const found = new Map<string, { path: readonly string[]; runs: number; runIds: string[] }>()
    let total = 0
    for await (const { runId, path } of this.trajectories(filter)) {
      total++
      const name = JSON.stringify(path)
      const known = found.get(name) ?? { path, runs: 0, runIds: [] }
      found.set(name, known)
      known.runs++
      if (known.runIds.length < mostRunsNamed) known.runIds.push(runId)
    }
    return [...found.values()]
      .map((way) => ({ ...way, share: way.runs / total }))
      .sort((left, right) => right.runs - left.runs)
  }

  /** Where the ways of two runs part. @throws `run_not_found` */
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

/** @param ended the nodes of the run, in the order of their ends */
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
