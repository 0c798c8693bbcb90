import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Right } from '../../src/index.ts'
import { AppWorld } from './app-world.ts'

const program = fileURLToPath(new URL('arxiv-mcp-server.ts', import.meta.url))
const request = { query: 'sparse attention transformers', web: true, count: 2 }

let world: AppWorld
let storage = ''
beforeEach(async () => {
  world = await AppWorld.start()
  storage = join(world.folder, 'storage')
  mkdirSync(storage)
})
afterEach(() => world.close())

/** A file with the server under a name, as people have it. */
function configFile(name: string, more: object = {}): string {
  const file = join(world.folder, '.mcp.json')
  const own = { command: process.execPath, args: [program, 'papers'], env: { STORAGE: storage } }
  writeFileSync(file, JSON.stringify({ mcpServers: { [name]: { ...own, ...more } } }))
  return file
}

function environment(more: Readonly<Record<string, string>> = {}) {
  return { OPENAI_BASE_URL: world.model.url, MCP_ARXIV_STORAGE_PATH: storage, ...more }
}

describe('papers over an MCP server', () => {
  it('are searched and fetched there first, and arXiv itself is not asked', async () => {
    const mcp = { configFiles: [configFile('papers')] }
    const app = world.app({ mcp, environment: environment() })
    const answer = await app.papers({ ...request, mcpArxiv: 'papers' })
    expect(answer.status).toBe('answered')
    expect(answer.search.map(({ place, outcome }) => [place, outcome])).toEqual([
      ['arXiv over MCP', 'used'],
      ['arXiv', 'not asked'],
      ['Semantic Scholar and OpenAlex', 'not asked'],
    ])
    expect(world.papers.count('arxiv', '/api/query')).toBe(0)
    expect((await app.replay(answer.runId)).isIdentical).toBe(true)
  })

  it('are searched at arXiv itself where the server fails, which is told', async () => {
    const mcp = { configFiles: [configFile('papers', { command: 'no-such-program' })] }
    const app = world.app({ mcp, environment: environment() })
    const answer = await app.papers({ ...request, mcpArxiv: 'papers' })
    expect(answer.search.map(({ outcome }) => outcome)).toEqual(['failed', 'used', 'not asked'])
    expect(answer.gaps.map(({ kind }) => kind)).toContain('source_unavailable')
  })

  it('use the server of that name where USE_MCP_ARXIV says so', async () => {
    const mcp = { configFiles: [configFile('arxiv')] }
    const app = world.app({ mcp, environment: environment({ USE_MCP_ARXIV: 'true' }) })
    const { search } = await app.papers(request)
    expect(search[0]).toMatchObject({ place: 'arXiv over MCP', outcome: 'used' })
  })

  it('use the server on FASTMCP_SERVER_PORT where no file names one', async () => {
    const child = spawn(process.execPath, [program, 'papers', 'http'], {
      env: { ...process.env, STORAGE: storage },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { port } = new URL(/http:\S+/.exec(String(line))?.[0] ?? '')
    try {
      const named = environment({ USE_MCP_ARXIV: 'true', FASTMCP_SERVER_PORT: port })
      const { search } = await world.app({ environment: named }).papers(request)
      expect(search[0]).toMatchObject({ place: 'arXiv over MCP', outcome: 'used' })
    } finally {
      child.kill()
    }
  })

  it('are not asked for without the web', async () => {
    const mcp = { configFiles: [configFile('papers')] }
    const asking = world.app({ mcp }).papers({ query: 'sparse', mcpArxiv: 'papers' })
    await expect(asking).rejects.toThrow('web access is disabled')
    const used = environment({ USE_MCP_ARXIV: 'true' })
    const { search } = await world.app({ environment: used }).papers({ query: 'sparse' })
    expect(search.map(({ place }) => place)).toEqual(['library'])
  })

  it('are not resumed where the server is not known any more', async () => {
    const controller = new AbortController()
    const mcp = { configFiles: [configFile('papers')] }
    const app = world.app({ mcp, environment: environment() })
    const begun = app.papers(
      { ...request, mcpArxiv: 'papers' },
      {
        signal: controller.signal,
        onEvent: (event) => {
          if (!('transient' in event) && event.key.includes('/search/')) controller.abort()
        },
      },
    )
    await expect(begun).rejects.toMatchObject({ code: 'cancelled' })
    const grants: readonly Right[] = [
      { kind: 'web', value: '' },
      { kind: 'mcp', value: 'papers' },
    ]
    const unknown = world.app().resume('last', { grants })
    await expect(unknown).rejects.toThrow('was started with the MCP server papers, which is not')
    await expect(app.resume('last')).rejects.toThrow('with the web and the MCP server papers')
    expect(await app.resume('last', { grants })).toMatchObject({ status: 'answered' })
  })
})
