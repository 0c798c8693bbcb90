import type { ComposedAction } from '../action.ts'
import { coordinateAction } from './agent-coordinate.ts'
import { dispatchAction } from './agent-dispatch.ts'
import { parallelAction } from './agent-parallel.ts'
import { sequentialAction } from './agent-sequential.ts'
import type { Providers } from './model-choice.ts'

/** `agent.*`: work for the agents of `settings.agents`. */
export function agentActions(providers: Providers): readonly ComposedAction[] {
  return [
    dispatchAction(providers),
    parallelAction(providers),
    sequentialAction(providers),
    coordinateAction(providers),
  ]
}
