import type { ComposedAction } from '../action.ts'
import type { Providers } from './model-choice.ts'
import { cotAction } from './reason-cot.ts'
import { decomposeAction } from './reason-decompose.ts'
import { reactAction } from './reason-react.ts'
import { selfCorrectAction } from './reason-self-correct.ts'

/** `reason.*`: techniques that think in several calls. */
export function reasonActions(providers: Providers): readonly ComposedAction[] {
  return [
    cotAction(providers),
    reactAction(providers),
    selfCorrectAction(providers),
    decomposeAction(providers),
  ]
}
