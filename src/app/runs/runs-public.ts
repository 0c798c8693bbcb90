/** What is said of recorded runs, and done with them. */

export type { Right, RightKind } from '../trust/right.ts'
export type { ForkRequest } from '../workflows/bound-workflow.ts'
export type { ExportedBundle, ExportOptions } from './export-run.ts'
export type { ForkOptions, ForkPoint, ForkReport } from './fork-run.ts'
export type { Cleanup, CleanupRequest } from './remove-runs.ts'
export type { ReplayReport } from './replay-run.ts'
export type { OwnAnswer, RunResult } from './run-result.ts'
export { type BundleReport, type VerifyOptions, verifyBundle } from './verify-bundle.ts'
