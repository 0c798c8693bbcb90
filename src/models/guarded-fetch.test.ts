import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { describeRefusal } from '../kernel/model/errors/model-refusal.ts'
import { guardedFetch, maxResponseBytes } from './guarded-fetch.ts'
import { listModels } from './list-models.ts'
import { createModelSource } from './model-source.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const names = ['openai-compatible:x', 'openai:x', 'anthropic:x', 'google:x'] as const
const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'private' }] }]

function bindingOf(name: string, baseUrl: string) {
  const choices = { default: { name, baseUrl, apiKey: 'sk-guarded-1234567' } }
  return createModelSource({ choices, environment: {}, builtIn: {} }).forRole('default')
}

async function call(name: string, baseUrl: string, kind: 'doGenerate' | 'doStream') {
  const binding = bindingOf(name, baseUrl)
  const model = await binding.load()
  const failed = async () => {
    if (kind === 'doGenerate') return model.doGenerate({ prompt })
    const { stream } = await model.doStream({ prompt })
    for await (const part of stream) if (part.type === 'error') throw part.error
    return 'ended'
  }
  return failed().catch((error: unknown) => describeRefusal(binding, error, false))
}

/** A service that sends its callers on to another host, and what that one got. */
async function redirecting(status: number) {
  const got: string[] = []
  const other = await serve((request, response) => {
    got.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.end('{}')
  })
  const first = await serve((request, response) => {
    response.writeHead(status, { location: `${other}${request.url}` })
    response.end()
  })
  return { first, other, got }
}

describe('a service that leads elsewhere', () => {
  it.each(names.flatMap((name) => [302, 307].map((status) => [name, status] as const)))(
    'gets nothing of %s sent there (%i)',
    async (name, status) => {
      const { first, other, got } = await redirecting(status)
      for (const kind of ['doGenerate', 'doStream'] as const) {
        expect(await call(name, first, kind)).toMatchObject({
          code: 'model_failed',
          retryable: true,
          message: expect.stringMatching(`redirects, to ${other}/.*\\(${status}\\)`),
          hint: expect.stringContaining('base URL'),
        })
      }
      expect(got).toEqual([])
    },
  )

  it.each(['openai', 'anthropic', 'google'])(
    'gets no key of %s sent there for its list',
    async (provider) => {
      const { first, other, got } = await redirecting(307)
      const settings = { environment: {}, baseUrl: first, apiKey: 'sk-guarded-1234567' }
      const listing = listModels(provider, settings, new AbortController().signal)
      await expect(listing).rejects.toThrow(`redirects, to ${other}`)
      expect(got).toEqual([])
    },
  )
})

describe('an answer without end', () => {
  const endless =
    (status: number, type: string): Answer =>
    (_, response) => {
      response.writeHead(status, { 'content-type': type })
      const chunk = `: ${'x'.repeat(1_000_000)}\n\n`
      const write = () => response.write(chunk, () => setImmediate(write))
      write()
    }

  it.each([
    ['a whole one', 200, 'application/json', 'doGenerate'],
    ['an error', 500, 'application/json', 'doGenerate'],
    ['comments of a stream', 200, 'text/event-stream', 'doStream'],
  ] as const)('is cut off: %s', async (_what, status, type, kind) => {
    const url = await serve(endless(status, type))
    expect(await call('openai-compatible:x', url, kind)).toMatchObject({
      code: 'model_failed',
      retryable: false,
      message: expect.stringContaining(`${maxResponseBytes / 1e6} MB`),
    })
  })

  it('is told from one that is whole', async () => {
    const url = await serve((_, response) => response.end('x'.repeat(maxResponseBytes)))
    const response = await guardedFetch(url)
    expect((await response.arrayBuffer()).byteLength).toBe(maxResponseBytes)
  })
})

describe('a model that thinks for a long time', () => {
  const thinkingMs = 1_500
  /** Sends nothing for a while, then the headers and a part, then nothing for a while again. */
  const slow =
    (type: string, parts: readonly string[]): Answer =>
    (_, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': type }).write(parts[0])
        setTimeout(() => response.end(parts[1]), thinkingMs)
      }, thinkingMs)
    }
  const message = { role: 'assistant', content: 'At last.' }
  const whole = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  const chunk = (choice: object) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`
  const streamed = [
    chunk({ delta: message }),
    `${chunk({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`,
  ]

  it.each([
    ['whole', 'application/json', [whole.slice(0, 9), whole.slice(9)], 'doGenerate'],
    ['streamed', 'text/event-stream', streamed, 'doStream'],
  ] as const)('is waited for beyond the limits of fetch: %s', async (_, type, parts, kind) => {
    // Node's limits of 300 s, made shorter than the model's thoughts.
    withFetchTimeouts(thinkingMs / 3)
    const url = await serve(slow(type, parts))
    const fetched = fetch(url).catch((error: Error) => error.cause)
    expect(await call('openai-compatible:x', url, kind)).toEqual(
      kind === 'doStream'
        ? 'ended'
        : expect.objectContaining({ content: [expect.objectContaining({ text: 'At last.' })] }),
    )
    expect(await fetched).toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' })
  })

  it('is ended by its own time limit', async () => {
    const url = await serve(() => {})
    await expect(guardedFetch(url, { signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })
})

/** Gives Node's `fetch` other time limits until the test ends. */
function withFetchTimeouts(timeoutMs: number): void {
  expect(Response).toBeDefined()
  const dispatchers = globalThis as unknown as Record<symbol, Dispatching>
  for (const key of ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map(Symbol.for)) {
    const usual = dispatchers[key]
    if (usual === undefined) continue
    const limits = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
    dispatchers[key] = {
      dispatch: (options, handler) => usual.dispatch({ ...limits, ...options }, handler),
    }
    closing.push(() => {
      dispatchers[key] = usual
    })
  }
}

interface Dispatching {
  dispatch(options: object, handler: object): boolean
}
