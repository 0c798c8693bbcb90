import { describe, expect, it } from 'vitest'
import type { CitedSource, Claim } from '../claim.ts'
import { passageId, type SourceId } from '../source.ts'
import { charLocations, citedBlocks, urlCitations } from './annotations.ts'
import { parseCitations } from './parse-citations.ts'
import { renderHtml, renderMarkdown, renderNotes, renderTerminalLinks } from './render.ts'
import { renderForModel } from './stored-text.ts'

const entries = [
  { url: 'https://www.a.com/x_(y)', label: 'A "title"', note: 'seen in May' },
  { url: 'https://b.com/?q=1&r=2' },
  { n: 7 },
]

describe('for a model', () => {
  it('local numbers become global ones at once, and others stay', () => {
    const text =
      '[!CITE_1!] [!CITE_2!] [two][!CITE_2!] <c idx="1"/> [!CITE_3!] [1] `[!CITE_1!]` \\[!CITE_1!\\]'
    expect(renderForModel(text, [2, 1])).toBe(
      '[!CITE_2!] [!CITE_1!] [two][!CITE_1!] <c idx="2"/> [!CITE_3!] [1] `[!CITE_1!]` \\[!CITE_1!\\]',
    )
  })

  it('no address is left but in code', () => {
    const { text } = parseCitations(
      'https://a.com [b](https://b.com "x") <https://c.com> <a href="https://d.com">d</a> ![i](https://i.com/p)\n\n[1]: https://e.com',
    )
    expect(renderForModel(text, [1, 2, 3, 4, 5])).toBe(
      '[!CITE_1!] [b][!CITE_2!] [!CITE_3!] <a idx="4">d</a> ![i]()',
    )
  })
})

describe('as Markdown', () => {
  it('marks are links to their sites, links and attributes are restored', () => {
    const text = '[!CITE_2!] [words][!CITE_1!] <a idx="2"> <cite idx=\'1\'> [!CITE_9!] `[!CITE_1!]`'
    expect(renderMarkdown(text, entries)).toBe(
      '[b.com](https://b.com/?q=1&r=2) [words](https://www.a.com/x_(y) "A \\"title\\"") <a href="https://b.com/?q=1&r=2"> <cite url="https://www.a.com/x_(y)"> [!CITE_9!] `[!CITE_1!]`',
    )
  })

  it('a number without address is shown, an exclamation makes no image', () => {
    expect(renderMarkdown('x[!CITE_3!] y![!CITE_1!]', entries.slice(0, 3))).toBe(
      'x [7] y!<https://www.a.com/x_(y)>\n\n[1]: https://b.com/?q=1&r=2',
    )
  })

  it('what is only defined keeps a definition, under a number that is free', () => {
    expect(renderMarkdown('[1] x', entries)).toBe(
      '[1] x\n\n[2]: https://www.a.com/x_(y) "A \\"title\\""\n[3]: https://b.com/?q=1&r=2',
    )
  })

  it('an address that is none of http or https makes no link', () => {
    expect(renderMarkdown('x [!CITE_1!]', [{ url: 'javascript:alert(1)', n: 4 }])).toBe('x [4]')
  })
})

describe('with notes', () => {
  const text = 'One[!CITE_1!], [two][!CITE_2!], [3][!CITE_2!] and [2]. See[!CITE_3!](p. 4).'

  it('numbers are listed below, those that the text has itself are passed over', () => {
    expect(renderNotes(text, entries)).toBe(
      `One [1], two [4], [4] and [2]. See [5] (p. 4).

Sources

[1] A "title", https://www.a.com/x_(y) # seen in May
[4] https://b.com/?q=1&r=2
[5] source 7`,
    )
  })

  it('a terminal gets hyperlinks, or none', () => {
    const link = (words: string, url: string) =>
      `\u001b]8;;${url}\u001b\\${words}\u001b]8;;\u001b\\`
    const a = 'https://www.a.com/x_(y)'
    const cited = [{ url: 'https://www.a.com/x_(y)', label: 'A\u001b[2J' }]
    expect(renderTerminalLinks('[t\u001bo\u009b][!CITE_1!]\r', cited)).toBe(
      `${link('to', a)} ${link('[1]', a)}\n\nSources\n\n${link('[1]', a)} ${link(a, a)}`,
    )
    expect(renderTerminalLinks('[!CITE_1!]', [{ url: 'https://ä.de/ö' }])).toContain(
      link('[1]', 'https://xn--4ca.de/%C3%B6'),
    )
    expect(
      renderTerminalLinks('[two][!CITE_1!]', [{ url: 'https://ä.de/ö', label: 'A\u0007' }], true),
    ).toBe('two [1]\n\nSources\n\n[1] A, https://ä.de/ö')
  })
})

it('as HTML everything is escaped, and links lead to http and https', () => {
  expect(renderHtml('<b> & [t<i>][!CITE_2!] [!CITE_1!] [!CITE_3!] <a idx="1">', entries)).toBe(
    [
      '&lt;b&gt; &amp; <a href="https://b.com/?q=1&amp;r=2" rel="noopener noreferrer">t&lt;i&gt;</a>',
      '<a href="https://www.a.com/x_(y)" title="A &quot;title&quot;" rel="noopener noreferrer">a.com</a>',
      '[7] &lt;a href=&quot;https://www.a.com/x_(y)&quot;&gt;',
    ].join(' '),
  )
  expect(renderHtml('[x][!CITE_1!]', [{ url: 'data:text/html,x', n: 2 }])).toBe('x [2]')
})

describe('as the APIs of others say it', () => {
  const sourceId = 'a'.repeat(64) as SourceId
  const csl = { id: sourceId, type: 'document' }
  const citations: CitedSource[] = [
    { n: 1, sourceId, title: 'A page', url: 'https://a.com/1', csl },
    { n: 2, sourceId, title: 'A file', path: 'b.md', csl },
    { n: 4, sourceId, title: 'Another', url: 'https://b.com/2', csl },
  ]
  const evidence = [
    { n: 2, passageId: passageId(sourceId, 5, 9), quote: 'wet', start: 5, end: 8 },
    { n: 9, passageId: passageId(sourceId, 0, 1), quote: 'x', start: 0, end: 1 },
  ]
  const claim: Claim = {
    text: 'It is wet [2].',
    citations: [2],
    verdict: 'verbatim',
    evidence,
    judge: 'code',
    reason: '',
  }

  it('url_citation stands where the mark is', () => {
    const answer = '🌊 Water [1] is `[1]` wet [2][1, 4] arr[1] [3].'
    const found = urlCitations(answer, citations)
    expect(found.map(({ start_index, end_index }) => answer.slice(start_index, end_index))).toEqual(
      [...['[1]', '[1, 4]', '[1, 4]']],
    )
    expect(found[2]).toEqual({
      type: 'url_citation',
      start_index: 29,
      end_index: 35,
      title: 'Another',
      url: 'https://b.com/2',
    })
  })

  it('char_location stands where the source says it, in the part of the answer that rests on it', () => {
    expect(charLocations(claim, citations)).toEqual([
      {
        type: 'char_location',
        cited_text: 'wet',
        document_index: 1,
        document_title: 'A file',
        start_char_index: 5,
        end_char_index: 8,
      },
    ])
    const answer = 'Water: It is wet [2]. Surely.'
    const blocks = citedBlocks(answer, [claim, { ...claim, text: 'Not there.' }], citations)
    expect(blocks.map(({ text, citations: places }) => [text, places?.length])).toEqual([
      ['Water: ', undefined],
      ['It is wet [2].', 1],
      [' Surely.', undefined],
    ])
  })
})
