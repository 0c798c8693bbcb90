import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, verifyBundle } from '../../src/index.ts'
import { root } from '../repo/source-file.ts'
import { question, ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
let [answered, reviewed] = ['', '']
beforeAll(async () => {
  cpSync(`${root}samples/library`, `${served.folder}/files`, { recursive: true })
  app = await served.start({ filesFolder: `${served.folder}/files` })
  answered = (await served.finish({ workflow: 'ask', question })).body.runId
  const papers = { workflow: 'papers', query: 'CRISPR', sources: ['.'] }
  reviewed = (await served.finish(papers)).body.runId
})
afterAll(() => served.close())

async function get(path: string) {
  const response = await served.fetch(`/api/runs/${path}`)
  const text = await response.text()
  expect(text).not.toContain(served.folder)
  return { status: response.status, type: response.headers.get('content-type'), text, response }
}

const bundles = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('scholium-server-bundle-'))

async function noBundleLeft(): Promise<void> {
  while (bundles().length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
}

describe('files of a run over HTTP', () => {
  it('are reports of a review, which may do nothing in the name of the server', async () => {
    const page = await get(`${reviewed}/report`)
    expect(page.type).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/^<!doctype html>/i)
    expect(page.response.headers.get('content-security-policy')).toMatch(/^sandbox;/)
    expect((await get(`${reviewed}/report?format=markdown`)).text).toMatch(/^# /)
    expect((await get(`${reviewed}/report?format=csv`)).text).toContain(',')
    expect((await get(`${answered}/report?format=csv`)).status).toBe(409)
    expect((await get(`${reviewed}/report?format=pdf`)).status).toBe(400)
  })

  it('are answers with their sources, as a page or as Markdown', async () => {
    const page = await get(`${answered}/report`)
    expect(page.type).toBe('text/html; charset=utf-8')
    expect(page.text).toMatch(/^<!doctype html>/)
    expect(page.text).toContain('<li id="source-1">[1] Glimmerstone')
    expect(page.response.headers.get('content-security-policy')).toMatch(/^sandbox;/)
    const { text } = await get(`${answered}/report?format=markdown`)
    expect(text).toMatch(/^# What is glimmerstone\?\n\n/)
    expect(text).toContain('412')
    expect(text).toContain('## Sources\n\n- [1] Glimmerstone')
    const markup = '<img src=x onerror=alert(1)> is glimmerstone?'
    const { runId } = (await served.finish({ workflow: 'ask', question: markup })).body
    expect((await get(`${runId}/report`)).text).not.toContain('<img')
  })

  it('are references in a style or as data, but in no style of a file', async () => {
    expect((await get(`${answered}/references`)).text).toContain('Glimmerstone')
    expect((await get(`${answered}/references?format=bibtex`)).text).toContain(
      'title = {Glimmerstone}',
    )
    expect(JSON.parse((await get(`${answered}/references?format=csl`)).text)).toHaveLength(1)
    expect((await get(`${answered}/references?style=ieee`)).text).toContain('[1]')
    expect((await get(`${answered}/references?style=/etc/passwd`)).status).toBe(400)
  })

  it('are a trace', async () => {
    const [trace] = JSON.parse((await get(`${answered}/trace`)).text)
    expect(trace).toMatchObject({ runId: answered, workflow: 'ask' })
    expect(trace.spans.length).toBeGreaterThan(5)
    expect((await get(`${answered}/trace?format=csv`)).text).toContain(answered)
  })

  it('are a bundle that can be verified, and of which nothing is left here', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scholium-sent-'))
    const response = await served.fetch(`/api/runs/${answered}/bundle`)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="${answered}.scholium"`,
    )
    const path = join(folder, 'sent.scholium')
    writeFileSync(path, new Uint8Array(await response.arrayBuffer()))
    expect(await verifyBundle(path)).toMatchObject({ isSound: true, isComplete: true })
    rmSync(folder, { recursive: true })
    await noBundleLeft()
  })

  it('are a bundle of which nothing is left by a reader that takes nothing', async () => {
    const slow = new ServedApp()
    const own = await slow.start({ slowReaderMs: 200 })
    const words = randomBytes(8_000_000).toString('hex').replaceAll(/.{8}/g, '$& ')
    slow.write('noise.md', `# Feldspar\n\nFeldspar is a mineral.\n\n${words}\n`)
    const { runId } = await own.ask({ question: 'What is feldspar?', sources: ['noise.md'] })
    const { port, hostname } = new URL(slow.url)
    const socket = connect(Number(port), hostname)
    socket.pause()
    socket.on('error', () => {})
    socket.write(
      `GET /api/runs/${runId}/bundle HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer token-of-the-tests\r\n\r\n`,
    )
    while (bundles().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await noBundleLeft()
    socket.destroy()
    await slow.close()
  })

  it('are not there for a run that is not there', async () => {
    for (const name of ['report', 'references', 'trace', 'bundle', `diff?with=${answered}`])
      expect((await get(`20200101-aaaaaa/${name}`)).status).toBe(404)
  })
})

it('compares two runs', async () => {
  const { runId } = await app.ask({ question })
  const { body } = await served.call('get', `/api/runs/${answered}/diff?with=${runId}`)
  expect(body).toMatchObject({ isSame: true, runs: [{ runId: answered }, { runId }] })
  const none = await served.call('get', `/api/runs/${answered}/diff?with=20200101-aaaaaa`)
  expect(none.status).toBe(404)
})
