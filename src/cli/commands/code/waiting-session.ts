import { waitingQuestion } from '../../../app.ts'
import { withGrants } from '../../arguments/grant-options.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { printJson } from '../../render/print.ts'

/** Whether a run ended because it is a session that waits for its next request, as sessions do between two. */
export function isWaitingSession(error: unknown): boolean {
  return waitingQuestion(error)?.kind === 'turn'
}

/** Tells how a session goes on that waits for its next request. */
export function tellWaitingSession({ terminal, format, options }: Invocation, runId: string): void {
  const message = `Session ${runId} waits for the next request; files are as they are now.`
  const hint = withGrants(options, `Go on with: scholium code --resume ${runId}`)
  terminal.tell(message)
  terminal.tell(terminal.asTyped(hint))
  if (format === 'text') return
  const error = { code: 'waiting', message, retryable: false, hint }
  printJson(terminal, format, 'error', { runId, schema: 'scholium.error/1', error })
}
