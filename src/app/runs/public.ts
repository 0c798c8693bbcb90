import type { Answer } from '../../ask/result.ts'
import type { AnswerForm } from '../ask/render-answer-as.ts'
import type { ReportCheck, VerifyReportOptions } from './verify-report.ts'

export type { ComparedRun, RunDiff } from './diff-runs.ts'
export type { ExportedBundle, ExportOptions } from './export-run.ts'
export type { ForkOptions, ForkPoint, ForkReport } from './fork-run.ts'
export type { RunFilter } from './list-runs.ts'
export type { ReadEvent, SentMessage } from './read-event.ts'
export type { Cleanup, CleanupRequest } from './remove-runs.ts'
export type { ReplayReport } from './replay-run.ts'
export type { NodeVisit, RunGraph } from './run-graph.ts'
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
export type { AnswerForm, ReportCheck, VerifyReportOptions }

/** An answer as Markdown or as a page that needs nothing else, with its sources, doubtful sentences and gaps. */
export async function renderAnswerAs(answer: Answer, form: AnswerForm): Promise<string> {
  return (await import('../ask/render-answer-as.ts')).renderAnswerAs(answer, form)
}

/**
 * Checks the citations of a Markdown file by code: whether the cited passages exist and support the sentences.
 * @throws `invalid_input` for a file that cannot be read or is not text, or a source that does not exist
 */
export async function verifyReport(
  file: string,
  options: VerifyReportOptions = {},
): Promise<ReportCheck> {
  const report = await import('./verify-report.ts')
  return report.verifyReport(file, options)
}
