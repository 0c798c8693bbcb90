import { type ExecutionOptions, type Question, waitingQuestion } from '../app.ts'
import { toFailure } from '../kernel/errors.ts'
import type { LiveEvent, RunEvent } from '../kernel/run/event.ts'
import type { RunResult } from './arguments/app-settings.ts'
import { type Asking, askAboutGrants, type GrantQuestion } from './arguments/ask-grants.ts'
import { resumeCommand, withGrants } from './arguments/grant-options.ts'
import type { Invocation } from './arguments/invocation.ts'
import {
  askAtInterrupt,
  interruptWays,
  tellWaitingInterrupt,
} from './commands/agents/ask-interrupt.ts'
import { askAboutPlan, canBeAsked, planHint, tellWaitingPlan } from './commands/ask/approve-plan.ts'
import { openWatch } from './commands/runs/trace-watch.ts'
import { findDisplay } from './displays/displays.ts'
import { exitCodes, statusExitCodes } from './exit-codes.ts'
import { listenForInterrupts } from './interrupts.ts'
import { createProgress, type Progress } from './progress/progress.ts'
import { printJson, printResult } from './render/print.ts'
import { answerStyle } from './render/render-answer.ts'
import { reportError, reportInterrupted } from './report-error.ts'

/** A run to execute. */
export interface RunToExecute {
  readonly invocation: Invocation
  /** Its id, if known before it starts. */
  readonly runId?: string
  /** Its log so far, if it is resumed. */
  readonly history?: readonly RunEvent[]
  /** Its workflow, if known before it starts. Default `ask`. */
  readonly workflow?: string
  drive(options: ExecutionOptions & { readonly answer: Asking }): Promise<RunResult>
}

/**
 * Executes a run with progress on stderr and the answer on stdout; returns the exit code. Ctrl-C, or a closed stdout,
 * stops the run so that it can be resumed.
 */
export async function executeRun(driven: RunToExecute): Promise<number> {
  const { invocation, runId, history, workflow = 'ask', drive } = driven
  const { terminal } = invocation
  const controller = new AbortController()
  const watch = await openWatch(invocation)
  const progress = createProgress(invocation, { history: history ?? [], workflow })
  const stopListening = listenForInterrupts(() => controller.abort())
  let isUnread = false
  terminal.whenStdoutCloses(() => {
    isUnread = true
    controller.abort()
  })
  try {
    const onEvent = (event: LiveEvent) => {
      watch.hear(event)
      progress.hear(event)
    }
    const answerOf = async (asked: Question | GrantQuestion) => {
      if (!canBeAsked(terminal)) return undefined
      if (asked.kind === 'grants')
        return progress.during(() => askAboutGrants(terminal, asked, controller))
      if (asked.kind === 'plan')
        return progress.during(() => askAboutPlan(terminal, asked, controller))
      if (asked.kind !== 'interrupt') return undefined
      return progress.during(() => askAtInterrupt(terminal, asked, controller))
    }
    const answer = await drive({
      signal: controller.signal,
      onEvent,
      answer: answerOf,
      ...watch.labels,
    })
    progress.end()
    return printRunResult(invocation, answer, progress)
  } catch (error) {
    progress.end()
    const id = progress.view.runId || runId || ''
    const isInterrupted = controller.signal.aborted && toFailure(error).code === 'cancelled'
    return isInterrupted
      ? reportInterrupt(invocation, id, isUnread)
      : reportFailure(invocation, id, error)
  } finally {
    stopListening()
    watch.close()
  }
}

function printRunResult(invocation: Invocation, answer: RunResult, progress: Progress): number {
  const { terminal, options } = invocation
  const { view } = progress
  const display = findDisplay(answer.workflow)
  const asTyped = (text: string) => terminal.asTyped(withGrants(options, text))
  const style = {
    ...answerStyle(terminal),
    asTyped,
    failure: view.failure,
    isQuiet: options.has('quiet'),
  }
  printResult(invocation, answer, () =>
    display.renderOutput === undefined
      ? display.render(answer, style)
      : display.renderOutput(answer, style),
  )
  display.tellEnd?.(invocation, answer, view)
  return statusExitCodes[answer.status]
}

function reportInterrupt(invocation: Invocation, runId: string, isUnread: boolean): number {
  const { terminal, format, options } = invocation
  if (isUnread) return exitCodes.cancelled
  const hint =
    runId === ''
      ? 'The run had not started.'
      : `Resume with: ${resumeCommand(options, runId)} (add --finish for the answer so far)`
  return reportInterrupted(hint, { terminal, format, ...(runId === '' ? {} : { runId }) })
}

function reportFailure(invocation: Invocation, runId: string, error: unknown): number {
  const { terminal, format, options } = invocation
  if (isWaitingSession(error)) {
    tellWaitingSession(invocation, runId)
    return statusExitCodes.answered
  }
  const { details, message, hint } = toFailure(error)
  const asked = waitingQuestion(error)
  const resume = resumeCommand(options, runId)
  if (asked?.kind === 'plan' || asked?.kind === 'interrupt') {
    const told = asked.kind === 'plan' ? planHint(resume) : withGrants(options, hint ?? '')
    if (asked.kind === 'plan') tellWaitingPlan(terminal, asked, resume)
    else tellWaitingInterrupt(terminal, asked, resume)
    if (format !== 'text')
      printJson(terminal, format, 'error', {
        runId,
        schema: 'scholium.error/1',
        error: {
          code: 'waiting',
          message,
          retryable: false,
          hint: told,
          ...(asked.kind === 'interrupt' ? { ways: interruptWays(asked, resume) } : {}),
          details,
        },
      })
    return exitCodes.waiting
  }
  const exitCode = reportError(error, { terminal, format, ...(runId === '' ? {} : { runId }) })
  const { code } = toFailure(error)
  const canResume = runId !== '' && !cannotResume.has(code) && details?.isForeignHome !== true
  if (canResume) terminal.tell(terminal.asTyped(`The run was saved. Resume with: ${resume}`))
  return exitCode
}

/** Errors for which resuming the run would not help, or whose hint says how already. */
const cannotResume: ReadonlySet<string> = new Set([
  'waiting',
  'run_busy',
  'run_not_found',
  'run_incompatible',
  'step_changed',
  'step_repeated',
  'invalid_input',
])

/** Whether a run ended because it is a session that waits for its next request. */
function isWaitingSession(error: unknown): boolean {
  return waitingQuestion(error)?.kind === 'turn'
}

/** Says how to continue a session that waits for its next request. */
function tellWaitingSession({ terminal, format, options }: Invocation, runId: string): void {
  const message = `Session ${runId} is waiting for the next request. Files were not changed back.`
  const hint = withGrants(options, `Continue with: scholium code --resume ${runId}`)
  terminal.tell(message)
  terminal.tell(terminal.asTyped(hint))
  if (format === 'text') return
  const error = { code: 'waiting', message, retryable: false, hint }
  printJson(terminal, format, 'error', { runId, schema: 'scholium.error/1', error })
}
