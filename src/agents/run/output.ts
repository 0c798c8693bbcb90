import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Output } from '../document/agent-document.ts'
import { type AgentRun, fillIn, type Site } from './agent-run.ts'
import { type AgentState, asPatch } from './state.ts'

/** What a piece of work came to. */
export interface Done {
  readonly patch: AgentState
  readonly result: Json
}

/**
 * What a result changes in the state, by the rule of its `output`.
 * @throws `template_failed`, `invalid_input` for a key that no state can have
 */
export function patchOf(run: AgentRun, output: Output, result: Json, site: Site): AgentState {
  const whose = 'The output'
  switch (output.kind) {
    case 'key':
      return asPatch({ [output.key]: result }, whose)
    case 'map': {
      const names = { result, action_result: result }
      return asPatch(fillIn(run.shown, output.values, site, names) as JsonObject, whose)
    }
    case 'merge':
      return asPatch(isObject(result) ? result : { result: result ?? '' }, whose)
  }
}

/** Whether a value is a map. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
