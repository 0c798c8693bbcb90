import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { question, ServedApp } from './served-app.ts'

const served = new ServedApp()
const zip = { 'content-type': 'application/zip' }
let app: App
let bundle: Uint8Array<ArrayBuffer>
let [runId, reader] = ['', '']
beforeAll(async () => {
  const files = join(served.folder, 'files')
  mkdirSync(files)
  writeFileSync(join(files, 'duskwort.md'), '# Duskwort\n\nDuskwort blooms for nine nights.\n')
  served.write('secret.md', '# Secret\n\nThe vault opens at noon.\n')
  symlinkSync(join(served.folder, 'secret.md'), join(files, 'link.md'))
  app = await served.start({ filesFolder: files, maxBundleBytes: 2_000_000 })
  reader = new TokenFile(app.home.path).add('reader', 'read')
  runId = (await served.finish({ workflow: 'ask', question })).body.runId
  const response = await served.fetch(`/api/runs/${runId}/bundle`)
  bundle = new Uint8Array(await response.arrayBuffer())
})
afterAll(() => served.close())

async function post(body: RequestInit['body'], { query = '', headers = zip } = {}) {
  const init = { method: 'POST', body: body ?? null, headers }
  const response = await served.fetch(`/api/verify${query}`, init)
  // biome-ignore lint/suspicious/noExplicitAny: reports of two forms, and errors
  return { status: response.status, body: (await response.json()) as any }
}

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('scholium-server-rec'))

describe('a posted bundle', () => {
  it('is verified, also against its root hash, and nothing is left of it', async () => {
    const { status, body } = await post(bundle)
    expect(status).toBe(200)
    expect(body).toMatchObject({ isSound: true, isComplete: true, run: { runId } })
    const expected = await post(bundle, { query: `?expect=${body.root}` })
    expect(expected.body.origin).toBe('expected')
    const other = await post(bundle, { query: `?expect=${'0'.repeat(64)}` })
    expect(other.body).toMatchObject({ isSound: false, origin: 'refuted' })
    expect(left()).toEqual([])
  })

  it('that was changed, or is none, is reported as that', async () => {
    const changed = bundle.slice()
    const at = Buffer.from(changed).indexOf('412')
    changed[at] = 0x39
    expect((await post(changed)).body).toMatchObject({ fileKind: 'bundle', isSound: false })
    expect((await post('no zip')).body).toMatchObject({ fileKind: 'other_file', isSound: false })
    expect((await post('')).body).toMatchObject({ fileKind: 'empty', isSound: false })
  })

  it('is refused if it is too large, also if it does not say so before', async () => {
    const large = new Uint8Array(2_000_001)
    expect((await post(large)).status).toBe(413)
    const stream = new Blob([large]).stream()
    const init = { method: 'POST', body: stream, duplex: 'half', headers: zip } as RequestInit
    expect((await served.fetch('/api/verify', init)).status).toBe(413)
    expect(left()).toEqual([])
  })

  it('is taken nowhere else, and nothing else is taken here', async () => {
    const init = { method: 'POST', body: bundle, headers: zip }
    for (const path of ['/api/runs', '/api/verify/', '/api/agents/validate', '/v1/responses'])
      expect((await served.fetch(path, init)).status).toBe(415)
    for (const type of ['text/plain', 'application/zipped', 'multipart/form-data'])
      expect((await post(bundle, { headers: { 'content-type': type } })).status).toBe(415)
  })
})

describe('a posted text', () => {
  const verify = (body: object, by?: string) => served.call('post', '/api/verify', body, by)
  const text = (sentence: string, file: string) => `${sentence} [1]\n\n[1]: ${file}\n`

  it('is checked against the library', async () => {
    const { status, body } = await verify({
      text: text('Glimmerstone melts at 412 degrees Celsius.', 'glimmerstone.md'),
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({ schema: 'scholium.report/1', failures: { claims: 0 } })
    const wrong = await verify({
      text: text('Glimmerstone melts at 512 degrees Celsius.', 'glimmerstone.md'),
    })
    expect(wrong.body).toMatchObject({ failures: { claims: 1 }, claims: [{ verdict: 'altered' }] })
  })

  it("is checked against files in the operator's folder, and no others", async () => {
    const said = text('Duskwort blooms for nine nights.', 'duskwort.md')
    const unread = (await verify({ text: said })).body
    expect(unread.failures.references).toBe(1)
    const read = (await verify({ text: said, sources: ['duskwort.md'] })).body
    expect(read).toMatchObject({ failures: { references: 0, claims: 0 } })
    const secret = text('The vault opens at noon.', 'secret.md')
    for (const sources of [['link.md'], ['.']]) {
      const { status, body } = await verify({ text: secret, sources })
      expect([status, body.failures.references]).toEqual([200, 1])
    }
    for (const name of ['../secret.md', `${served.folder}/secret.md`])
      expect((await verify({ text: secret, sources: [name] })).status).toBe(403)
    expect((await verify({ text: said, sources: ['gone.md'] })).status).toBe(400)
  })

  it.each([{}, { text: ' ' }, { text: 'x'.repeat(200_001) }, { text: 'A.', file: 'x' }])(
    'is refused if it is none',
    async (body) => {
      expect((await verify(body)).status).toBe(400)
    },
  )
})

it('a token that may only look may check bundles, texts and agent files, and nothing else', async () => {
  const headers = { ...zip, authorization: `Bearer ${reader}` }
  expect((await post(bundle, { headers })).body.isSound).toBe(true)
  expect((await served.call('post', '/api/verify', { text: 'A.' }, reader)).status).toBe(200)
  const agent = { text: 'name: a\nnodes: []\n' }
  expect((await served.call('post', '/api/agents/validate', agent, reader)).status).toBe(200)
  expect((await served.call('post', '/api/verify', { text: 'A.' }, 'unknown')).status).toBe(401)
  for (const path of ['/api/runs', `/api/runs/${runId}/cancel`, `/api/runs/${runId}/replay`])
    expect((await served.call('post', path, {}, reader)).status).toBe(403)
})
