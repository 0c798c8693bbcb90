import {
  type AgentApp,
  type AnyMessage,
  agent,
  type InitializeResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type Stream,
} from '@agentclientprotocol/sdk'
import { AcpSessions } from './acp-sessions.ts'
import type { AcpSite } from './acp-site.ts'
import { type RequestId, withoutLongLines } from './bounded-lines.ts'
import { refusedParams, requestError } from './request-error.ts'
import { readMode } from './session-modes.ts'

/** The byte streams of a connection. */
export interface AcpStreams {
  readonly input: ReadableStream<Uint8Array>
  readonly output: WritableStream<Uint8Array>
}

/** Longer messages are rejected unread. */
const maxMessageBytes = 16_777_216

/**
 * Serves one editor over the Agent Client Protocol until it closes its end of the connection and its requests, except
 * prompts, are answered, or `signal` aborts. Sessions are left so that they can be loaded again.
 * @see https://agentclientprotocol.com
 */
export async function serveAcp(
  site: AcpSite,
  { input, output }: AcpStreams,
  signal: AbortSignal,
): Promise<void> {
  const sessions = new AcpSessions(site)
  const lines = withoutLongLines(maxMessageBytes, (id, bytes) => {
    // If nobody reads any longer, the connection's end says so.
    stream.answer(tooLong(id, bytes)).catch(() => {})
  })
  const short = input.pipeThrough(lines)
  const stream = answeredBeforeEnd(ndJsonStream(output, short, { maxMessageBytes }))
  const connection = createAgent(site, sessions).connect(stream)
  const close = () => connection.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  await connection.closed
  signal.removeEventListener('abort', close)
  await sessions.closeAll()
}

function tooLong(id: RequestId, bytes: number): AnyMessage {
  const megabytes = (count: number) => `${(count / 1e6).toFixed(1)} MB`
  const message = `The message was not read: it has ${megabytes(bytes)}, and one may have ${megabytes(maxMessageBytes)}. Send less at once, or mention files instead of including their content.`
  return { jsonrpc: '2.0', id, error: { code: -32600, message } }
}

function createAgent(site: AcpSite, sessions: AcpSessions): AgentApp {
  const app = agent({ name: 'scholium' })
    .onRequest('initialize', async ({ params }) => {
      sessions.capabilities = params.clientCapabilities ?? {}
      return initialized(site.version, await sessions.takesImages())
    })
    .onRequest('session/new', ({ params, client }) => told(sessions.begin(params, client)))
    .onRequest('session/load', ({ params, client }) =>
      told(sessions.load(params.sessionId, params, client)),
    )
    .onRequest('session/resume', ({ params, client }) =>
      told(sessions.resume(params.sessionId, params, client)),
    )
    .onRequest('session/list', ({ params }) =>
      told(sessions.list(params.cwd ?? undefined, params.cursor ?? undefined)),
    )
    .onRequest('session/close', ({ params }) => told(sessions.close(params.sessionId)))
    .onRequest('session/delete', ({ params }) => told(sessions.remove(params.sessionId)))
    .onRequest('session/prompt', ({ params, signal }) =>
      told(sessions.prompt(params.sessionId, params.prompt, signal)),
    )
    .onNotification('session/cancel', ({ params }) => sessions.get(params.sessionId).cancel())
  return withSettings(app, sessions)
}

function withSettings(app: AgentApp, sessions: AcpSessions): AgentApp {
  return app
    .onRequest('session/set_mode', ({ params }) => {
      const session = sessions.get(params.sessionId)
      session.settings.mode = readMode(params.modeId)
      session.tellSettings()
      return {}
    })
    .onRequest('session/set_config_option', ({ params }) => {
      const session = sessions.get(params.sessionId)
      const { configId, value } = params
      const option = session.settings.options.find(({ id }) => id === configId)
      if (option === undefined) throw refusedParams(`Unknown option "${configId}".`)
      const values = option.type === 'select' ? option.options : []
      if (!values.some((one) => 'value' in one && one.value === value))
        throw refusedParams(`Invalid value for option "${configId}": "${value}".`)
      if (configId === 'mode') session.settings.mode = readMode(value)
      else session.settings.model = String(value)
      session.tellSettings()
      return { configOptions: session.settings.options }
    })
}

function initialized(version: string, image: boolean): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'scholium', title: 'Scholium', version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [],
  }
}

/** Maps errors of a request to the protocol's. */
async function told<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw requestError(error)
  }
}

/** Nobody waits for these once the editor has gone: they would continue to work and ask without a person. */
const left = 'session/prompt'

/** A stream of messages, and a function that responds directly. */
interface AnsweredStream extends Stream {
  answer(message: AnyMessage): Promise<void>
}

/**
 * The same messages, but the end of the input is held back until earlier requests are answered, so that `printf … |
 * scholium acp` gets its responses. Prompts are not waited for.
 */
function answeredBeforeEnd({ readable, writable }: Stream): AnsweredStream {
  const open = new Set<unknown>()
  let tellAnswered = () => {}
  const writer = writable.getWriter()
  return {
    answer: (message) => writer.write(message),
    readable: readable.pipeThrough(
      new TransformStream<AnyMessage, AnyMessage>({
        transform(message, controller) {
          if (isRequest(message) && message.method !== left) open.add(message.id)
          controller.enqueue(message)
        },
        async flush() {
          while (open.size > 0)
            await new Promise<void>((resolve) => {
              tellAnswered = resolve
            })
        },
      }),
    ),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        await writer.write(message)
        if ('method' in message) return
        open.delete(message.id)
        tellAnswered()
      },
    }),
  }
}

/** Whether it is answered under its id: a malformed message is answered at once, without one. */
function isRequest(
  message: AnyMessage,
): message is Extract<AnyMessage, { id: unknown; method: string }> {
  if (!('method' in message && 'id' in message)) return false
  const { jsonrpc, method, id } = message
  return (
    jsonrpc === '2.0' &&
    typeof method === 'string' &&
    (typeof id === 'string' || typeof id === 'number')
  )
}
