import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, createApp, type SourceReader } from '../../index.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-sources-'))
let app: App
let reader: SourceReader
beforeAll(async () => {
  writeFileSync(join(folder, 'peat.md'), '# Peat\n\nPeat is 90 per cent water.\n')
  app = createApp({ home: join(folder, 'home'), folder, environment: {} })
  reader = await app.sources({ sources: ['peat.md'] })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

it('searches the given files, which stay out of the library, and reads them by id', async () => {
  const [hit] = await reader.search({ query: 'water', limit: 3 })
  expect(hit).toMatchObject({ source: { title: 'Peat' } })
  expect(await app.listLibrary()).toEqual([])
  const read = await reader.read(hit?.source.id ?? '')
  expect(read?.text).toContain('90 per cent water')
  expect(await reader.read('none')).toBeUndefined()
  expect(await reader.findPage(hit?.source.id ?? '', 1)).toBeUndefined()
})

it('checks the citations of a text against them, and against the sources of a run', async () => {
  const text = (mark: string) => `Peat is 80 per cent water ${mark}.\n\n## Sources\n\n[a] peat.md`
  expect(await reader.check(text('[a]'))).toMatchObject({
    claims: [{ verdict: 'altered' }],
    failures: { references: 0, claims: 1 },
  })
  const { runId } = await app.ask({ question: 'How much water is peat?', sources: ['peat.md'] })
  expect((await reader.check(text('[1]'))).failures).toEqual({ references: 1, claims: 1 })
  expect(await reader.check(text('[1]'), { run: runId })).toMatchObject({
    claims: [{ verdict: 'altered' }],
    failures: { references: 0, claims: 1 },
  })
})
