export type { ComparedRun, RunDiff } from './diff-runs.ts'
export type { ExportedBundle, ExportOptions } from './export-run.ts'
export type { ForkOptions, ForkPoint, ForkReport } from './fork-run.ts'
export type { RunFilter } from './list-runs.ts'
export type { Cleanup, CleanupRequest } from './remove-runs.ts'
export type { ReplayReport } from './replay-run.ts'
export type {
  AgentAnswer,
  PapersAnswer,
  ReusedPapers,
  RunResult,
  WorkflowAnswer,
} from './run-result.ts'
export {
  type BundleReport,
  type ThreadBounds,
  type VerifyOptions,
  verifyBundle,
  verifyBundleApart,
} from './verify-bundle.ts'
