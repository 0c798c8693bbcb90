import type { JsonObject } from '../../kernel/json.ts'
import { findPlace, type Place } from '../../kernel/run/place.ts'
import { stateAt } from '../../kernel/run/state-at.ts'
import type { AppParts } from '../app-parts.ts'
import type { AnyWorkflow } from '../workflows/bound-workflow.ts'
import { findRunId } from './run-id.ts'

/** @see App.stateAt */
export async function readState(
  parts: AppParts,
  run: string,
  at: string,
): Promise<{ readonly place: Place; readonly state: JsonObject }> {
  const runId = await findRunId(parts.store, run)
  const place = await findPlace(parts.store, runId, at)
  const bound = await parts.workflows.bind(runId)
  return { place, state: await stateAtPlace(parts, await bound.workflow(), runId, place) }
}

/** A run's state at a place; empty for a workflow that keeps none. @throws `run_incompatible` for another version's run */
export async function stateAtPlace(
  { store }: Pick<AppParts, 'store'>,
  workflow: AnyWorkflow,
  runId: string,
  place: Place,
): Promise<JsonObject> {
  return workflow.foldState === undefined ? {} : stateAt(workflow, store, runId, place)
}
