import { afterAll, describe, expect, it } from 'vitest'
import { sampleFiles, sampleWord } from '../../../src/app/doctor/sample-files.ts'
import { sha256 } from '../../../src/kernel/json.ts'
import { createDocumentReader } from '../../../src/sources/files/worker/document-reader.ts'
import { fetchPage } from '../../../src/sources/web/fetch-page.ts'
import { createWeb } from '../../../src/sources/web/web.ts'
import { createQuickClock } from '../../../src/testing/index.ts'
import { startServer } from './raw-server.ts'

const reader = createDocumentReader()
afterAll(() => reader.close())

const accessedAt = Date.UTC(2026, 10, 20, 23, 59)

/** The outcome of a page that a server sends as `type`. */
async function fetchFrom(
  body: string | Uint8Array,
  type: string | undefined,
  {
    path = '/',
    status = 200,
    signal,
  }: { path?: string; status?: number; signal?: AbortSignal } = {},
) {
  const server = await startServer((_request, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type })
    response.end(body)
  })
  const web = createWeb({
    clock: createQuickClock(),
    random: () => 0.5,
    userAgent: 'Scholium/test',
    allowedOrigins: [server.origin],
  })
  const outcome = await fetchPage(web, server.origin + path, { accessedAt, reader, signal })
  return { outcome, server }
}

async function pageFrom(...given: Parameters<typeof fetchFrom>) {
  const { outcome, server } = await fetchFrom(...given)
  if (!outcome.ok) throw new Error(`${outcome.failure.reason}: ${outcome.failure.detail}`)
  return { ...outcome.page, server }
}

async function reasonFrom(...given: Parameters<typeof fetchFrom>) {
  const { outcome } = await fetchFrom(...given)
  return outcome.ok ? 'read' : outcome.failure.reason
}

const article = `<!doctype html><html lang="en"><head><title>On tides</title>
<meta name="author" content="Ada Example"><link rel="canonical" href="/tides"></head>
<body><nav>Home Shop</nav><article><h1>On tides</h1>
<p>${'The moon pulls the sea towards it, and the sea follows. '.repeat(8)}</p>
<p>${'Twice a day the water rises and falls along the coast. '.repeat(8)}</p>
</article></body></html>`

describe('a web page', () => {
  it('is its main text with its metadata, its address and the day', async () => {
    const page = await pageFrom(article, 'text/html; charset=utf-8', {
      path: '/a/tides.html?from=x',
    })
    expect(page.kind).toBe('html')
    expect(page.title).toBe('On tides')
    expect(page.text).toContain('The moon pulls the sea')
    expect(page.text).not.toContain('Shop')
    expect(page.url).toBe(`${page.server.origin}/a/tides.html?from=x`)
    expect(page.csl).toMatchObject({
      id: page.contentHash,
      type: 'webpage',
      title: 'On tides',
      author: [{ literal: 'Ada Example' }],
      URL: `${page.server.origin}/tides`,
      accessed: { 'date-parts': [[2026, 11, 20]] },
    })
    expect(page.contentHash).toBe(sha256(article))
    expect(page.sizeBytes).toBe(article.length)
  })

  it('without an address of its own has the one where it was found in the end', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/old') response.writeHead(301, { location: '/new' }).end()
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Nothing but this.')
    })
    const web = createWeb({
      clock: createQuickClock(),
      random: () => 0.5,
      userAgent: 'Scholium/test',
      allowedOrigins: [server.origin],
    })
    const outcome = await fetchPage(web, `${server.origin}/old`, { accessedAt, reader })
    expect(outcome).toMatchObject({
      ok: true,
      page: { url: `${server.origin}/new`, csl: { URL: `${server.origin}/new` } },
    })
  })

  it('claims no address of another host', async () => {
    const lying = article.replace('href="/tides"', 'href="https://journal.example.org/tides"')
    const page = await pageFrom(lying, 'text/html')
    expect(page.csl.URL).toBe(`${page.server.origin}/`)
  })
})

it('is read without a reader of the caller, too', async () => {
  const server = await startServer((_request, response) => response.end(article))
  const web = createWeb({
    clock: createQuickClock(),
    random: () => 0.5,
    userAgent: 'Scholium/test',
    allowedOrigins: [server.origin],
  })
  expect(await fetchPage(web, server.origin, { accessedAt })).toMatchObject({ ok: true })
})

describe('the encoding of a page', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const words = 'Zürich grüßt Köln. '.repeat(5)
  const html = (head: string) => `<html><head>${head}</head><body><p>${words}</p></body></html>`
  /** "Привет, мир" in KOI8-R and in Windows-1251. */
  const koi8 = Buffer.from('f0d2c9d7c5d42c20cdc9d2', 'hex')
  const cp1251 = Buffer.from('cff0e8e2e5f22c20ece8f0', 'hex')
  const around = (body: Buffer, head = '') =>
    Buffer.concat([latin(`<html><head>${head}</head><body><p>`), body, latin('</p></body></html>')])
  const shiftJis = Buffer.from('93fa967b8cea82cc95b68fcd', 'hex')
  const iso2022 = Buffer.from('1b2442467c4b5c386c1b2842', 'hex')
  const utf16 = Buffer.from(html(''), 'utf16le')

  it.each([
    ['the header', latin(html('')), 'text/html; charset=iso-8859-1', 'Zürich grüßt Köln.'],
    ['the header in quotes', latin(html('')), 'text/html;charset="ISO-8859-1"', 'Zürich'],
    ['the page itself', latin(html('<meta charset="windows-1252">')), 'text/html', 'Zürich'],
    [
      'the header before the page',
      around(koi8, '<meta charset="windows-1251">'),
      'text/html; charset=koi8-r',
      'Привет, мир',
    ],
    [
      'the page where the header knows none',
      around(cp1251, '<meta charset="windows-1251">'),
      'text/html; charset=none',
      'Привет, мир',
    ],
    ['the header for Japanese', around(shiftJis), 'text/html; charset=Shift_JIS', '日本語の文章'],
    ['the header for seven bits', around(iso2022), 'text/html; charset=iso-2022-jp', '日本語'],
    ['the header for two bytes', utf16, 'text/html; charset=utf-16le', 'Zürich'],
    [
      'a byte order mark before the header',
      Buffer.from(`\ufeff${html('')}`, 'utf16le'),
      'text/html; charset=iso-8859-1',
      'Zürich',
    ],
    [
      'the bytes where the header cannot be right',
      Buffer.from(html('')),
      'text/html; charset=iso-8859-1',
      'Zürich',
    ],
    ['the header of a plain text', cp1251, 'text/plain; charset=windows-1251', 'Привет, мир'],
    [
      'the header of a table',
      Buffer.concat([latin('a,b\n1,'), cp1251.subarray(0, 6), latin('\n')]),
      'text/csv; charset=windows-1251',
      'Привет',
    ],
  ])('is told by %s', async (_what, bytes, type, expected) => {
    const page = await pageFrom(bytes, type)
    expect(page.text).toContain(expected)
    expect(page.contentHash).toBe(sha256(bytes))
    expect(page.csl.id).toBe(page.contentHash)
    expect(page.sizeBytes).toBe(bytes.length)
  })
})

describe('a document of another kind', () => {
  it('is a text by its type', async () => {
    const page = await pageFrom('Just this.', 'text/plain', { path: '/notes' })
    expect(page).toMatchObject({ kind: 'text', title: 'notes', text: 'Just this.' })
    expect(page.csl.URL).toBe(`${page.server.origin}/notes`)
    expect(page.csl.accessed).toEqual({ 'date-parts': [[2026, 11, 20]] })
  })

  it('is Markdown by its type or its name', async () => {
    expect(await pageFrom('# A title\n\nText.', 'text/markdown')).toMatchObject({
      kind: 'markdown',
      title: 'A title',
    })
    expect(
      await pageFrom('# A title\n\nText.', 'text/plain', { path: '/README.md' }),
    ).toMatchObject({ kind: 'markdown' })
  })

  it('is what its bytes are, whatever a server calls it', async () => {
    for (const { file, bytes } of await sampleFiles()) {
      if (/(?:csv|md|txt|png)$/.test(file)) continue
      for (const type of ['application/octet-stream', 'text/html', undefined]) {
        const page = await pageFrom(bytes, type, { path: `/files/2401.12345/${file}` })
        expect(page.text).toContain(sampleWord)
        expect(page).toMatchObject({ kind: file.split('.')[1], contentHash: sha256(bytes) })
        expect(page.csl.URL).toBe(`${page.server.origin}/files/2401.12345/${file}`)
      }
    }
  })

  it('is a PDF without an ending in its address', async () => {
    const { bytes = '' } = (await sampleFiles()).find(({ file }) => file === 'a.pdf') ?? {}
    expect(await pageFrom(bytes, 'application/pdf', { path: '/pdf/2401.12345' })).toMatchObject({
      kind: 'pdf',
      pages: [{ start: 0 }],
    })
  })

  it('is a page where a server does not tell its type', async () => {
    expect(await pageFrom(article, undefined)).toMatchObject({ kind: 'html', title: 'On tides' })
  })
})

describe('what gives no document', () => {
  it.each([
    ['data', '{"a":1}', 'application/json', 'unsupported_type'],
    ['data under the name of text', '{"a":1}', 'text/json', 'unsupported_type'],
    ['a feed', '<rss></rss>', 'application/rss+xml', 'unsupported_type'],
    ['a program', 'alert(1)', 'text/javascript', 'unsupported_type'],
    ['a film', 'x', 'video/mp4', 'unsupported_type'],
    ['a drawing', '<svg></svg>', 'image/svg+xml', 'unsupported_type'],
    ['an archive', 'PK\x05\x06'.padEnd(22, '\0'), 'application/zip', 'unsupported_type'],
    ['a program under the name of text', '\x7fELF\x02\x01\x01', 'text/plain', 'unsupported_type'],
    ['a page under the name of a PDF', article, 'application/pdf', 'unsupported_type'],
    ['bytes that are no text', Buffer.alloc(500, 0x81).fill(1, 0, 400), 'text/plain', 'not_text'],
    ['nothing', '', 'text/html', 'empty'],
    [
      'a page that a script has to write',
      '<html><body><script>x()</script></body></html>',
      'text/html',
      'no_text',
    ],
    ['a broken PDF', '%PDF-1.7\nno more', 'application/pdf', 'broken'],
  ])('%s is refused with the reason', async (_what, body, type, reason) => {
    expect(await reasonFrom(body, type)).toBe(reason)
  })

  it('says what is wrong and what to do, with the address', async () => {
    const { outcome, server } = await fetchFrom('', 'text/html')
    expect(outcome).toEqual({
      ok: false,
      failure: {
        reason: 'empty',
        url: `${server.origin}/`,
        detail: 'It is empty.',
        hint: 'Check that it was saved or downloaded completely.',
      },
    })
  })

  it('is a page that is not there, as the fetch tells it', async () => {
    const { outcome } = await fetchFrom(article, 'text/html', { status: 404 })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'http_status', status: 404 } })
  })

  it('is a cancelled one', async () => {
    expect(await reasonFrom(article, 'text/html', { signal: AbortSignal.abort() })).toBe(
      'cancelled',
    )
  })
})
