import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type App, originalsRoot } from '../../app.ts'
import { PublicForm } from '../public-form.ts'
import { RunFigures } from '../run-figures.ts'
import { RunOwners } from '../run-owners.ts'
import { RunningRuns } from '../running-runs.ts'
import type { RunPolicy } from '../server-options.ts'
import { TokenRuns } from '../token-runs.ts'
import { operator } from '../tokens.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { createMcpMemory, type McpSite } from './mcp-site.ts'

/** What serving a client over a pair of streams needs. */
export interface McpOptions extends RunPolicy {
  /** Resumes runs, which keep their models. */
  readonly resuming: App
  readonly input: Readable
  readonly output: Writable
  /** Ends the connection. */
  readonly signal: AbortSignal
  /** Maximum number of runs that are executed at once. Default 4. */
  readonly maxRuns?: number
  /** Called with a failure that no answer explains, and with what is wrong with messages. */
  readonly onFailure: (error: unknown) => void
}

/**
 * Serves one client over the Model Context Protocol until it closes its end of the connection, or `signal` aborts. Runs that are
 * being executed then are interrupted, and can be resumed. The apps stay open.
 * @see https://modelcontextprotocol.io
 */
export async function serveMcp(app: App, options: McpOptions): Promise<void> {
  const { input, output, signal, maxRuns = 4, onFailure } = options
  const running = new RunningRuns(maxRuns, onFailure)
  const owners = new RunOwners(app)
  const form = new PublicForm(
    [app.home.path, app.folder, options.filesFolder ?? ''],
    originalsRoot(app.home.path),
  )
  const { resuming } = options
  const site: McpSite = {
    app,
    resuming,
    policy: options,
    running,
    form,
    onFailure,
    owners,
    figures: new RunFigures(app),
    tokenRuns: new TokenRuns(maxRuns, running, owners),
    principal: operator,
    isServed: false,
    ...createMcpMemory(),
  }
  const transport = new EndingTransport(input, output)
  const served = serveStdio(() => createMcpServer(site), { transport, onerror: onFailure })
  const close = () => served.close().catch(onFailure)
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) await close()
  await transport.ended
  signal.removeEventListener('abort', close)
  await running.close()
}

/** A transport that says when it has ended. */
class EndingTransport extends StdioServerTransport {
  readonly ended: Promise<void>
  private readonly end: () => void

  constructor(input: Readable, output: Writable) {
    super(input, output)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    this.end = resolve
  }

  override async close(): Promise<void> {
    await super.close()
    this.end()
  }
}
