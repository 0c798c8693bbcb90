import { replayRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { recordedConditions } from './recorded-conditions.ts'
import { findRunId } from './run-id.ts'
import { createModels, modelsOfReplay, withWindows } from './run-models.ts'
import { presentResult, type RunResult } from './run-result.ts'

/** @see App.replay */
export async function replayRecorded(parts: AppParts, run: string): Promise<ReplayReport> {
  const runId = await findRunId(parts.store, run)
  const bound = await parts.workflows.bind(runId)
  const models = bound.models
    ? withWindows(
        createModels(parts, bound.models, true),
        await recordedConditions(parts.store, runId),
      )
    : await modelsOfReplay(parts, runId)
  const replay = await replayRun(await bound.workflow(), runId, parts.execution({}, models, bound))
  const answer = await presentResult(parts, runId, replay.result)
  const recorded = await presentResult(parts, runId, replay.recorded)
  const isIdentical = JSON.stringify(answer) === JSON.stringify(recorded)
  const { steps, unclaimed } = replay
  return { runId, answer, recorded, isIdentical, steps, unclaimed }
}

/** What a replay came to. */
export interface ReplayReport {
  readonly runId: string
  readonly answer: RunResult
  readonly isIdentical: boolean
  /** What was recorded. */
  readonly recorded: RunResult
  /** How many steps were answered from the record. */
  readonly steps: number
  /** Recorded steps that the code no longer asks for. */
  readonly unclaimed: readonly string[]
}
