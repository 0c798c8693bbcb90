import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
let ada = ''
beforeAll(async () => {
  app = await served.start()
  served.write('peat.md', '# Peat\n\nPeat is 90 per cent water.\n')
  await Array.fromAsync(app.addToLibrary(['peat.md']))
  ada = new TokenFile(app.home.path).add('ada', 'run')
})
afterAll(() => served.close())

it('lists the library page by page, without places', async () => {
  const first = await served.call('get', '/api/library?limit=1', undefined, ada)
  expect(first.body.sources).toMatchObject([{ title: 'Glimmerstone', path: 'glimmerstone.md' }])
  const rest = await served.call('get', `/api/library?limit=1&cursor=${first.body.next}`)
  expect(rest.body.sources).toMatchObject([{ title: 'Peat' }])
  expect(rest.body.next).toBeUndefined()
  expect((await served.call('get', `/api/library?cursor=${'0'.repeat(64)}`)).status).toBe(400)
})

it('finds passages with their source and offset', async () => {
  const { body } = await served.call('get', '/api/library/search?q=water', undefined, ada)
  const [{ source, passage, score }] = body.hits
  expect(source.title).toBe('Peat')
  expect(score).toBeGreaterThan(0)
  const read = await (await app.sources()).read(source.id)
  expect(read?.text.slice(passage.start, passage.end)).toBe(passage.text)
  expect((await served.call('get', '/api/library/search?q=water&limit=101')).status).toBe(400)
})

it('shows a source outside of the library to admins only', async () => {
  served.write('own.md', '# Own\n\nRhyolite is a rock.\n')
  const reader = await app.sources({ sources: [join(served.folder, 'own.md')] })
  const [hit] = await reader.search({ query: 'rhyolite', limit: 1 })
  const path = `/api/sources/${hit?.source.id}`
  expect((await served.call('get', path)).body.title).toBe('Own')
  expect((await served.call('get', path, undefined, ada)).status).toBe(404)
  const found = await served.call('get', '/api/library/search?q=rhyolite', undefined, ada)
  expect(found.body.hits).toEqual([])
})
