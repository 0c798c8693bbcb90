import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Handler } from '../../../faces.ts'
import { ScholiumError, toFailure } from '../../../kernel/errors.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { canOpenBrowser, openBrowser } from '../../open-browser.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { oneLine } from '../../render/text.ts'

/** `scholium serve`. */
export const runServe: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const host = options.filled('host') ?? '127.0.0.1'
  const token = readToken(invocation, host)
  const folder = (name: string) => {
    const path = options.filled(name)
    return path === undefined ? undefined : resolve(terminal.host.cwd(), path)
  }
  const [filesFolder, agentsFolder] = [folder('files'), folder('agents')]
  const publicUrl = options.filled('public-url')
  const maxRuns = options.whole('max-runs', 1)
  const port = options.whole('port', 0)
  const { createApp, readAskDefaults, readPapersDefaults, toAppOptions } = await import(
    '../../../app.ts'
  )
  const { createHandler, listen } = await (await import('../../../faces.ts')).loadServer()
  return withApp(
    invocation,
    async (app, configuration) => {
      const onWarning = (text: string) => terminal.tell(oneLine(text))
      const resuming = createApp({ ...toAppOptions(configuration, 'recorded'), onWarning })
      const handler = createHandler(app, {
        resuming,
        configuration,
        defaults: (isContinued) => ({
          ask: readAskDefaults(configuration, isContinued),
          papers: readPapersDefaults(configuration, isContinued),
        }),
        hosts: isIP(host) === 0 ? [host] : [],
        onFailure: (error) => tellFailure(invocation, error),
        ...(token === undefined ? {} : { token }),
        ...(filesFolder === undefined ? {} : { filesFolder }),
        ...(agentsFolder === undefined ? {} : { agentsFolder }),
        ...(publicUrl === undefined ? {} : { publicUrl }),
        ...(maxRuns === undefined ? {} : { maxRuns }),
      })
      const stopping = Promise.withResolvers<void>()
      const stopListening = listenForInterrupts(stopping.resolve)
      const listening = await listen(handler, { host, ...(port === undefined ? {} : { port }) })
      const address = publicUrl?.replace(/\/$/, '') ?? listening.url
      const shown = token === undefined ? `${address}/#token=${handler.token}` : address
      printResult(invocation, { url: shown }, () => `Scholium listens at ${shown}`)
      if (isOpening(invocation)) openBrowser(`${listening.url}/#code=${handler.invite()}`)
      if (!options.has('quiet')) terminal.tell('Press Ctrl-C to stop. Runs can be resumed.')
      if (!options.has('no-continue')) await continueRuns(invocation, handler)
      await stopping.promise
      await listening.close()
      await resuming.close()
      stopListening()
      return 0
    },
    'new',
  )
}

function isOpening({ options, format, terminal }: Invocation): boolean {
  const isWanted = format === 'text' && !options.has('no-open')
  return isWanted && canOpenBrowser(terminal.host, process.platform)
}

/** The operator's own token. @throws `invalid_configuration` if one is needed and missing */
function readToken({ terminal }: Invocation, host: string): string | undefined {
  const token = terminal.host.env.SCHOLIUM_TOKEN || undefined
  const isLoopback = host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host)
  if (token !== undefined || isLoopback) return token
  throw new ScholiumError(
    'invalid_configuration',
    `Others could reach the server at ${host}, so it needs a token of yours.`,
    { hint: 'Set SCHOLIUM_TOKEN, for example to the output of: openssl rand -hex 24' },
  )
}

async function continueRuns({ terminal }: Invocation, handler: Handler): Promise<void> {
  const runIds = await handler.continueRuns()
  if (runIds.length > 0)
    terminal.tell(`Continuing what the last server left: ${count(runIds.length, 'run')}.`)
}

/** Tells of a failure, but not that a run was interrupted or waits. */
export function tellFailure({ terminal }: Invocation, error: unknown): void {
  const { code, message } = toFailure(error)
  if (code !== 'cancelled' && code !== 'waiting') terminal.tell(oneLine(`${code}: ${message}`))
}
