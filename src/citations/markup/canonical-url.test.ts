import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonicalUrl, toCitableUrl, toSiteName } from './canonical-url.ts'

describe('the key of an address', () => {
  it.each([
    ['case of scheme and host', 'HTTPS://Example.ORG/Path', 'https://example.org/Path'],
    ['a default port', 'https://a.com:443/x', 'https://a.com/x'],
    ['the slash of a bare host', 'https://a.com', 'https://a.com/'],
    ['dot segments', 'https://a.com/b/../c/./d', 'https://a.com/c/d'],
    ['a fragment', 'https://a.com/x#part', 'https://a.com/x'],
    ['an empty query', 'https://a.com/x?', 'https://a.com/x'],
    ['tracking', 'https://a.com/x?utm_source=y&id=1&fbclid=z', 'https://a.com/x?id=1'],
    ['needless encoding', 'https://a.com/%7Eme/%41?q=%2d', 'https://a.com/~me/A?q=-'],
    ['the case of encoding', 'https://a.com/%c3%a4', 'https://a.com/ä'],
    ['the writing of a host', 'https://münchen.de/', 'https://xn--mnchen-3ya.de/'],
  ])('passes over %s', (_name, one, other) => {
    expect(canonicalUrl(one)).toBe(canonicalUrl(other))
    expect(canonicalUrl(one)).toBeDefined()
  })

  it.each([
    ['schemes', 'http://a.com/', 'https://a.com/'],
    ['www', 'https://www.a.com/', 'https://a.com/'],
    ['ports', 'https://a.com:8443/', 'https://a.com/'],
    ['a slash at the end', 'https://a.com/x/', 'https://a.com/x'],
    ['the order of parameters', 'https://a.com/?a=1&b=2', 'https://a.com/?b=2&a=1'],
    ['pages of an application', 'https://a.com/#/one', 'https://a.com/#/two'],
    ['what is encoded for a reason', 'https://a.com/a%2Fb', 'https://a.com/a/b'],
    ['users', 'https://one@a.com/', 'https://a.com/'],
  ])('tells %s apart', (_name, one, other) => {
    expect(canonicalUrl(one)).not.toBe(canonicalUrl(other))
  })

  it('is its own key', () => {
    const key = canonicalUrl('HTTP://A.com:80/x/../%7e?b=%c3&utm_id=1#top') ?? ''
    expect(canonicalUrl(key)).toBe(key)
  })

  it.each([
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      'ftp://a.com/',
    ],
    ...['//a.com/', 'https:/a.com', 'https://', 'http://%', 'a.com', '', 'java\nscript:x'],
  ])('is none for %j', (written) => {
    expect(canonicalUrl(written)).toBeUndefined()
    expect(toCitableUrl(written)).toBeUndefined()
  })
})

it('an address as citations keep it hides nothing and ends nowhere early', () => {
  expect(toCitableUrl('HTTPS://a.com/a b"<c>\u202e\u0007`{|}')).toBe(
    'https://a.com/a%20b%22%3Cc%3E%E2%80%AE%07%60%7B%7C%7D',
  )
  expect(toCitableUrl('https://a.com/\ud800')).toBe('https://a.com/\ufffd')
  expect(toSiteName('https://www.google.com@evil.example/x')).toBe('evil.example')
})

describe.skipIf(!process.env.SCHOLIUM_DATA)(
  'browsers’ test of addresses (needs SCHOLIUM_DATA)',
  () => {
    it('has the same key for each address and its normal form, and none for what is refused', () => {
      const path = '06-conformance/wpt-url/tests/wpt/urltestdata.json'
      const cases = JSON.parse(
        readFileSync(join(process.env.SCHOLIUM_DATA ?? '', path), 'utf8'),
      ) as (string | { readonly input: string; readonly href?: string; readonly failure?: true })[]
      const tried = cases.flatMap((one) =>
        // A browser drops tabs and line breaks and turns backslashes; a citation is taken as it stands.
        typeof one === 'string' || !/^https?:\/\/[^\t\n\r\\]*$/i.test(one.input) ? [] : [one],
      )
      expect(tried.length).toBeGreaterThan(300)
      for (const { input, href = '' } of tried) {
        expect([input, canonicalUrl(input)]).toEqual([input, canonicalUrl(href)])
      }
    })
  },
)
