import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { hostileUnits } from '../../../bench/citations/texts.ts'
import { renderPlain, renderTerminal } from '../../claims/render.ts'
import type { CitedEntry } from './cited-text.ts'
import { parseCitations } from './parse-citations.ts'
import { renderHtml, renderMarkdown, renderNotes, renderTerminalLinks } from './render.ts'
import { renderForModel } from './stored-text.ts'

/** The only sequences that a terminal may get: a hyperlink's start, to http or https in ASCII, and its end. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const hyperlinks = /\u001b\]8;;(?:https?:\/\/[!-~]+)?\u001b\\/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** What is wrong with how a text is shown; "" where nothing is. */
function fault(written: string): string {
  const { text, entries } = parseCitations(written, (n) => n === 1)
  renderForModel(text, [1])
  renderMarkdown(text, entries)
  // A stored text that someone else made, with entries that someone else made, is no safer.
  const given: CitedEntry[] = [{ url: written, label: written, note: written }, ...entries]
  for (const [stored, cited] of [
    [text, entries],
    [`[!CITE_1!] ${written}`, given],
  ] as const) {
    for (const isPlain of [true, false]) {
      const shown = renderTerminalLinks(stored, cited, isPlain)
      if (controls.test(isPlain ? shown : shown.replaceAll(hyperlinks, ''))) return 'terminal'
    }
    const found = faultOfHtml(renderHtml(stored, cited))
    if (found !== '') return found
  }
  return ''
}

function faultOfHtml(html: string): string {
  if (controls.test(html)) return 'control in HTML'
  // Nothing of it can become an element then, and there are tens of thousands to parse.
  if (!html.includes('<')) return ''
  const { document } = parseHTML(`<!doctype html><html><body><p>${html}</p></body></html>`)
  for (const element of document.querySelectorAll('body *, head *')) {
    const { tagName } = element
    if (tagName === 'P' && element.attributes.length === 0) continue
    if (tagName !== 'A') return `element ${tagName}`
    const names = [...element.attributes].map(({ name }) => name)
    if (names.some((name) => !['href', 'title', 'rel'].includes(name))) return `attributes ${names}`
    if (!/^https?:\/\//.test(element.getAttribute('href') ?? '')) return 'scheme'
    if (!element.getAttribute('rel')?.includes('noopener')) return 'rel'
  }
  return ''
}

const schemes = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' data:text/html,x',
]
const nasty = [
  ...[
    ...schemes,
    'vbscript:x',
    'file:///etc/passwd',
    '\u0001javascript:alert(1)',
    '//evil.example',
  ].flatMap((url) => [
    `[x](${url})`,
    `[x](<${url}>)`,
    `<${url}>`,
    `[1]\n\n[1]: ${url}`,
    `<a href="${url}">x</a>`,
  ]),
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](https://a.com/"onmouseover="alert(1))',
  '[x](https://a.com "\\"><script>alert(1)</script>")',
  'https://a.com/"><script>alert(1)</script>',
  '<a href="https://a.com/&quot;&gt;&lt;script&gt;">x</a>',
  '[<img src=x onerror=alert(1)>](https://a.com)',
  '[\u001b[2J\u001b]0;title\u0007](https://a.com/\u001b]8;;x\u0007)',
  'https://a.com/\u001b\\\u009b31m',
  '[words\u202eevil](https://a.com/\u202egpj.exe)',
  '\u001b]8;;file:///etc/passwd\u001b\\click\u001b]8;;\u001b\\ [1]\n\n[1]: https://a.com "\u001b[31m"',
  'a\rb\u0000c\u009dd\u2028e',
  '[!CITE_1!](javascript:alert(1)) <b idx="1" onclick="x">',
  '&#106;avascript: &lt;script&gt; [x](&#106;avascript:alert(1))',
]

describe('nasty text', () => {
  it.each(nasty)('%j is shown without harm', (written) => {
    expect(fault(written)).toBe('')
  })

  it.each(nasty)('%j as an answer is printed without harm', (written) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of the answer's own parts
    const shown = renderTerminal(written, []).replaceAll(/\u001b\[\d*m/g, '')
    expect(controls.test(shown)).toBe(false)
    expect(controls.test(renderPlain(written, []))).toBe(false)
  })

  it.each(hostileUnits)('200 KB of %j are read and shown', (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / unit.length))
    const { text: stored, entries } = parseCitations(text, (n) => n === 1)
    expect(renderForModel(stored, [1]).length).toBeLessThan(3 * text.length)
    expect(renderMarkdown(stored, entries).length).toBeGreaterThan(0)
    expect(renderNotes(stored, entries).length).toBeGreaterThan(0)
    expect(renderHtml(stored, entries)).not.toContain('<b')
  })
})

describe.skipIf(!process.env.SCHOLIUM_DATA)(
  'collections of nasty text (need SCHOLIUM_DATA)',
  () => {
    const folder = join(process.env.SCHOLIUM_DATA ?? '', '07-adversarial')

    function linesBelow(path: string): string[] {
      return readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:txt|md)$/.test(entry.name))
        .flatMap((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8').split('\n'))
    }

    it('the big list of naughty strings is shown without harm', () => {
      const list = JSON.parse(readFileSync(join(folder, 'blns.dev.json'), 'utf8')) as string[]
      expect(list.length).toBeGreaterThan(200)
      expect(list.filter((written) => fault(written) !== '')).toEqual([])
      expect(
        list.filter((written) => fault(`[${written}](https://a.com/${written})`) !== ''),
      ).toEqual([])
    })

    it('the payloads are shown without harm, each alone and all of a kind together', () => {
      const lines = [...new Set(linesBelow(join(folder, 'PayloadsAllTheThings')))]
      expect(lines.length).toBeGreaterThan(1000)
      const harmful = lines.filter((line) => fault(line) !== '')
      expect(harmful).toEqual([])
      expect(fault(lines.join('\n'))).toBe('')
    }, 120_000)
  },
)
