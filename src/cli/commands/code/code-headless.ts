import type { CodeAnswer, CodeEvent, CodeRequest, CodeSession } from '../../../app.ts'
import { fromFailure, toFailure } from '../../../kernel/errors.ts'
import { addedTo, type OpenApp, readLimits } from '../../arguments/app-settings.ts'
import { withGrants } from '../../arguments/grant-options.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { renderCode, tellCodeEnd } from '../../displays/code-display.ts'
import { exitCodes, statusExitCodes } from '../../exit-codes.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { printLine, printResult } from '../../render/print.ts'
import { cut, oneLine } from '../../render/text.ts'
import { reportError, reportInterrupted } from '../../report-error.ts'
import { toolNote, toolTitle } from '../../terminal/tool-words.ts'
import { openWatch } from '../runs/trace-watch.ts'

/** Works on one task without a person: progress on stderr, the answer on stdout; returns the exit code. */
export async function driveHeadless(
  invocation: Invocation,
  app: OpenApp,
  request: CodeRequest,
  prompt: string,
): Promise<number> {
  const { terminal, format, options } = invocation
  const controller = new AbortController()
  const watch = await openWatch(invocation)
  const stopListening = listenForInterrupts(() => controller.abort())
  let isUnread = false
  terminal.whenStdoutCloses(() => {
    isUnread = true
    controller.abort()
  })
  let session: CodeSession | undefined
  try {
    const { settings = {}, ...others } = request
    session = await app.code(
      { ...others, settings, title: prompt },
      {
        signal: controller.signal,
        limits: readLimits(options),
        ...watch.labels,
        onEvent: (event) => tellEvent(invocation, event),
        onLog: (event) => {
          watch.hear(event)
          if (format === 'stream-json') printLine(terminal, event)
        },
      },
    )
    const answer = await workOn(session, request, prompt)
    printResult(invocation, answer, () => renderCode(answer, terminal.stdout))
    tellCodeEnd(invocation, answer)
    return statusExitCodes[answer.status]
  } catch (error) {
    const runId = session?.runId
    const place = { terminal, format, ...(runId === undefined ? {} : { runId }) }
    if (controller.signal.aborted && toFailure(error).code === 'cancelled') {
      if (isUnread) return exitCodes.cancelled
      const hint =
        runId === undefined
          ? 'The session had not started.'
          : withGrants(options, `Continue with: scholium code --resume ${runId} -p TASK`)
      return reportInterrupted(hint, place)
    }
    return reportError(error, place)
  } finally {
    stopListening()
    await session?.close()
    watch.close()
  }
}

/** Applies the current settings to a resumed session as a turn of their own, so that they are recorded. */
async function workOn(
  session: CodeSession,
  { resume, settings = {} }: CodeRequest,
  prompt: string,
): Promise<CodeAnswer> {
  await session.whenIdle()
  if (resume !== undefined && Object.keys(settings).length > 0) {
    const change = addedTo(session.state?.settings, settings)
    const { failure } = await session.send({ kind: 'settings', change })
    if (failure !== undefined) throw fromFailure(failure)
  }
  await session.send({ kind: 'prompt', text: prompt, isUnattended: true })
  return session.finish()
}

/** Prints events to stderr, one line each. */
function tellEvent({ terminal, options, format }: Invocation, event: CodeEvent): void {
  if (options.has('quiet') || format === 'stream-json') return
  const { paint } = terminal.stderr
  switch (event.type) {
    case 'tool.started':
      terminal.tell(paint.dim(`· ${toolTitle(event.toolName, event.input)}`))
      return
    case 'tool.done':
      if (event.isError)
        terminal.tell(paint.dim(`  ${cut(toolNote(event.toolName, event.output, true), 200)}`))
      return
    case 'thought':
      if (options.has('thoughts')) terminal.tell(paint.dim(`~ ${oneLine(event.text)}`))
      return
    case 'notice':
      terminal.tell(oneLine(event.text))
  }
}
