import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/index.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { type ServedFixtures, serveFixtures } from './conformance/serve.ts'
import { revisions } from './mcp-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-mcp-http-'))
let model: ScriptedModel
let served: ServedFixtures
let isHanging: () => void
beforeEach(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => {
    if (seen.number === 1) return team(seen)
    isHanging()
    return { hang: true }
  })
  served = await serveFixtures({ home: join(folder, 'home'), ...settings() })
})
afterEach(async () => {
  await served.close()
  await model.close()
  rmSync(folder, { recursive: true, force: true })
})

const settings = () => ({
  models: { default: 'openai-compatible:scripted' },
  environment: { OPENAI_BASE_URL: model.url },
})

describe.each(Object.entries(revisions))('over HTTP, a client of revision %s', (_name, options) => {
  it('that closes the stream of a call interrupts its run', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    isHanging = resolve
    const client = new Client({ name: 'test', version: '1.0.0' }, options)
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)))
    const control = new AbortController()
    const call = client.callTool(
      { name: 'ask', arguments: { question: 'What is caffeine?' } },
      { signal: control.signal, onprogress: () => {} },
    )
    call.catch(() => {})
    await promise
    control.abort()
    await client.close()
    const app = createApp({ home: join(folder, 'home'), folder, ...settings() })
    await expect
      .poll(async () => (await app.listRuns({ limit: 1 }))[0]?.status, { timeout: 30_000 })
      .toBe('interrupted')
    await app.close()
  })
})
