import type { PapersAnswer } from '../../app.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { withGrants } from '../arguments/grant-options.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { RunView } from '../render/run-view.ts'

/** Tells how a run that a limit ended can be resumed. */
export function tellLimit(
  { terminal, options }: Invocation,
  { stopReason }: Pick<Answer | PapersAnswer, 'stopReason'>,
  { limit }: RunView,
): void {
  if (stopReason === 'limit' && limit?.hint !== undefined)
    terminal.tell(terminal.asTyped(withGrants(options, limit.hint)))
}
