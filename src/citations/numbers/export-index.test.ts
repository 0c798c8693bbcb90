import { describe, expect, it } from 'vitest'
import type { SourceId } from '../source.ts'
import { CitationIndex } from './citation-index.ts'
import {
  exportIndex,
  indexToCsl,
  indexToCsv,
  indexToMarkdown,
  summarizeIndex,
} from './export-index.ts'

function example(): CitationIndex {
  const index = new CitationIndex()
  index.add({
    url: 'https://www.a.org/x',
    title: 'A "quoted", long\ntitle',
    tags: ['web', 'read'],
    metadata: { year: 2020 },
  })
  index.add({ sourceId: 'b'.repeat(64) as SourceId, title: 'A [file] of <b>mine</b>' })
  index.add({ url: 'https://c.org/', tags: ['web'] })
  return index
}

describe('as Markdown', () => {
  it('an index is a numbered list with links where there are addresses', () => {
    expect(indexToMarkdown(example().entries)).toBe(
      [
        '1. [A "quoted", long title](<https://www.a.org/x>)',
        '2. A \\[file\\] of \\<b\\>mine\\</b\\>',
        '3. [https://c.org/](<https://c.org/>)',
        '',
      ].join('\n'),
    )
  })

  it('links nothing but http and https', () => {
    const index = new CitationIndex()
    index.add({ url: 'javascript:alert(1)', title: 'x' })
    index.add({ url: 'https://a.org/>)(javascript:alert(1)', title: 'y' })
    const text = indexToMarkdown(index.entries)
    expect(text).toBe('1. x\n2. [y](<https://a.org/%3E)(javascript:alert(1)>)\n')
  })

  it('of nothing is empty', () => {
    expect(indexToMarkdown([])).toBe('')
  })
})

describe('as CSV', () => {
  it('an index is one row for each entry, quoted where it must be', () => {
    const rows = indexToCsv(example().entries).split('\r\n')
    expect(rows).toEqual([
      'n,title,url,source_id,aliases,tags,metadata',
      '1,"A ""quoted"", long\ntitle",https://www.a.org/x,,,web; read,"{""year"":2020}"',
      `2,A [file] of <b>mine</b>,,${'b'.repeat(64)},,,`,
      '3,,https://c.org/,,,web,',
      '',
    ])
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =cmd|x', '\r=1'])(
    'takes %j for text',
    (title) => {
      const index = new CitationIndex()
      index.add({ url: 'https://a.org/', title })
      expect(indexToCsv(index.entries)).toContain(`1,"'${title}",https`)
    },
  )
})

describe('as CSL-JSON', () => {
  it('an index gives the records that were read, and what is known of addresses', () => {
    const index = example()
    index.annotate(2, { csl: { id: 'b', type: 'book', title: 'The Book', DOI: '10.1/b' } })
    expect(indexToCsl(index.entries)).toEqual([
      {
        id: 'citation-1',
        type: 'webpage',
        title: 'A "quoted", long\ntitle',
        URL: 'https://www.a.org/x',
      },
      { id: 'b', type: 'book', title: 'The Book', DOI: '10.1/b' },
      { id: 'citation-3', type: 'webpage', URL: 'https://c.org/' },
    ])
  })
})

describe('the summary', () => {
  it('counts and names the entries, one line each', () => {
    expect(summarizeIndex(example().entries)).toBe(
      [
        '3 sources: 2 with an address, 1 without; tags: web (2), read (1)',
        '[1] A "quoted", long title, a.org',
        '[2] A [file] of <b>mine</b>',
        '[3] https://c.org/, c.org',
      ].join('\n'),
    )
    expect(summarizeIndex([])).toBe('0 sources: 0 with an address, 0 without')
  })

  it('shows no escape sequences', () => {
    const index = new CitationIndex()
    index.add({ url: 'https://a.org/', title: 'x\u001b]8;;evil\u0007\u202ey' })
    expect(summarizeIndex(index.entries)).toContain('[1] x ]8;;evil y, a.org')
  })
})

describe('exportIndex', () => {
  it('gives each form', () => {
    const { entries } = example()
    expect(exportIndex(entries, 'markdown')).toBe(indexToMarkdown(entries))
    expect(exportIndex(entries, 'csv')).toBe(indexToCsv(entries))
    expect(JSON.parse(exportIndex(entries, 'csl'))).toEqual(indexToCsl(entries))
    expect(CitationIndex.fromJSON(JSON.parse(exportIndex(entries, 'json'))).entries).toEqual(
      entries,
    )
  })
})
