import { describe, expect, it } from 'vitest'
import type { SourceId } from '../source.ts'
import { CitationIndex, mergeIndexes } from './citation-index.ts'

const source = (letter: string) => letter.repeat(64) as SourceId

function indexOf(...urls: string[]): CitationIndex {
  const index = new CitationIndex()
  for (const url of urls) index.add({ url })
  return index
}

describe('numbers', () => {
  it('go from 1 without gaps in the order of adding', () => {
    const index = new CitationIndex()
    expect(index.size).toBe(0)
    const urls = ['https://b.org/', 'https://a.org/', 'https://c.org/']
    expect(urls.map((url) => index.add({ url }).n)).toEqual([1, 2, 3])
    expect(index.entries.map(({ n, url }) => [n, url])).toEqual(urls.map((url, i) => [i + 1, url]))
  })

  it('are the same for one address in other spellings, and others for other addresses', () => {
    const index = indexOf('https://a.org/x')
    expect(index.add({ url: 'HTTPS://A.org:443/x?utm_source=m#part' }).n).toBe(1)
    expect(index.entry(1)?.url).toBe('https://a.org/x')
    expect(index.add({ url: 'https://a.org/X' }).n).toBe(2)
    expect(index.add({ url: 'https://a.org/x?page=2' }).n).toBe(3)
  })

  it('are the same for one source, and for an address before and after it is read', () => {
    const index = indexOf('https://a.org/')
    const read = index.add({ url: 'https://a.org/', sourceId: source('a'), title: 'A' })
    expect(read).toEqual({ n: 1, url: 'https://a.org/', sourceId: source('a'), title: 'A' })
    expect(index.add({ sourceId: source('a') }).n).toBe(1)
    expect(index.add({ sourceId: source('b') }).n).toBe(2)
  })

  it('of a page that has changed are others, with the same address, which is found under the first', () => {
    const index = new CitationIndex()
    index.add({ url: 'https://a.org/', sourceId: source('a') })
    expect(index.add({ url: 'https://a.org/', sourceId: source('b') })).toEqual({
      n: 2,
      url: 'https://a.org/',
      sourceId: source('b'),
    })
    expect(index.lookup('https://a.org/')).toBe(1)
    expect(index.add({ url: 'https://a.org/#x', sourceId: source('b') })).toEqual(index.entry(2))
    const again = CitationIndex.fromJSON(index.toJSON())
    expect(again.entries).toEqual(index.entries)
    expect(again.lookup('https://a.org/')).toBe(1)
  })

  it('are found by address, alias and source id', () => {
    const index = indexOf('https://a.org/', 'https://b.org/')
    index.add({ sourceId: source('c'), url: 'https://c.org/' })
    expect(index.lookup('https://b.org')).toBe(2)
    expect(index.lookup(source('c'))).toBe(3)
    expect(index.lookup('https://c.org/#top')).toBe(3)
    expect(index.lookup('https://d.org/')).toBeUndefined()
    expect(index.lookup('')).toBeUndefined()
  })

  it.each([0, 3, -1, 1.5, Number.NaN])('that were not minted stand for nothing: %d', (n) => {
    const index = indexOf('https://a.org/', 'https://b.org/')
    expect(index.entry(n)).toBeUndefined()
    for (const use of [() => index.alias(n, 'https://x.org/'), () => index.annotate(n, {})])
      expect(use).toThrow('Numbers go from 1 to 2.')
  })

  it('need an address or a source', () => {
    expect(() => new CitationIndex().add({ title: 'nothing' })).toThrow('a URL or a source id')
  })
})

describe('what belongs to a number', () => {
  it('can be another address, which no other number has', () => {
    const index = indexOf('https://a.org/', 'https://b.org/')
    expect(index.alias(1, 'https://doi.org/10.1/a').aliases).toEqual(['https://doi.org/10.1/a'])
    expect(index.alias(1, 'https://DOI.org/10.1/a').aliases).toHaveLength(1)
    expect(index.add({ url: 'https://doi.org/10.1/a' }).n).toBe(1)
    expect(() => index.alias(1, 'https://b.org')).toThrow('has the number 2')
  })

  it('is the first address and the others where one source was read at several', () => {
    const index = new CitationIndex()
    index.add({ sourceId: source('a'), url: 'https://a.org/' })
    index.add({ sourceId: source('a'), url: 'https://mirror.org/a' })
    expect(index.entry(1)).toMatchObject({
      url: 'https://a.org/',
      aliases: ['https://mirror.org/a'],
    })
    expect(index.lookup('https://mirror.org/a')).toBe(1)
  })

  it('is added to and, by annotating, changed', () => {
    const index = new CitationIndex()
    const url = 'https://a.org/'
    index.add({ url, title: 'First', tags: ['web'], metadata: { by: 'search', rank: 1 } })
    index.add({ url, title: 'Second', tags: ['read', 'web'], metadata: { rank: 2, seen: true } })
    expect(index.entry(1)).toMatchObject({
      title: 'First',
      tags: ['web', 'read'],
      metadata: { by: 'search', rank: 1, seen: true },
    })
    index.annotate(1, { title: 'Third', tags: ['kept'], metadata: { rank: 3 } })
    expect(index.entry(1)).toMatchObject({
      title: 'Third',
      tags: ['web', 'read', 'kept'],
      metadata: { by: 'search', rank: 3, seen: true },
    })
  })

  it('is found by tags and by metadata', () => {
    const index = new CitationIndex()
    index.add({ url: 'https://a.org/', tags: ['x'], metadata: { year: 2020, of: { a: 1, b: 2 } } })
    index.add({ url: 'https://b.org/', tags: ['x', 'y'], metadata: { year: 2020 } })
    index.add({ url: 'https://c.org/' })
    const numbers = (found: readonly { n: number }[]) => found.map(({ n }) => n)
    expect(numbers(index.findByTag('x'))).toEqual([1, 2])
    expect(numbers(index.findByTags(['x', 'y']))).toEqual([2])
    expect(numbers(index.findByTag('z'))).toEqual([])
    expect(numbers(index.findByMetadata({ year: 2020 }))).toEqual([1, 2])
    expect(numbers(index.findByMetadata({ year: 2020, of: { b: 2, a: 1 } }))).toEqual([1])
    expect(numbers(index.findByMetadata({ toString: null }))).toEqual([])
  })
})

describe('an index', () => {
  it('continues from its JSON', () => {
    const index = indexOf('https://a.org/')
    index.add({ sourceId: source('b'), title: 'B', tags: ['x'], metadata: { k: [1, null] } })
    index.alias(1, 'https://alias.org/')
    const again = CitationIndex.fromJSON(JSON.parse(JSON.stringify(index)))
    expect(again.entries).toEqual(index.entries)
    expect(again.lookup('https://alias.org')).toBe(1)
    expect(again.add({ sourceId: source('b') }).n).toBe(2)
    expect(again.add({ url: 'https://c.org/' }).n).toBe(3)
    expect(index.size).toBe(2)
  })

  it('does not begin with numbers that have gaps', () => {
    const gap = [{ n: 2, url: 'https://a.org/' }]
    expect(() => CitationIndex.fromJSON(gap)).toThrow('cannot continue with number 2 after 0')
  })

  it('has copies that go their own way', () => {
    const index = indexOf('https://a.org/')
    const copy = index.copy()
    copy.add({ url: 'https://b.org/' })
    copy.annotate(1, { title: 'A' })
    expect(index.entries).toEqual([{ n: 1, url: 'https://a.org/' }])
  })

  it('takes another in and tells the number here for each there', () => {
    const index = indexOf('https://a.org/', 'https://b.org/')
    const other = indexOf('https://c.org/', 'https://b.org/#x', 'https://a.org/', 'https://d.org/')
    expect([...index.merge(other)]).toEqual([
      [1, 3],
      [2, 2],
      [3, 1],
      [4, 4],
    ])
    expect(index.size).toBe(4)
  })

  it('takes branches in by their order, whichever was done first', () => {
    const start = indexOf('https://a.org/')
    const branches = ['b', 'c'].map((name) => {
      const branch = start.copy()
      branch.add({ url: `https://${name}.org/` })
      return branch.toJSON()
    })
    const merged = branches.reduce(mergeIndexes, start.toJSON())
    expect(merged.map(({ url }) => url)).toEqual([
      'https://a.org/',
      'https://b.org/',
      'https://c.org/',
    ])
  })
})
