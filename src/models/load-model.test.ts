import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadModel } from './load-model.ts'
import { resolveModel } from './resolve-model.ts'

let close: (() => void) | undefined
afterEach(() => {
  close?.()
  vi.unstubAllEnvs()
})

describe('loadModel', () => {
  it.each([
    ['openai:x', 'OPENAI_API_KEY'],
    ['openai-compatible:x', 'OPENAI_API_KEY'],
    ['anthropic:x', 'ANTHROPIC_API_KEY'],
    ['anthropic:x', 'ANTHROPIC_AUTH_TOKEN'],
    ['google:x', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  ])('sends for %s no key that only the process has in %s', async (name, variable) => {
    const seen: IncomingHttpHeaders[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers)
      response.writeHead(400)
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    close = () => server.close()
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    vi.stubEnv(variable, 'sk-of-the-process')
    const settings = { choices: {}, environment: {}, builtIn: {} }
    const model = await loadModel(resolveModel({ name, baseUrl }, settings))
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
    await expect(model.doGenerate({ prompt })).rejects.toMatchObject({ statusCode: 400 })
    expect(seen).toHaveLength(1)
    expect(JSON.stringify(seen)).not.toContain('sk-of-the-process')
  })
})
