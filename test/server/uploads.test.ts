import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
let ada = ''
let boss = ''
let eve = ''
let originals = ''
beforeAll(async () => {
  mkdirSync(join(served.folder, 'files'))
  const filesFolder = join(served.folder, 'files')
  const limits = { maxUploadBytes: 2_000_000, maxOriginalsBytes: 3_000_000 }
  app = await served.start(
    { filesFolder, maxBodyBytes: 10_000, ...limits },
    {},
    { slowBodyMs: 300 },
  )
  const tokens = new TokenFile(app.home.path)
  ada = tokens.add('ada', 'run')
  boss = tokens.add('boss', 'admin')
  eve = tokens.add('eve', 'read')
  originals = join(app.home.path, 'originals/shared')
})
afterAll(() => served.close())

/** Uploads a file. */
async function upload(name: string, content: string | Uint8Array<ArrayBuffer>, by = boss) {
  const response = await served.fetch(`/api/library?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/octet-stream' },
    body: content,
  })
  const text = await response.text()
  expect(text).not.toContain(served.folder)
  return { status: response.status, body: JSON.parse(text) }
}

const hash = (content: string) => createHash('sha256').update(content).digest('hex')

/** All files that were uploaded, as paths. */
const kept = () =>
  existsSync(originals)
    ? readdirSync(originals, { recursive: true }).filter(
        (name) => !/^[0-9a-f]{64}$/.test(`${name}`),
      )
    : []

const recorded = () =>
  readFileSync(join(app.home.path, 'library-changes.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

it('adds an uploaded file, keeps it under its hash, and deletes it with its source', async () => {
  const text = `# Obsidian\n\nObsidian is a glass. ${'It is black. '.repeat(5_000)}`
  const id = hash(text)
  const added = await upload('obsidian.md', text)
  expect(added).toMatchObject({
    status: 201,
    body: { files: [{ name: 'obsidian.md', outcome: 'added', id, title: 'Obsidian' }] },
  })
  expect(readFileSync(join(originals, id, 'obsidian.md'), 'utf8')).toBe(text)
  expect(await upload('again.md', text)).toMatchObject({
    status: 200,
    body: { files: [{ name: 'obsidian.md', outcome: 'unchanged', id }] },
  })
  const found = await served.call('get', '/api/library/search?q=obsidian', undefined, ada)
  expect(found.body.hits[0].source.id).toBe(id)
  const file = await served.fetch(`/api/sources/${id}/file`)
  expect(await file.text()).toBe(text)
  expect((await served.call('delete', `/api/library/${id}`, undefined, ada)).status).toBe(403)
  expect((await served.call('delete', `/api/library/${id}`, undefined, boss)).status).toBe(204)
  expect((await served.call('delete', `/api/library/${id}`, undefined, boss)).status).toBe(404)
  expect((await served.call('get', `/api/sources/${id}`)).status).toBe(404)
  expect(kept()).toEqual([])
  expect(recorded()).toMatchObject([
    { sourceId: id, addedBy: 'boss' },
    { sourceId: id, removedBy: 'boss' },
  ])
})

it('tells the kind of a file by its content, and keeps nothing that cannot be read', async () => {
  const { status, body } = await upload('song.md', 'ID3\0\0not a text')
  expect(status).toBe(200)
  const [file] = body.files
  expect(file).toMatchObject({ name: 'song.md', outcome: 'refused', reason: 'unsupported_kind' })
  expect(file.detail).toContain('sound')
  expect(file.hint).not.toBe('')
  expect((await upload('empty.md', '')).status).toBe(400)
  expect(kept()).toEqual([])
})

it.each([
  ['../../server-token', 'server-token'],
  ['..\\..\\evil.txt', 'evil.txt'],
  ['/etc/passwd', 'passwd'],
  ['.hidden.txt', 'hidden.txt'],
  ['CON.txt', '_CON.txt'],
  ['a\0b\nc\u202e.txt', 'a_b_c_.txt'],
  ['<b>"x"|?*:.txt', '_b__x_____.txt'],
  ['..', 'file'],
  [`${'ü'.repeat(300)}.txt`, `${'ü'.repeat(75)}.txt`],
])('keeps a file that is sent as %j under a plain name', async (name, plain) => {
  const text = `Tokens of ${JSON.stringify(name)}.`
  const { status, body } = await upload(name, text)
  expect([status, body.files[0].name]).toEqual([201, plain])
  expect(kept()).toEqual([join(hash(text), plain)])
  await served.call('delete', `/api/library/${hash(text)}`)
})

it('refuses files that are too large, and more than the quota', async () => {
  const large = (letter: string, bytes: number) => new Uint8Array(Buffer.alloc(bytes, `${letter} `))
  expect((await upload('huge.txt', large('a', 2_000_001))).status).toBe(413)
  const streamed = await served.fetch('/api/library?name=huge.txt', {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Blob([large('a', 2_000_001)]).stream(),
    duplex: 'half',
  })
  expect(streamed.status).toBe(413)
  const [first] = (await upload('first.txt', large('b', 1_900_000))).body.files
  expect(first.outcome).toBe('added')
  const refused = await upload('second.txt', large('c', 1_900_000))
  expect(refused.status).toBe(413)
  expect(refused.body.error.hint).toContain('Remove')
  expect(kept()).toEqual([join(first.id, 'first.txt')])
  await served.call('delete', `/api/library/${first.id}`)
  expect((await upload('second.txt', large('c', 1_900_000))).status).toBe(201)
  await served.call('delete', `/api/library/${hash('c '.repeat(950_000))}`)
})

/** Sends the beginning of a body that never ends; resolves when the answer comes or the server hangs up. */
function sendPart(url: string, type: string, part: string, onSent: (end: () => void) => void) {
  return new Promise<number | string>((resolve) => {
    const sent = send(url, {
      method: 'POST',
      headers: {
        authorization: 'Bearer token-of-the-tests',
        'content-type': type,
        'content-length': '900000',
      },
    })
    sent.on('response', (response) => resolve(response.statusCode ?? 0))
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
    sent.write(part, () => onSent(() => sent.destroy()))
  })
}

it('keeps nothing of an upload that is interrupted', async () => {
  const drafts = () => kept().filter((name) => `${name}`.endsWith('.draft'))
  let wasThere = false
  const type = 'application/octet-stream'
  const url = `${served.url}/api/library?name=a.txt`
  await sendPart(url, type, 'A part. '.repeat(10_000), async (end) => {
    while (drafts().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    wasThere = true
    end()
  })
  expect(wasThere).toBe(true)
  while (kept().length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  expect((await served.call('get', '/api/library/search?q=part')).body.hits).toEqual([])
})

it('cuts off bodies that arrive too slowly', async () => {
  const slow = new ServedApp()
  const other = await slow.start({}, {}, { slowBodyMs: 200 })
  for (const [path, type] of [
    ['/api/library?name=a.txt', 'application/octet-stream'],
    ['/api/runs', 'application/json'],
  ] as const)
    expect([408, 'ECONNRESET']).toContain(await sendPart(`${slow.url}${path}`, type, '{', () => {}))
  const folder = join(other.home.path, 'originals/shared')
  while (readdirSync(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  await slow.close()
})

it('takes uploads at one address, as bytes only, and not from who may only look', async () => {
  expect((await upload('a.txt', 'A text.', eve)).status).toBe(403)
  expect((await served.call('post', '/api/library?name=a.txt', { text: 'A text.' })).status).toBe(
    415,
  )
  for (const path of ['/api/library/paths', '/api/runs', '/api/library/'])
    expect(
      (
        await served.fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/octet-stream' },
          body: 'A text.',
        })
      ).status,
      path,
    ).toBe(415)
  expect(kept()).toEqual([])
})

it("adds files of the operator's folder, and nothing else", async () => {
  served.write('files/rocks/marble.md', '# Marble\n\nMarble is a rock.\n')
  served.write('files/.hidden/secret.md', '# Secret\n')
  served.write('outside.md', '# Outside\n')
  symlinkSync(join(served.folder, 'outside.md'), join(served.folder, 'files/link.md'))
  const add = (paths: string[], by = boss) =>
    served.call('post', '/api/library/paths', { paths }, by)
  const { status, body } = await add(['rocks'])
  expect(status).toBe(201)
  expect(body.files).toMatchObject([{ name: 'rocks/marble.md', outcome: 'added', title: 'Marble' }])
  expect((await add(['rocks/marble.md'])).body.files).toMatchObject([{ outcome: 'unchanged' }])
  for (const path of ['../outside.md', 'link.md', '.hidden/secret.md', '/etc/hosts', 'a/../../x'])
    expect((await add([path])).status, path).toBe(403)
  expect((await add(['missing.md'])).status).toBe(400)
  expect((await add(['rocks'], ada)).status).toBe(403)
  expect((await served.call('delete', `/api/library/${body.files[0].id}`)).status).toBe(204)
  expect(existsSync(join(served.folder, 'files/rocks/marble.md'))).toBe(true)
})
