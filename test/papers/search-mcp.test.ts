import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { AppMcp } from '../../src/app/mcp/mcp.ts'
import { environmentServer } from '../../src/app/papers/environment-servers.ts'
import { mcpDelivery } from '../../src/papers/download/mcp-delivery.ts'
import type { Paper, PlaceOutcome } from '../../src/papers/paper.ts'
import { mcpPlace } from '../../src/papers/places/mcp-place.ts'
import type { PaperServerSettings } from '../../src/papers/places/mcp-server.ts'
import { McpAccess } from '../../src/tools/mcp/mcp-access.ts'
import { readMcpConfig } from '../../src/tools/mcp/mcp-config.ts'
import { McpServers } from '../../src/tools/mcp/mcp-server.ts'
import { paperPdf } from './paper-pdf.ts'
import { PaperServer } from './paper-server.ts'
import { PaperFolder, unending, watched } from './paper-world.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

const program = fileURLToPath(new URL('arxiv-mcp-server.ts', import.meta.url))
const storage = mkdtempSync(join(tmpdir(), 'scholium-storage-'))
const first = sparseAttentionPapers[0] as ServedPaper
const open: McpServers[] = []

/** A server of this shape, ready to be asked. */
function serverOf(entry: object, more: Partial<PaperServerSettings> = {}): PaperServerSettings {
  const text = JSON.stringify({ mcpServers: { arxiv: { trust: true, ...entry } } })
  const config = readMcpConfig(text, process.env)
  const servers = new McpServers(config, { version: '0.0.0', onNotice: () => undefined })
  open.push(servers)
  return {
    access: new McpAccess(servers, [], []),
    server: 'arxiv',
    identity: 'arxiv',
    folder: storage,
    ...more,
  }
}

const shapes = new Map<string, PaperServerSettings>()

/** The server of that shape: one for all tests, since it keeps nothing between calls. */
function process_(shape: string, more: Partial<PaperServerSettings> = {}): PaperServerSettings {
  const entry = { command: process.execPath, args: [program, shape], env: { STORAGE: storage } }
  const settings = shapes.get(shape) ?? serverOf(entry)
  shapes.set(shape, settings)
  return { ...settings, ...more }
}

const asked = { query: 'sparse attention transformers', limit: 3 }
const titles = (outcome: PlaceOutcome) =>
  outcome.ok ? outcome.papers.map(({ title }) => title) : []

let server: PaperServer
beforeAll(async () => {
  server = await PaperServer.start()
})
afterEach(() => server.reset())
afterAll(async () => {
  await Promise.all(open.map((servers) => servers.close()))
  await server.close()
  rmSync(storage, { recursive: true, force: true })
})

describe('a search over an MCP server', () => {
  it.each(['papers', 'list', 'blocks', 'prose', 'structured'])(
    'reads answers as %s',
    async (shape) => {
      const outcome = await mcpPlace(process_(shape)).search(asked, unending)
      expect(titles(outcome)).toHaveLength(3)
      expect(outcome.ok && outcome.papers[0]).toMatchObject({
        id: 'arxiv:2401.00011',
        arxivId: '2401.00011v2',
        title: first.title,
        authors: first.authors,
        abstract: first.abstract,
        published: '2024-01-05',
        categories: ['cs.CL', 'cs.LG'],
        pdfUrl: 'https://arxiv.org/pdf/2401.00011v2',
        foundBy: ['arXiv over MCP'],
      })
    },
  )

  it('makes the best of odd entries and says how many were none', async () => {
    const outcome = await mcpPlace(process_('odd')).search(asked, unending)
    expect(outcome.ok && outcome.papers[0]).toMatchObject({
      title: first.title,
      authors: first.authors,
      abstract: first.abstract,
      published: '',
      categories: ['cs.CL', 'cs.LG'],
      pdfUrl: 'https://arxiv.org/pdf/2401.00011v2',
    })
    expect(outcome.ok && outcome.notes?.join()).toContain('4 entries were left out')
  })

  it.each(['papers', 'no-categories', 'ignores-categories'])(
    'asks for a category: %s',
    async (shape) => {
      const place = mcpPlace(process_(shape))
      const outcome = await place.search({ ...asked, limit: 6, category: 'cs.CV' }, unending)
      expect(titles(outcome)).toEqual(['Sparse Attention in Images of the Night Sky'])
      expect(titles(await place.search({ ...asked, category: 'All' }, unending))).toHaveLength(3)
    },
  )

  it('is empty where nothing was found, and fails with the words of the server', async () => {
    expect(await mcpPlace(process_('nothing')).search(asked, unending)).toEqual({
      ok: true,
      papers: [],
    })
    for (const shape of ['error', 'fails']) {
      expect(await mcpPlace(process_(shape)).search(asked, unending)).toMatchObject({
        ok: false,
        detail: expect.stringContaining('arXiv does not answer.'),
      })
    }
  })

  it('goes over streamable HTTP too', async () => {
    const child = spawn(process.execPath, [program, 'papers', 'http'])
    try {
      const [line] = (await once(child.stdout, 'data')) as [Buffer]
      const settings = serverOf({ type: 'http', url: String(line).trim() })
      expect(titles(await mcpPlace(settings).search(asked, unending))).toHaveLength(3)
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('fails as a value where the server does not start or may not be used', async () => {
    const missing = serverOf({ command: 'no-such-program-anywhere' })
    expect(await mcpPlace(missing).search(asked, unending)).toMatchObject({
      ok: false,
      reason: 'server_failed',
    })
    const untrusted = serverOf({ command: process.execPath, args: [program], trust: false })
    expect(await mcpPlace(untrusted).search(asked, unending)).toMatchObject({
      ok: false,
      reason: 'not_allowed',
      detail: expect.stringContaining('mcp.allow'),
    })
  })
})

describe('a file over an MCP server', () => {
  async function fetched(shape: string, more: Partial<PaperServerSettings> = {}) {
    const settings = process_(shape, more)
    const outcome = await mcpPlace(process_('papers')).search(asked, unending)
    const paper = outcome.ok ? outcome.papers[0] : undefined
    if (paper === undefined) throw new Error('It finds papers.')
    const folder = new PaperFolder()
    try {
      const files = folder.files(server, { deliveries: [mcpDelivery(settings)] })
      const file = await files.download(
        { ...paper, pdfUrl: `${server.origin('files')}/none` },
        watched(),
      )
      const again = await files.download(paper, watched())
      return {
        file,
        again,
        bytes: file.ok ? readFileSync(files.pathOf(file.contentHash)) : undefined,
      }
    } finally {
      folder.remove()
    }
  }

  it.each(['papers', 'prose', 'base64', 'blob'])('is read from %s, once', async (shape) => {
    const { file, again, bytes } = await fetched(shape)
    expect(file).toMatchObject({ ok: true, isCached: false, from: 'MCP server "arxiv"' })
    expect(bytes?.equals(paperPdf(first))).toBe(true)
    expect(again).toMatchObject({ ok: true, isCached: true })
    expect(server.requests).toEqual([])
  })

  it('is that of the server which gave it, whatever servers are called', async () => {
    const outcome = await mcpPlace(process_('papers')).search(asked, unending)
    const paper = { ...(outcome.ok ? outcome.papers[0] : undefined), pdfUrl: undefined as never }
    const folder = new PaperFolder()
    const isCached = async (shape: string, server_: string, identity: string) => {
      const settings = process_(shape, { server: server_, identity })
      const files = folder.files(server, { deliveries: [mcpDelivery(settings)] })
      const file = await files.download(paper as Paper, watched())
      return file.ok && file.isCached
    }
    expect(await isCached('papers', 'arxiv', 'one')).toBe(false)
    expect(await isCached('markdown', 'arxiv', 'other')).toBe(false)
    expect(await isCached('papers', 'renamed', 'one')).toBe(true)
    folder.remove()
  })

  it('tells a configured server by its address', () => {
    const at = (port: string) =>
      new AppMcp({}, { USE_MCP_ARXIV: 'true', FASTMCP_SERVER_PORT: port }).identityOf(
        environmentServer,
      )
    expect(at('5556')).toBe(at('5556'))
    expect(at('5556')).not.toBe(at('5557'))
  })

  it('may be its text', async () => {
    const { file, bytes } = await fetched('markdown')
    expect(file).toMatchObject({ ok: true, from: 'MCP server "arxiv"' })
    expect(String(bytes)).toContain('# Block Sparse Attention for Long Documents')
  })

  it.each([
    ['outside', {}, 'outside the folder'],
    ['papers', { folder: undefined as never }, 'no folder is configured'],
    ['converting', {}, 'Ask again later.'],
  ])('is fetched from arXiv where the server’s is refused: %s', async (shape, more, why) => {
    const { folder, ...rest } = { ...process_(shape), ...more }
    const settings = folder === undefined ? rest : { folder, ...rest }
    const paper = { arxivId: first.arxivId, foundBy: ['arXiv over MCP'] } as never
    expect(await mcpDelivery(settings).deliver(paper, unending)).toMatchObject({
      ok: false,
      detail: expect.stringContaining(why),
    })
    const { file } = await fetched(shape, more)
    const from = `${server.origin('arxiv')}/pdf/2401.00011v2`
    expect(file).toMatchObject({ ok: true, from })
  })
})
