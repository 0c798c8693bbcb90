import { describe, expect, it } from 'vitest'
import { citationName } from './citation-parameters.ts'

describe('the name of a parameter', () => {
  it.each([
    ['url', 'citation'],
    ['urls', 'citations'],
    ['page_url', 'page_citation'],
    ['page_urls', 'page_citations'],
    ['url_list', 'citation_list'],
    ['urlList', 'citationList'],
    ['pageUrl', 'pageCitation'],
    ['pageURL', 'pageCitation'],
    ['pageURLs', 'pageCitations'],
    ['baseUrls', 'baseCitations'],
    ['URL', 'CITATION'],
    ['PAGE_URL', 'PAGE_CITATION'],
    ['Url', 'Citation'],
    ['url-2', 'citation-2'],
    ['url_to_fetch', 'citation_to_fetch'],
  ])('%s is shown as %s', (name, shown) => {
    expect(citationName(name)).toBe(shown)
  })

  it.each([
    'curl_cmd',
    'curl',
    'hurl',
    'hurls',
    'furlong',
    'link',
    'query',
    'url_pattern',
    'urlCount',
    'include_url_types',
    '',
  ])('%s is no address', (name) => {
    expect(citationName(name)).toBeUndefined()
  })
})
