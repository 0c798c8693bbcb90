import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { decodeHtml, type ReadHtmlOptions, readHtml, readHtmlBytes } from './read-html.ts'

const id = sha256('')

async function read(html: string, options?: ReadHtmlOptions) {
  const content = await readHtml(html, id, '/pages/the-page.html', options)
  if ('reason' in content) throw new Error(content.detail)
  return content
}

const sentence = (n: number) =>
  `Sentence ${n} of the article tells, at some length, what the keepers of the harbour saw that year.`
const paragraphs = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `<p>${sentence(n)}</p>`).join('')
const around = (
  article: string,
) => `<!doctype html><html lang="en"><head><title>Keepers | Harbour News</title>
  <meta property="og:site_name" content="Harbour News"></head><body>
  <nav><ul><li><a href="/">Home</a><li><a href="/b">Boats</a></ul></nav>
  <article>${article}</article>
  <aside><h3>Most read</h3><p>A story about something else altogether, which is read by a great many people.</p></aside>
  <footer><p>Copyright 2019 Harbour News, all rights reserved.</p></footer></body></html>`

describe('a web page', () => {
  it('gives its main text without what stands around it', async () => {
    const { text, title, pages, notes } = await read(around(`<h1>Keepers</h1>${paragraphs}`))
    expect(text).toContain(sentence(1))
    expect(text).toContain(sentence(8))
    expect(text).not.toMatch(/Home|Most read|Copyright/)
    expect({ title, pages, notes }).toEqual({ title: 'Keepers', pages: [], notes: [] })
  })

  it('leaves out bylines, sharing, credits, bare captions and links to other stories', async () => {
    const { text } = await read(
      around(`<header><h1>Keepers</h1><p class="byline">By Ann Lee</p><time>May 2, 2019</time></header>
        <div class="article-body">${paragraphs}<figure><img src=a.jpg><figcaption>The pier (AP Photo/B. Ray)</figcaption></figure>
        <p><a href="/c">READ ALSO: TEN BOATS THAT SANK</a></p><p>Advertisement</p>
        <div class="share-tools">Share on all networks</div>${paragraphs}<h3>Comments</h3></div>
        <div class="box"><p>Our society, founded in 1920, publishes this paper for its members, all of them keepers.</p></div>`),
    )
    expect(text).not.toMatch(/society|Ann Lee|May 2|pier|TEN BOATS|Advert|Share|Comments/)
    expect(text.split('\n\n')).toHaveLength(16)
  })

  it('keeps a numbered caption, the tables and lists of the article, and its headings as sections', async () => {
    const { text, sections } = await read(
      around(`${paragraphs}<h2>Counts</h2>${paragraphs}<table><tr><th>Year<th>Ships<tr><td>1850<td>12</table>
        <ul><li>${sentence(20)}<li>${sentence(21)}</ul><figure><figcaption>Figure 2. Ships a year.</figcaption></figure>${paragraphs}`),
    )
    expect(text).toContain('Year: 1850; Ships: 12.')
    expect(text).toContain(`- ${sentence(20)}\n- ${sentence(21)}`)
    expect(text).toContain('Figure 2. Ships a year.')
    expect(sections).toEqual([{ title: 'Counts', level: 2, start: text.indexOf('Counts') }])
  })

  it('gives all but the navigation where nothing reads like an article', async () => {
    const links =
      '<nav><a href=/>Home</a></nav><h1>Boats</h1><ul><li><a href=a>Ida</a><li><a href=b>Una</a></ul>'
    expect((await read(`${links}<footer>Copyright</footer>`)).text).toBe('Boats\n\n- Ida\n- Una')
    expect((await read('<p>Short.</p>')).text).toBe('Short.')
  })

  it('gives the text even where all of it is named like something next to it', async () => {
    const part = `<div class="related"><p>${sentence(1)}</p><p>${sentence(2)}</p></div>`
    expect((await read(part.repeat(6))).text).toContain(sentence(2))
  })

  it('says so when a page shows no text', async () => {
    const page = '<html><body><div id="root"></div><script src="app.js"></script></body></html>'
    expect(await readHtml(page, id, 'a.html')).toMatchObject({ reason: 'no_text' })
    expect(await readHtml('', id, 'a.html')).toMatchObject({ reason: 'no_text' })
    expect(await readHtmlBytes(new Uint8Array(500), id, 'a.html')).toMatchObject({
      reason: 'not_text',
    })
  })

  it('refuses a page beyond the limits', async () => {
    const refusal = await readHtml('<b>'.repeat(5_000), id, 'a.html')
    expect(refusal).toMatchObject({ reason: 'too_large' })
  })
})

const data = process.env.SCHOLIUM_DATA
const lists = join(data ?? '', '07-adversarial/PayloadsAllTheThings/XSS Injection/Intruders')

describe.skipIf(data === undefined)('hostile pages (needs SCHOLIUM_DATA)', () => {
  it('are read or refused, line by line and all at once, and none throws', async () => {
    const strings = JSON.parse(
      readFileSync(join(data ?? '', '07-adversarial/blns.dev.json'), 'utf8'),
    ) as readonly string[]
    const files = readdirSync(lists).map((file) => readFileSync(join(lists, file), 'utf8'))
    const lines = [...files.flatMap((file) => file.split('\n')), ...strings]
    expect(lines.length).toBeGreaterThan(500)
    for (const html of [...lines, ...files, strings.join('\n')]) {
      const content = await readHtml(html, id, '/a.html')
      if ('reason' in content) expect(['no_text', 'too_large']).toContain(content.reason)
      else {
        expect(content.text).not.toMatch(/\p{Cc}(?<!\s)|[\u{e0000}-\u{e007f}]/u)
        expect(content.csl.URL ?? 'https:').toMatch(/^https?:/)
      }
    }
  })
})

const bytes = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )
const declared = (label: string) => `<meta charset="${label}">`

describe('the encoding of a page', () => {
  it.each([
    ['windows-1252', [0x93, 0x80, 0x94, 0xe9], '“€”é'],
    ['Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['GBK', [0xd6, 0xd0, 0xce, 0xc4], '中文'],
    ['EUC-KR', [0xc7, 0xd1, 0xb1, 0xdb], '한글'],
    ['iso-8859-1', [0x92], '’'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42], '日'],
  ])('is what it declares: %s', (label, written, text) => {
    expect(decodeHtml(bytes(declared(label), written))?.text).toBe(declared(label) + text)
  })

  it('may be declared as for HTTP, or as XML does', () => {
    const http = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312">'
    expect(decodeHtml(bytes(http, [0xd6, 0xd0]))?.text).toContain('中')
    expect(
      decodeHtml(bytes('<?xml version="1.0" encoding="EUC-KR"?>', [0xc7, 0xd1]))?.text,
    ).toContain('한')
  })

  it('is that of its byte order mark, or UTF-8 if the bytes are, whatever is declared', () => {
    const page = `${declared('shift_jis')}Grüße, schöne Welt – “ä”`
    expect(decodeHtml(Buffer.from(page))?.text).toBe(page)
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>ü</p>', 'utf16le')])
    expect(decodeHtml(marked)?.text).toBe('<p>ü</p>')
  })

  it('is no name that nobody knows, and nothing in a comment', () => {
    expect(decodeHtml(Buffer.from(`${declared('x-nothing')}<p>ü`))?.text).toContain('ü')
    expect(
      decodeHtml(bytes('<!-- <meta charset="gbk"> --><p>caf', [0xe9], '</p>'))?.text,
    ).toContain('café')
  })

  it('says how many places it could not make out', () => {
    const decoded = decodeHtml(bytes(declared('euc-kr'), [0xff, 0x20], 'text'))
    expect(decoded?.notes).toEqual(['invalid euc-kr replaced by \ufffd: 1'])
  })
})
