import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App, ScholiumError } from '../../src/index.ts'
import { createHandler, TokenFile } from '../../src/server/index.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
let ada = ''
beforeAll(async () => {
  mkdirSync(join(served.folder, 'files'))
  app = await served.start({ filesFolder: join(served.folder, 'files') })
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

/** Adds a file to the library, and returns the address of its source. */
async function addFile(name: string, text: string): Promise<string> {
  served.write(name, text)
  const [added] = await Array.fromAsync(app.addToLibrary([name]))
  return `/api/sources/${added !== undefined && 'sourceId' in added ? added.sourceId : ''}`
}

it('lists the passages of a source page by page', async () => {
  const sections = ['First', 'Second', 'Third'].map(
    (title) => `# ${title}\n\n${'Words. '.repeat(200)}`,
  )
  const source = await addFile('long.md', sections.join('\n\n'))
  const all = (await served.call('get', `${source}/passages`, undefined, ada)).body.passages
  expect(all.length).toBeGreaterThan(2)
  const paged = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const cursor = next === '' ? '' : `&cursor=${next}`
    const { body } = await served.call('get', `${source}/passages?limit=2${cursor}`)
    paged.push(...body.passages)
    next = body.next
  }
  expect(paged).toEqual(all)
  const wrong = `${source}/passages?cursor=0000000000000000:0-1`
  expect((await served.call('get', wrong)).status).toBe(400)
})

it('reads a part of a text, and what surrounds a passage', async () => {
  const text = `Äpfel 🍏🍏 ${'and pears. '.repeat(400)}The end.`
  const source = await addFile('apples.txt', text)
  const read = async (query: string) => (await served.call('get', `${source}/text?${query}`)).body
  expect(await read('start=6&chars=4')).toEqual({
    start: 6,
    end: 10,
    totalChars: text.length,
    text: '🍏🍏',
  })
  // A character of two code units is never halved.
  expect(await read('start=7&chars=2')).toMatchObject({ start: 6, end: 10, text: '🍏🍏' })
  expect(await read('start=100000')).toMatchObject({ start: text.length, text: '' })
  const { body } = await served.call('get', `${source}/passages`)
  const last = body.passages.at(-1)
  const around = await read(`passage=${last.id}&around=20`)
  expect(around.text).toBe(text.slice(last.start - 20))
  for (const query of ['chars=100001', 'start=-1', `passage=${last.id}&start=1`, 'passage=x'])
    expect((await served.call('get', `${source}/text?${query}`)).status, query).toBe(400)
  const foreign = `${source}/text?passage=0000000000000000:0-1`
  expect((await served.call('get', foreign)).status).toBe(404)
})

it('tells the words of a source as they are, also if they name a place of this machine', async () => {
  const text = `# Places\n\nA serpentine is kept in ${served.folder}/rocks on the shelf.\n`
  const source = await addFile('places.md', text)
  const [id] = source.split('/').slice(-1)
  const json = async (path: string) => JSON.parse(await (await served.fetch(path)).text())
  const { hits } = await json('/api/library/search?q=serpentine')
  const { start, end, text: found } = hits[0].passage
  expect(found).toBe(text.slice(start, end))
  const { runId } = await app.ask({ question: 'What is serpentine kept in?' })
  const { result } = await json(`/api/runs/${runId}`)
  expect(result.citations).toMatchObject([{ n: 1, sourceId: id }])
  const read = await json(`/api/runs/${runId}/sources/1?start=12&chars=1000`)
  expect(read).toMatchObject({ title: 'Places', start: 12, text: text.slice(12) })
})

it('sends a file, whole and in ranges, under a name that cannot be misread', async () => {
  const text = '<script>alert(1)</script> Basalt is a rock. '.repeat(20_000)
  const source = await addFile('odd "name"; é.html', `<html><body>${text}</body></html>`)
  const whole = await served.fetch(`${source}/file`)
  expect(whole.status).toBe(200)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(bytes.toString()).toBe(`<html><body>${text}</body></html>`)
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="odd _name__ _.html"; filename*=UTF-8''odd%20%22name%22%3B%20%C3%A9.html`,
    'content-length': String(bytes.length),
    'content-security-policy': expect.stringContaining('sandbox'),
    'content-type': 'text/html',
    'x-content-type-options': 'nosniff',
  })
  const size = bytes.length
  for (const [range, start, end] of [
    ['bytes=0-9', 0, 10],
    ['bytes=700000-', 700_000, size],
    ['bytes=-5', size - 5, size],
    [`bytes=5-${size * 2}`, 5, size],
  ] as const) {
    const part = await served.fetch(`${source}/file`, { headers: { range } })
    expect(part.status, range).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${size}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end)), range).toBe(
      true,
    )
  }
  for (const range of ['bytes=9-5', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
    expect((await served.fetch(`${source}/file`, { headers: { range } })).status, range).toBe(200)
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    const none = await served.fetch(`${source}/file`, { headers: { range } })
    expect([none.status, none.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
  }
  const otherState = { range: 'bytes=0-9', 'if-range': '"another"' }
  expect((await served.fetch(`${source}/file`, { headers: otherState })).status).toBe(200)
  const head = await served.fetch(`${source}/file`, { method: 'HEAD' })
  expect([head.headers.get('content-length'), await head.text()]).toEqual([String(size), ''])
})

it('sends a file only while it is what was read, and follows no link', async () => {
  const source = await addFile('slate/slate.txt', 'Slate is a rock.')
  const place = join(served.folder, 'slate/slate.txt')
  const status = async () => (await served.call('get', `${source}/file`)).status
  expect(await status()).toBe(200)
  served.write('slate/slate.txt', 'Slate is a rack.')
  const { body } = await served.call('get', `${source}/file`)
  expect(body.error).toMatchObject({
    code: 'conflict',
    message: 'The file has changed since it was read.',
  })
  const text = await served.call('get', `${source}/text`)
  expect(text.body.text).toBe('Slate is a rock.')
  // A link to the same bytes, and a folder that leads to other ones.
  rmSync(place)
  symlinkSync(served.write('elsewhere/slate.txt', 'Slate is a rock.'), place)
  expect(await status()).toBe(409)
  rmSync(place)
  expect(await status()).toBe(409)
  mkdirSync(place)
  expect(await status()).toBe(409)
  renameSync(join(served.folder, 'slate'), join(served.folder, 'moved'))
  served.write('secret/slate.txt', 'Something else.')
  symlinkSync(join(served.folder, 'secret'), join(served.folder, 'slate'))
  expect(await status()).toBe(409)
})

it('refuses folders through which requests could name the home', () => {
  const home = app.home.path
  const link = join(served.folder, 'link')
  symlinkSync(served.folder, link)
  mkdirSync(join(home, 'inside'), { recursive: true })
  for (const folder of [served.folder, home, join(home, 'inside'), link])
    for (const options of [{ filesFolder: folder }, { agentsFolder: folder }])
      expect(() => createHandler(app, options), folder).toThrow(
        expect.objectContaining({ code: 'invalid_configuration' } satisfies Partial<ScholiumError>),
      )
  mkdirSync(join(served.folder, 'apart'))
  expect(() => createHandler(app, { filesFolder: join(served.folder, 'apart') })).not.toThrow()
})

it('shows a source outside of the library to whoever sees a run that cites it', async () => {
  const bob = new TokenFile(app.home.path).add('bob', 'run')
  served.write('files/gneiss.md', '# Gneiss\n\nGneiss is a rock with bands.\n')
  served.write('files/chert.md', '# Chert\n\nChert is hard.\n')
  const request = {
    workflow: 'ask',
    question: 'What is gneiss?',
    sources: ['gneiss.md', 'chert.md'],
  }
  const { runId } = (await served.call('post', '/api/runs', request, ada)).body
  const { result } = (await served.ended(runId)).body
  const cited = result.citations.find(({ title }: { title: string }) => title === 'Gneiss')
  const source = `/api/sources/${cited.sourceId}`
  for (const name of ['', '/passages', '/text', '/file']) {
    const path = `${source}${name}`
    expect((await served.call('get', `${path}?run=${runId}`, undefined, ada)).status).toBe(200)
    expect((await served.call('get', path, undefined, ada)).status).toBe(404)
    expect((await served.call('get', `${path}?run=${runId}`, undefined, bob)).status).toBe(404)
  }
  const shown = await served.call('get', `${source}?run=${runId}`, undefined, ada)
  expect(shown.body).toMatchObject({ title: 'Gneiss', path: 'gneiss.md' })
  // What the run has not cited is not his to read.
  const reader = await app.sources({
    sources: [served.write('private.md', '# Private\n\nA tuff.\n')],
  })
  const [hit] = await reader.search({ query: 'tuff', limit: 1 })
  const other = `/api/sources/${hit?.source.id}`
  expect((await served.call('get', other)).status).toBe(200)
  expect((await served.call('get', `${other}?run=${runId}`, undefined, ada)).status).toBe(404)
})
