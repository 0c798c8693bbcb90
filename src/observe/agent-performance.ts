import type { RunStatus } from '../kernel/run/event.ts'
import { addUsage, noUsage, type Span, type SpanUsage } from './span.ts'
import type { TraceFilter, TraceReader } from './trace-reader.ts'

/** How often something failed. */
export interface ErrorRate {
  readonly errors: number
  readonly total: number
  /** 0 to 1; 0 if there were no calls or runs. */
  readonly rate: number
}

/** Performance of one agent over some runs. */
export interface AgentPerformance {
  readonly agent: string
  /** Milliseconds, from its first call to the end of its last. */
  readonly latencyMs: Distribution
  readonly usage: SpanUsage
  readonly errors: ErrorRate
}

/** Performance of whole runs. */
export interface WorkflowPerformance {
  readonly runs: number
  readonly statuses: Readonly<Partial<Record<RunStatus, number>>>
  /** Milliseconds of work, without pauses. */
  readonly durationMs: Distribution
  readonly usage: SpanUsage
  readonly errors: ErrorRate
}

/** Performance of agents and of the runs as a whole, over the same runs. */
export interface Performance {
  readonly workflow: WorkflowPerformance
  /** Sorted by cost, then by time, highest first. */
  readonly agents: readonly AgentPerformance[]
}

/**
 * Computes latency, usage and error rates of agents and runs. Percentiles use the nearest rank. An agent counts as failed if the
 * last model call of its work failed; a run, if it ended with a failure.
 */
export class AgentPerformanceAnalyzer {
  private readonly reader: TraceReader

  constructor(reader: TraceReader) {
    this.reader = reader
  }

  /** Everything, in one pass over the runs. */
  async analyze(filter: TraceFilter = {}): Promise<Performance> {
    const agents = new Map<string, AgentSum>()
    const runs = new RunSum()
    let worked: Span[] = []
    const collect = () => {
      worked = []
      return (span: Span) => {
        if (span.kind === 'agent' && span.isShared !== true) worked.push(span)
      }
    }
    for await (const trace of this.reader.traces(filter, collect)) {
      runs.add(trace)
      for (const { agent = '', startMs, endMs, usage, status } of worked) {
        if (filter.agent !== undefined && agent !== filter.agent) continue
        const sum = agents.get(agent) ?? new AgentSum()
        agents.set(agent, sum)
        sum.add(endMs - startMs, usage, status === 'failed')
      }
    }
    const performances = [...agents].map(([agent, sum]) => sum.performance(agent))
    return { workflow: runs.performance(), agents: performances.sort(byCostAndTime) }
  }

  /** Latency of an agent. */
  async agentLatency(agent: string, filter: TraceFilter = {}): Promise<Distribution> {
    const { agents } = await this.analyze({ ...filter, agent })
    return agents[0]?.latencyMs ?? summarizeDistribution([])
  }

  /** Tokens by agent. */
  async tokenUsage(
    filter: TraceFilter = {},
  ): Promise<Readonly<Record<string, Pick<SpanUsage, 'inputTokens' | 'outputTokens'>>>> {
    return this.byAgent(filter, ({ usage }) => {
      const { inputTokens, outputTokens } = usage
      return { inputTokens, outputTokens }
    })
  }

  /** US dollars by agent; null if a model's price is unknown. */
  async costPerAgent(filter: TraceFilter = {}): Promise<Readonly<Record<string, number | null>>> {
    return this.byAgent(filter, ({ usage }) => usage.costUsd)
  }

  /** Error rate of each agent. */
  async errorRates(filter: TraceFilter = {}): Promise<Readonly<Record<string, ErrorRate>>> {
    return this.byAgent(filter, ({ errors }) => errors)
  }

  /** Performance of the runs as a whole. */
  async summary(filter: TraceFilter = {}): Promise<WorkflowPerformance> {
    return (await this.analyze(filter)).workflow
  }

  private async byAgent<T>(
    filter: TraceFilter,
    of: (performance: AgentPerformance) => T,
  ): Promise<Readonly<Record<string, T>>> {
    const { agents } = await this.analyze(filter)
    return Object.fromEntries(agents.map((performance) => [performance.agent, of(performance)]))
  }
}

class AgentSum {
  private readonly latenciesMs: number[] = []
  private usage = noUsage
  private errors = 0

  add(latencyMs: number, usage: SpanUsage, isFailed: boolean): void {
    this.latenciesMs.push(latencyMs)
    this.usage = addUsage(this.usage, usage)
    if (isFailed) this.errors++
  }

  performance(agent: string): AgentPerformance {
    const latencyMs = summarizeDistribution(this.latenciesMs)
    return {
      agent,
      latencyMs,
      usage: this.usage,
      errors: computeErrorRate(this.errors, latencyMs.count),
    }
  }
}

class RunSum {
  private readonly durationsMs: number[] = []
  private readonly statuses: Partial<Record<RunStatus, number>> = {}
  private usage = noUsage

  add(run: { durationMs: number; status: RunStatus; usage: SpanUsage }): void {
    this.durationsMs.push(run.durationMs)
    this.statuses[run.status] = (this.statuses[run.status] ?? 0) + 1
    this.usage = addUsage(this.usage, run.usage)
  }

  performance(): WorkflowPerformance {
    const durationMs = summarizeDistribution(this.durationsMs)
    return {
      runs: durationMs.count,
      statuses: this.statuses,
      durationMs,
      usage: this.usage,
      errors: computeErrorRate(this.statuses.failed ?? 0, durationMs.count),
    }
  }
}

function computeErrorRate(errors: number, total: number): ErrorRate {
  return { errors, total, rate: total === 0 ? 0 : errors / total }
}

function byCostAndTime(left: AgentPerformance, right: AgentPerformance): number {
  const cost = (right.usage.costUsd ?? 0) - (left.usage.costUsd ?? 0)
  const time = ({ latencyMs }: AgentPerformance) => latencyMs.mean * latencyMs.count
  return cost !== 0 ? cost : time(right) - time(left)
}

/**
 * A distribution of values, by nearest rank: the p-th percentile is the smallest value that at least p % of the values do not
 * exceed.
 */
export interface Distribution {
  readonly count: number
  readonly mean: number
  readonly min: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/**
 * The distribution of values; all 0 if there are none. Every percentile is an observed value.
 * @see https://en.wikipedia.org/wiki/Percentile#The_nearest-rank_method
 */
export function summarizeDistribution(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort()
  const count = sorted.length
  const at = (percent: number) => sorted[Math.max(0, Math.ceil((percent / 100) * count) - 1)] ?? 0
  const sum = sorted.reduce((total, value) => total + value, 0)
  return {
    count,
    mean: count === 0 ? 0 : sum / count,
    min: sorted[0] ?? 0,
    p50: at(50),
    p95: at(95),
    p99: at(99),
    max: sorted[count - 1] ?? 0,
  }
}
