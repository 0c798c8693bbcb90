import { replayRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import type { ReplayReport } from './replay-report.ts'
import { findRunId } from './run-id.ts'
import { modelsOfReplay } from './run-models.ts'
import { presentResult } from './run-result.ts'

/** @see App.replay */
export async function replayOf(parts: AppParts, run: string): Promise<ReplayReport> {
  const runId = await findRunId(parts.store, run)
  const bound = await parts.workflows.bind(runId)
  const models = await modelsOfReplay(parts, runId)
  const replay = await replayRun(await bound.workflow(), runId, parts.execution({}, models, bound))
  const answer = await presentResult(parts, runId, replay.result)
  const recorded = await presentResult(parts, runId, replay.recorded)
  const isIdentical = JSON.stringify(answer) === JSON.stringify(recorded)
  const { steps, unclaimed } = replay
  return { runId, answer, recorded, isIdentical, steps, unclaimed }
}
