import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { originalsRoot } from '../../src/app.ts'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
const tokens = { ada: '', bob: '', boss: '' }
type Name = keyof typeof tokens
beforeAll(async () => {
  served.write('files/chert.md', '# Chert\n\nChert is a hard rock.\n')
  app = await served.start({
    filesFolder: join(served.folder, 'files'),
    maxOriginalsBytes: 100_000,
  })
  const file = new TokenFile(app.home.path)
  for (const name of ['ada', 'bob', 'boss'] as const)
    tokens[name] = file.add(name, name === 'boss' ? 'admin' : 'run')
})
afterAll(() => served.close())

/** Uploads a file; what its answer says of it. */
async function upload(by: Name, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const response = await served.fetch(`/api/library?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[by]}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  const { files = [], error } = JSON.parse(await response.text())
  return { status: response.status, error, ...files[0] }
}

const get = (by: Name, path: string) => served.call('get', path, undefined, tokens[by])
const remove = async (by: Name, id: string) =>
  (await served.call('delete', `/api/library/${id}`, undefined, tokens[by])).status
const start = async (by: Name, request: object) => {
  const { body } = await served.call('post', '/api/runs', request, tokens[by])
  return (await served.ended(body.runId)).body
}

/** The sources that somebody sees, by title, with their paths. */
async function seen(by: Name): Promise<Readonly<Record<string, string>>> {
  const { body } = await get(by, '/api/library')
  return Object.fromEntries(
    body.sources.map(({ title, path }: { title: string; path: string }) => [title, path]),
  )
}

const glimmerstone = { Glimmerstone: 'glimmerstone.md' }
const text = '# Obsidian\n\nObsidian is a glass. It is black.\n'
/** All files that were uploaded, by their names. */
const kept = () => {
  const root = originalsRoot(app.home.path)
  if (!existsSync(root)) return []
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
  return all.filter((entry) => entry.isFile()).map(({ name }) => name)
}
beforeEach(async () => {
  for (const by of ['ada', 'bob', 'boss'] as const)
    for (const { id, path } of (await get(by, '/api/library')).body.sources)
      if (path !== 'glimmerstone.md') await remove(by, id)
  expect(kept()).toEqual([])
})

it('shows what somebody uploads to them and to admins, and to nobody else', async () => {
  const { status, id, outcome } = await upload('ada', 'notes.md', text)
  expect([status, outcome]).toEqual([201, 'added'])
  const found = async (by: Name) =>
    (await get(by, '/api/library/search?q=obsidian')).body.hits.map(
      ({ source }: { source: { path: string } }) => source.path,
    )
  for (const by of ['ada', 'boss'] as const) {
    expect(await seen(by)).toEqual({ ...glimmerstone, Obsidian: 'notes.md' })
    expect(await found(by)).toEqual(['notes.md'])
    expect((await get(by, `/api/sources/${id}`)).body).toMatchObject({ id, path: 'notes.md' })
    expect((await get(by, `/api/sources/${id}/text`)).body.text).toBe(text)
    expect((await get(by, `/api/sources/${id}/passages`)).body.passages).toHaveLength(1)
    expect((await get(by, `/api/sources/${id}/file`)).body).toBe(text)
  }
  expect(await seen('bob')).toEqual(glimmerstone)
  expect(await found('bob')).toEqual([])
  for (const part of ['', '/text', '/passages', '/file'])
    expect((await get('bob', `/api/sources/${id}${part}`)).status, part).toBe(404)
  expect(await remove('bob', id)).toBe(404)
  expect(await remove('ada', id)).toBe(204)
  expect(await seen('ada')).toEqual(glimmerstone)
  expect(kept()).toEqual([])
})

it('searches what somebody uploads in their runs, and in no others', async () => {
  await upload('ada', 'notes.md', text)
  const question = 'What is obsidian?'
  for (const request of [
    { workflow: 'ask', question },
    { workflow: 'ask', question, sources: ['chert.md'] },
    { workflow: 'papers', query: 'obsidian' },
  ]) {
    const { result } = await start('ada', request)
    expect(JSON.stringify(result)).not.toContain('originals')
    const found = result.papers ?? result.citations
    expect(found).toMatchObject([{ title: 'Obsidian', path: 'notes.md' }])
    for (const by of ['bob', 'boss'] as const) {
      const other = (await start(by, request)).result
      expect(JSON.stringify(other), by).not.toContain('Obsidian')
    }
  }
  const check = (by: Name) =>
    served.call(
      'post',
      '/api/verify',
      { text: 'Obsidian is a glass [a].\n\n[a]: notes.md' },
      tokens[by],
    )
  expect((await check('ada')).body.failures).toEqual({ references: 0, claims: 0 })
  expect((await check('bob')).body.failures).toMatchObject({ references: 1 })
})

/** The protocol's own client with a token. */
async function connect(by: Name): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${tokens[by]}` } }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }),
  )
  return client
}

it('reads and finds over MCP only what somebody may see', async () => {
  const { id } = await upload('ada', 'notes.md', text)
  const run = await start('ada', {
    workflow: 'ask',
    question: 'What is chert?',
    sources: ['chert.md'],
  })
  const cited = run.result.citations[0].sourceId
  for (const by of ['ada', 'bob', 'boss'] as const) {
    const client = await connect(by)
    const call = async (name: string, given: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: given }))
    const read = async (source: string) => {
      const answer = await call('read_source', { source })
      const uri = `scholium://sources/${source}`
      const resource = await client.readResource({ uri }).catch(() => 'refused')
      expect(JSON.stringify(resource).includes('refused')).toBe(answer.includes('"isError":true'))
      return answer
    }
    const maySee = by !== 'bob'
    expect((await read(id)).includes('Obsidian is a glass'), by).toBe(maySee)
    expect((await read(cited)).includes('Chert is a hard rock'), by).toBe(maySee)
    const found = await call('search_library', { query: 'obsidian glass chert' })
    expect(found.includes('Obsidian'), by).toBe(by === 'ada')
    expect(found).not.toContain('Chert')
    const { resources } = await client.listResources()
    expect(
      resources.some(({ uri }) => uri.endsWith(id)),
      by,
    ).toBe(maySee)
    await client.close()
  }
})

it('keeps the same file of two people apart, and tells neither of the other', async () => {
  const words = `Layers of ash lie on clay. ${'They are grey. '.repeat(10)}`
  const first = await upload('ada', 'secret plan.txt', words)
  const second = await upload('bob', 'ash.txt', words)
  expect(second).toMatchObject({ status: 201, outcome: 'added', name: 'ash.txt', id: first.id })
  expect(await upload('bob', 'ash.txt', words)).toMatchObject({ status: 200, outcome: 'unchanged' })
  const own = await seen('bob')
  expect(Object.values(own)).toEqual(['glimmerstone.md', 'ash.txt'])
  expect(JSON.stringify(own)).not.toContain('secret')
  const run = await start('bob', { workflow: 'ask', question: 'What lies on clay?' })
  expect(run.result.citations).toMatchObject([{ path: 'ash.txt' }])
  expect(JSON.stringify(run)).not.toContain('secret')
  expect(await remove('ada', first.id)).toBe(204)
  expect(kept()).toEqual(['ash.txt'])
  expect((await get('bob', `/api/sources/${first.id}/file`)).body).toBe(words)
  expect((await get('ada', `/api/sources/${first.id}`)).status).toBe(404)
  // An admin removes it for everybody.
  await upload('ada', 'secret plan.txt', words)
  expect(await remove('boss', first.id)).toBe(204)
  expect(kept()).toEqual([])
  expect(await seen('bob')).toEqual(glimmerstone)
})

it('lets nobody but admins remove what all share, also if they have it too', async () => {
  const { id } = await upload('boss', 'shared.md', text)
  expect(await upload('ada', 'mine.md', text)).toMatchObject({ status: 201, outcome: 'added' })
  expect(await seen('bob')).toEqual({ ...glimmerstone, Obsidian: 'shared.md' })
  expect(await remove('ada', id)).toBe(204)
  expect(await seen('ada')).toEqual({ ...glimmerstone, Obsidian: 'shared.md' })
  expect(await remove('ada', id)).toBe(403)
  expect(kept()).toEqual(['shared.md'])
})

it('has a quota for each', async () => {
  const large = (letter: string) => new Uint8Array(Buffer.alloc(90_000, `${letter} `))
  expect((await upload('ada', 'a.txt', large('a'))).status).toBe(201)
  expect((await upload('ada', 'b.txt', large('b'))).error.hint).toContain('Remove')
  expect((await upload('bob', 'b.txt', large('b'))).status).toBe(201)
})

it('says that samples are used where nobody has added anything', async () => {
  const [{ id }] = (await get('boss', '/api/library')).body.sources
  await remove('boss', id)
  const request = { workflow: 'ask', question: 'What is CRISPR?' }
  const run = await start('ada', request)
  const message = expect.stringContaining('so the sample library is used')
  expect(run.notices).toEqual([{ level: 'info', message }])
  const client = await connect('ada')
  const { question } = request
  const answer = await client.callTool({ name: 'ask', arguments: { question } })
  expect(answer.structuredContent).toMatchObject({ notices: [message] })
  expect(answer.content[0]).toMatchObject({ text: message })
  await client.close()
  await upload('ada', 'notes.md', text)
  expect(
    (await start('ada', { ...request, question: 'What is obsidian?' })).notices,
  ).toBeUndefined()
})
