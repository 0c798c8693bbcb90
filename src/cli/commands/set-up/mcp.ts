import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { protocolOutput } from '../../protocol-output.ts'
import { oneLine } from '../../render/text.ts'
import { tellFailure } from './serve.ts'

/** `scholium mcp`. */
export const runMcp: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const maxRuns = options.whole('max-runs', 1)
  const output = protocolOutput(terminal.host)
  const control = new AbortController()
  const stopListening = listenForInterrupts(() => control.abort())
  terminal.whenStdoutCloses(() => control.abort())
  const { createApp, readAskDefaults, readPapersDefaults, toAppOptions } = await import(
    '../../../app.ts'
  )
  const { serveMcp } = await (await import('../../../faces.ts')).loadMcp()
  try {
    return await withApp(
      invocation,
      async (app, configuration) => {
        const onWarning = (text: string) => terminal.tell(oneLine(text))
        const resuming = createApp({ ...toAppOptions(configuration, 'recorded'), onWarning })
        await serveMcp(app, {
          resuming,
          defaults: (isContinued) => ({
            ask: readAskDefaults(configuration, isContinued),
            papers: readPapersDefaults(configuration, isContinued),
          }),
          input: terminal.host.stdin,
          output,
          signal: control.signal,
          onFailure: (error) => tellFailure(invocation, error),
          ...(maxRuns === undefined ? {} : { maxRuns }),
        })
        await resuming.close()
        return 0
      },
      'new',
    )
  } finally {
    stopListening()
    // Stops reading: further input from a client must not keep the process alive.
    terminal.host.stdin.destroy()
  }
}
