import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Limits } from '../../kernel/limits/limits.ts'
import type { AppOptions } from '../options.ts'
import { createAppParts } from '../workflows/workflow-registry.ts'
import { findIdentity } from './eval-identity.ts'
import type { EvalAsk } from './eval-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-identity-'))
const mcpServers = { files: { command: 'none' } }
writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function identity(
  options: AppOptions = {},
  { ask = {}, limits = {} }: { readonly ask?: EvalAsk; readonly limits?: Limits } = {},
) {
  const parts = createAppParts({ home: join(folder, 'home'), folder, environment: {}, ...options })
  const set = { file: join(folder, 'q.jsonl'), hash: 'h', filesHash: '' }
  try {
    return await findIdentity(parts, set, ask, limits)
  } finally {
    await parts.close()
  }
}

const served = (parts: object = {}) => ({
  models: {
    default: { name: 'openai-compatible:x', baseUrl: 'http://127.0.0.1:1/v1', ...parts },
  },
})

it.each([
  ['home', {}, { home: join(folder, 'another') }],
  ['model of critic', served(), served({ name: 'openai-compatible:y' })],
  ['temperature of critic', served(), served({ temperature: 0.5 })],
  ['output tokens of critic', served(), served({ maxOutputTokens: 100 })],
  ['pictures for critic', served(), served({ vision: true })],
  ['address of critic', served(), served({ baseUrl: 'http://127.0.0.1:2/v1' })],
  ['python', { python: { enabled: true } }, { python: { enabled: false } }],
  ['mcp', {}, { mcp: { configFiles: [join(folder, 'mcp.json')], servers: true } }],
  ['milliseconds of Python', {}, { python: { timeoutMs: 5_000 } }],
  ['megabytes of Python', {}, { python: { memoryMb: 400 } }],
  ['allowed tools of MCP servers', {}, { mcp: { allow: ['files.*'] } }],
])('the identity of an evaluation has the %s', async (name, one, other) => {
  const [first, second] = [await identity(one), await identity(other)]
  expect(second[name]).not.toBe(first[name])
})

it.each([
  ['web', { ask: { web: true } }],
  ['python', { ask: { python: false } }],
  ['claims', { ask: { claims: 'strict' } }],
  ['sources', { ask: { sources: ['.'] } }],
  ['criteria', { ask: { criteria: { planner: 'x' } } }],
  ['limits', { limits: { maxSteps: 7 } }],
] as const)('the identity of an evaluation has %s', async (name, request) => {
  expect((await identity({ python: { enabled: true } }, request))[name]).not.toBe(
    (await identity({ python: { enabled: true } }))[name],
  )
})

it('the identity of an evaluation has servers of the web only where the web is asked', async () => {
  const name = 'hash of the servers of the web'
  const webServers = { allowedOrigins: ['http://127.0.0.1:8080'] }
  expect((await identity({ webServers }))[name]).toBe(undefined)
  expect((await identity({ webServers }, { ask: { web: true } }))[name]).toMatch(/^[0-9a-f]{64}$/)
})

it('the identity of an evaluation has the version of the program, and no secrets', async () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const all = await identity(
    served({ apiKey: 'sk-very-secret-1234', baseUrl: 'http://127.0.0.1:1/v1' }),
  )
  expect(all.version).toBe(JSON.parse(manifest).version)
  expect(all['address of planner']).toBe('http://127.0.0.1:1/v1')
  expect(JSON.stringify(all)).not.toContain('secret')
})
