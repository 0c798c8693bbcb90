import { replayRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import type { ReplayReport } from './replay-report.ts'
import { findRunId } from './run-id.ts'
import { modelsOfReplay } from './run-models.ts'
import { workflowOf } from './workflow-of.ts'

/** @see App.replay */
export async function replayOf(parts: AppParts, run: string): Promise<ReplayReport> {
  const runId = await findRunId(parts.store, run)
  const kind = await workflowOf(parts, runId)
  const models = await modelsOfReplay(parts, runId)
  const replay = await replayRun(await kind.workflow(), runId, parts.execution({}, models, kind))
  const answer = await kind.present(runId, replay.result)
  const recorded = await kind.present(runId, replay.recorded)
  const isIdentical = JSON.stringify(answer) === JSON.stringify(recorded)
  const { steps, unclaimed } = replay
  return { runId, answer, recorded, isIdentical, steps, unclaimed }
}
