import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { parseDate } from './page-facts.ts'
import { readHtml } from './read-html.ts'

const id = sha256('')

async function cslOf(head: string, url?: string) {
  const content = await readHtml(
    `<html><head>${head}</head><body><p>Text.</p></body></html>`,
    id,
    '/a/page.html',
    { url },
  )
  if ('reason' in content) throw new Error(content.detail)
  expect(content.title).toBe(content.csl.title)
  return content.csl
}
const jsonLd = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`

describe('the metadata of a page', () => {
  it('is what a journal writes for catalogues, before all else', async () => {
    const csl = await cslOf(
      [
        meta('citation_title', 'On keepers'),
        meta('citation_author', 'Lind, Oskar'),
        meta('citation_author', 'Ann Lee'),
        meta('citation_publication_date', '2019/03/07'),
        meta('citation_journal_title', 'Harbours'),
        meta('citation_doi', 'doi:10.1234/ab.5'),
        meta('og:title', 'Keepers!'),
        '<link rel="canonical" href="https://example.org/5">',
      ].join(''),
    )
    expect(csl).toEqual({
      id,
      type: 'article-journal',
      title: 'On keepers',
      author: [{ family: 'Lind', given: 'Oskar' }, { literal: 'Ann Lee' }],
      issued: { 'date-parts': [[2019, 3, 7]] },
      'container-title': 'Harbours',
      DOI: '10.1234/ab.5',
      URL: 'https://example.org/5',
    })
  })

  it.each([
    ['NewsArticle', 'article-newspaper'],
    ['BlogPosting', 'post-weblog'],
    ['ScholarlyArticle', 'article-journal'],
    ['Article', 'webpage'],
  ])('is read from JSON-LD: %s', async (type, expected) => {
    const csl = await cslOf(
      jsonLd({
        '@graph': [
          { '@id': '#p', name: 'Harbour Press' },
          {
            '@type': ['Thing', type],
            headline: 'Keepers &amp; boats',
            author: [{ givenName: 'Ann', familyName: 'Lee' }, { name: 'B. Ray' }, 'C. Oz'],
            datePublished: '2019-05-02T23:59:00-08:00',
            publisher: { '@id': '#p' },
            inLanguage: 'en_GB',
          },
        ],
      }),
    )
    expect(csl).toEqual({
      id,
      type: expected,
      title: 'Keepers & boats',
      author: [{ family: 'Lee', given: 'Ann' }, { literal: 'B. Ray' }, { literal: 'C. Oz' }],
      issued: { 'date-parts': [[2019, 5, 2]] },
      publisher: 'Harbour Press',
      language: 'en-GB',
    })
  })

  it('is read from Dublin Core, from tags for sharing, and from what the page shows', async () => {
    expect(
      await cslOf(
        meta('DC.title', 'Old') + meta('DC.creator', 'Lind, O.') + meta('DCTERMS.issued', '1999'),
      ),
    ).toMatchObject({
      title: 'Old',
      author: [{ family: 'Lind', given: 'O.' }],
      issued: { 'date-parts': [[1999]] },
    })
    const sharing = `<meta property="og:title" content="Boats"><meta property="article:published_time" content="2020-01-31">
      <meta property="og:site_name" content="News"><meta property="og:url" content="https://n.example/b">${meta('author', 'Ann Lee')}`
    expect(await cslOf(sharing)).toMatchObject({
      title: 'Boats',
      'container-title': 'News',
      author: [{ literal: 'Ann Lee' }],
      URL: 'https://n.example/b',
    })
    const shown = '</head><body><h1>The keepers</h1><div class="byline">By Ann Lee | May 2</div>'
    expect(await cslOf(`<title>The keepers - Some site</title>${shown}`)).toMatchObject({
      title: 'The keepers',
      author: [{ literal: 'Ann Lee' }],
    })
    expect(await cslOf('')).toEqual({ id, type: 'webpage', title: 'page' })
  })

  it('has the address that was fetched, unless the page names another of the same site', async () => {
    const canonical = (href: string) => `<link rel="canonical" href="${href}">`
    const fetched = 'https://www.n.example/a?utm=1'
    expect((await cslOf(canonical('/a'), fetched)).URL).toBe('https://www.n.example/a')
    expect((await cslOf(canonical('https://n.example/a'), fetched)).URL).toBe('https://n.example/a')
    expect((await cslOf(canonical('https://nature.example/a'), fetched)).URL).toBe(fetched)
    expect((await cslOf(canonical('javascript:alert(1)'))).URL).toBeUndefined()
    expect((await cslOf(canonical('file:///etc/passwd'))).URL).toBeUndefined()
  })

  it('is bounded plain text, whatever the page puts there', async () => {
    const csl = await cslOf(
      jsonLd({
        '@type': 'Article',
        headline: `<img src=x onerror=alert(1)>&lt;b&gt;Bo\u202eats\u0007 ${'x'.repeat(100_000)}`,
        author: [7, null, [], { name: { a: 1 } }, ...Array(5_000).fill('A. Name')],
        datePublished: { '@value': '2020' },
        publisher: 7,
        inLanguage: '<script>',
        url: ['x'],
        sameAs: [{}],
      }),
    )
    expect(csl.title).toMatch(/^Boats x+$/)
    expect(csl.title?.length).toBeLessThanOrEqual(500)
    expect(csl.author?.length).toBeLessThanOrEqual(300)
    expect(Object.keys(csl).sort()).toEqual(['author', 'id', 'title', 'type'])
    const deep = `<script type="application/ld+json">${'['.repeat(100_000)}</script>`
    expect(await cslOf(`${deep}<script type="application/ld+json">{"@type":</script>`)).toEqual({
      id,
      type: 'webpage',
      title: 'page',
    })
  })
})

describe('a written date', () => {
  it.each([
    ['2019-11-18T04:00:00Z', [2019, 11, 18]],
    ['2019/11/18', [2019, 11, 18]],
    ['20191118', [2019, 11, 18]],
    ['2019-11', [2019, 11]],
    ['November 18, 2019', [2019, 11, 18]],
    ['Mon, 18 Nov 2019 10:00:00 GMT', [2019, 11, 18]],
    ['1st of Sept. 2019', [2019, 9, 1]],
    ['May 2019', [2019, 5]],
    ['18.11.2019', [2019, 11, 18]],
    ['11/18/2019', [2019, 11, 18]],
  ])('%s', (written, parts) => {
    expect(parseDate(written)).toEqual({ 'date-parts': [parts] })
  })

  it.each([
    '',
    'yesterday',
    '05/04/2019',
    '2019-13-01',
    '2019-02-30',
    '0001-01-01',
    '99999999',
    '2019-11-18-7',
  ])('is none where it is not sure: %s', (written) => {
    expect(parseDate(written)).toBeUndefined()
  })
})
