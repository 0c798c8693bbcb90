import type { JsonObject } from '../../kernel/json.ts'
import { findPlace, type Place } from '../../kernel/run/place.ts'
import { stateAt } from '../../kernel/run/state-at.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from './run-id.ts'
import { workflowOf } from './workflow-of.ts'

/** @see App.stateAt */
export async function stateOf(
  parts: AppParts,
  run: string,
  at: string,
): Promise<{ readonly place: Place; readonly state: JsonObject }> {
  const runId = await findRunId(parts.store, run)
  const place = await findPlace(parts.store, runId, at)
  const { workflow } = await workflowOf(parts, runId)
  return { place, state: await stateAt(await workflow(), parts.store, runId, place) }
}
