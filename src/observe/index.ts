/** Projections of the log: spans, trace files, log lines, analytics. Loads no telemetry package. */
export {
  type AgentPerformance,
  AgentPerformanceAnalyzer,
  type Distribution,
  type ErrorRate,
  type Performance,
  type WorkflowPerformance,
} from './agent-performance.ts'
export {
  AgentTrajectoryAnalyzer,
  type PathFrequency,
  type Trajectory,
  type TrajectoryComparison,
  type TrajectoryStep,
} from './agent-trajectory.ts'
export { type ExportFormat, exportTraces } from './export-traces.ts'
export { openTraceFile, type TraceFile } from './line-file.ts'
export { createLog, type LogFile, type LogOptions, openLogFile } from './log.ts'
export { formatLogLine, type LogLevel, type LogLine, logLevels, toLogLine } from './log-line.ts'
export { eventsForSpans } from './read-events.ts'
export {
  type Span,
  type SpanFailure,
  type SpanKind,
  type SpanStatus,
  type SpanUsage,
  sumUsage,
  toTraceId,
} from './span.ts'
export { buildSpans, SpanFold, type SpanOptions } from './spans.ts'
export { type Trace, type TraceFilter, TraceReader } from './trace-reader.ts'
