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
