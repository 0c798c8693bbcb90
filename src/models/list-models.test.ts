import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { listModels } from './list-models.ts'

let close: (() => void) | undefined
afterEach(() => close?.())

const never = new AbortController().signal
const key = 'sk-list-1234567'

/** A service that answers so; the paths and keys that it saw. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const { authorization, 'x-api-key': own, 'x-goog-api-key': google } = request.headers
    seen.push(`${request.url} ${authorization ?? own ?? google ?? ''}`.trim())
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const json = (value: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

describe('listModels', () => {
  it.each([
    [
      'openai',
      '/v1',
      { data: [{ id: 'b' }, { id: 'a' }, { id: 'a' }] },
      '/v1/models',
      `Bearer ${key}`,
    ],
    [
      'ollama',
      '',
      { object: 'list', data: [{ id: 'b' }, { id: 'a' }] },
      '/v1/models',
      `Bearer ${key}`,
    ],
    ['together', '/v1', [{ id: 'a' }, { id: 'b' }], '/v1/models', `Bearer ${key}`],
    [
      'anthropic',
      '',
      { data: [{ type: 'model', id: 'a' }, { id: 'b' }] },
      '/v1/models?limit=1000',
      key,
    ],
    [
      'google',
      '',
      {
        models: [
          { name: 'models/b', supportedGenerationMethods: ['generateContent', 'countTokens'] },
          { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
          { name: 'models/a' },
        ],
      },
      '/v1beta/models?pageSize=1000',
      key,
    ],
  ])('asks %s', async (provider, path, list, asked, sentKey) => {
    const { url, seen } = await serve(json(list))
    const settings = { environment: {}, baseUrl: `${url}${path}`, apiKey: key }
    expect(await listModels(provider, settings, never)).toEqual(['a', 'b'])
    expect(seen).toEqual([`${asked} ${sentKey}`])
  })

  it('asks where the environment says', async () => {
    const { url } = await serve(json({ data: [{ id: 'a' }] }))
    const environment = { OLLAMA_HOST: url }
    expect(await listModels('ollama', { environment }, never)).toEqual(['a'])
  })

  it('knows the provider, and needs its key', async () => {
    const environment = {}
    await expect(listModels('olama', { environment }, never)).rejects.toThrow('ollama')
    await expect(listModels('groq', { environment }, never)).rejects.toThrow('GROQ_API_KEY')
  })

  it('says what is wrong, and never the key', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(401)
      response.end(JSON.stringify({ error: { message: `Bad key ${key}` } }))
    })
    const settings = { environment: {}, baseUrl: `${url}/v1`, apiKey: key }
    const error = await listModels('openai', settings, never).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'model_failed',
      message: 'OpenAI refused the key (401): Bad key [secret]',
      hint: expect.stringContaining('OPENAI_API_KEY'),
    })
    expect((error as Error).cause).toBeUndefined()
  })

  it.each([
    ['a web page', '<!DOCTYPE html><p>hi', 'returned a web page'],
    ['something else', '{"hello":1}', 'returned something else'],
    ['no JSON', 'hello', 'returned something else'],
  ])('takes no %s for a list', async (_what, text, message) => {
    const { url } = await serve((_, response) => response.end(text))
    const settings = { environment: {}, baseUrl: `${url}/v1` }
    await expect(listModels('lmstudio', settings, never)).rejects.toThrow(message)
  })

  it('gives up in time, on a list without end, and when it is told to', async () => {
    const { url } = await serve((_, response) => {
      const write = () => response.write('x'.repeat(1_000_000), () => setImmediate(write))
      write()
    })
    const settings = { environment: {}, baseUrl: `${url}/v1` }
    await expect(listModels('vllm', settings, never)).rejects.toThrow('longer than 20 MB')
    const silent = await serve(() => undefined)
    const slow = { environment: {}, baseUrl: `${silent.url}/v1`, timeoutMs: 50 }
    await expect(listModels('vllm', slow, never)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'vLLM did not answer within 0.05 s',
    })
    const stop = new AbortController()
    const listing = listModels('vllm', { ...slow, timeoutMs: 5_000 }, stop.signal)
    stop.abort()
    await expect(listing).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('says how a service that does not run is started', async () => {
    const { url } = await serve(() => undefined)
    close?.()
    const environment = { OLLAMA_HOST: url }
    await expect(listModels('ollama', { environment }, never)).rejects.toMatchObject({
      code: 'model_unavailable',
      hint: expect.stringContaining('ollama serve'),
    })
  })
})
