import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseCitations } from './parse-citations.ts'

const sections = [
  ...['Backslash escapes', 'Indented code blocks', 'Fenced code blocks', 'Code spans'],
  ...['Link reference definitions', 'Links', 'Images', 'Autolinks'],
]

/** Examples that are read otherwise, by what they start with. */
const otherwise = [
  // A bare address is a citation also where it makes no link.
  ...['\\*not emphasized*', '[link](https://e.org/url "title "and', '[link] (', '[link] bar]('],
  ...['<https://foo.bar/baz bim>', '< https://foo.bar >', 'https://example.com\n'],
  // What a label could not be, or a definition with more behind it: its address is one all the same.
  ...[
    "[foo]: https://e.org/url 'title\n\nwith",
    '[\nfoo\n]:',
    '[foo]: https://e.org/url "title" ok',
  ],
  ...['[foo][ref[]', '[foo][ref[bar]]', '[[[foo]]]', '[]\n\n[]:', '[\n ]\n\n[\n ]:', '![[foo]]'],
  // Where the words of a link cite already, both are citations.
  ...['[foo [bar](', '[foo *[bar [baz](', '![foo [bar]('],
  // A tag's attribute is taken to its address; a backslash in it is none that a browser would keep.
  ...['<a href="https://e.org/bar\\/)">'],
]

/** The examples of the specification, their paths made addresses, with the links that their HTML has. */
function examples(spec: string): { markdown: string; links: string[] }[] {
  const found: { markdown: string; links: string[] }[] = []
  let section = ''
  const pattern = /^#{1,6} (.*)$|^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm
  for (const [, title, markdown = '', html = ''] of spec.matchAll(pattern)) {
    section = title ?? section
    if (title !== undefined || !sections.includes(section)) continue
    const links = [...addressed(html).matchAll(/<a href="(https?:[^"]*)"/g)]
    found.push({ markdown: addressed(markdown), links: links.map(([, url = '']) => url) })
  }
  return found
}

function addressed(text: string): string {
  return text
    .replaceAll('→', '\t')
    .replace(/(?<![\w.:/%\\])\/(?=(?:uri|url\d?|bar)\b)/g, 'https://e.org/')
}

function cited(markdown: string): string[] {
  const { text, entries } = parseCitations(markdown)
  return [...text.matchAll(/(?<!\\)\[!CITE_(\d+)!\]/g)].map(
    ([, n]) => entries[Number(n) - 1]?.url ?? '',
  )
}

function normal(url: string): string {
  return new URL(url.replaceAll('&amp;', '&')).href.replaceAll('[', '%5B').replaceAll(']', '%5D')
}

describe.skipIf(!process.env.SCHOLIUM_DATA)('CommonMark’s examples (need SCHOLIUM_DATA)', () => {
  it('cite where the specification has links, but for those known', () => {
    const path = join(process.env.SCHOLIUM_DATA ?? '', '06-conformance/commonmark/spec.txt')
    const all = examples(readFileSync(path, 'utf8'))
    expect(all.length).toBeGreaterThan(200)
    const differing = all.filter(
      ({ markdown, links }) =>
        cited(markdown).map(normal).join('\n') !== links.map(normal).join('\n'),
    )
    const unknown = differing.filter(
      ({ markdown }) => !otherwise.some((start) => markdown.startsWith(start)),
    )
    expect(unknown).toEqual([])
    expect(differing).toHaveLength(otherwise.length)
  })
})
