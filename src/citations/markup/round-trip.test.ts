import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CitedText } from './cited-text.ts'
import { parseCitations } from './parse-citations.ts'
import { renderHtml, renderMarkdown, renderNotes, renderTerminalLinks } from './render.ts'
import { renderForModel } from './stored-text.ts'

const pieces = [
  ...['https://a.com/x', 'https://b.com/y_(z)', 'http://c.org?q=1&amp;r=2', '<https://d.net/p>'],
  ...[
    '[1]',
    '[2]',
    '[3]',
    '[1, 2]',
    '[1–3]',
    '[7]',
    '[name]',
    '[^n]',
    '[words][name]',
    '[words][1]',
  ],
  ...[
    '[!CITE_1!]',
    '[!CITE_2!]',
    '[!CITE_9!]',
    '[see](https://a.com/x)',
    '[t](<https://e.f/(> "T")',
  ],
  ...['\n[1]: https://a.com/x\n', '\n[2]: <https://b.com> "B"\n', '\n[name]: https://n.com\n'],
  ...[
    '\n[!CITE_9!]: https://z.com\n',
    '\n[!CITE_2!]: [!CITE_1!]\n',
    '\n[3] https://t.com # note\n',
  ],
  ...[
    '\n[^n]: Words, https://foot.com.\n',
    '\n## Sources\n',
    '\n- ',
    '\n> ',
    '\n1. ',
    '\n    ',
    '\n\n',
  ],
  ...[
    '`',
    '``',
    '\n```\n',
    '\n~~~\n',
    '![i](https://i.com/p.png)',
    '![i][1]',
    '[',
    ']',
    '(',
    ')',
    '!',
  ],
  ...[
    '<c idx="1">',
    "<a href='https://a.com/x'>",
    '<q url="https://u.com?a=1&b=2">',
    '<c idx="9"/>',
    '<',
  ],
  ...[
    'word',
    ' ',
    '.',
    ',',
    ';',
    ':',
    '"',
    '*',
    '_',
    '\\',
    '/',
    '中文',
    '\u202e',
    '\u0007',
    'arr',
    '|',
    '&amp;',
  ],
  ...[
    'https://',
    'HTTPS://A.com',
    'https://x%',
    '(https://p.com)',
    '](https://q.com)',
    '][1]',
    '[]',
    '\t',
    'x',
  ],
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((chosen) => chosen.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
/** SCHOLIUM_PROPERTY_RUNS=100000 tries as many. */
const runs = { numRuns: Number(process.env.SCHOLIUM_PROPERTY_RUNS ?? 3_000) }
const isKnown = (n: number) => n === 7

function cites({ entries }: CitedText): readonly (string | undefined)[] {
  return entries.map(({ url }) => url)
}

describe('a text that was parsed', () => {
  it('is the same after it was rendered as Markdown and parsed again', () => {
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseCitations(written)
        // "[2]: [words]" with linked words is a definition to whoever reads it next.
        fc.pre(!/^[\s>*+\d.)-]*\[[^\]]*\]:?\s*\[/m.test(parsed.text))
        const again = parseCitations(renderMarkdown(parsed.text, parsed.entries))
        expect(again.text).toBe(parsed.text)
        expect(cites(again)).toEqual(cites(parsed))
      }),
      runs,
    )
  })

  it('cites the same after it was rendered with notes and parsed again', () => {
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseCitations(written)
        // A number that the notes give may make such a line a definition.
        fc.pre(!/\[!CITE_\d+!\]:\s*\[!CITE_/.test(parsed.text))
        const again = parseCitations(renderNotes(parsed.text, parsed.entries))
        expect(cites(again)).toEqual(cites(parsed))
        const third = parseCitations(renderNotes(again.text, again.entries))
        expect(third.text).toBe(again.text)
      }),
      runs,
    )
  })

  it('cites the same after a model has seen and repeated it', () => {
    fc.assert(
      fc.property(text, (written) => {
        const parsed = parseCitations(written)
        const numbers = parsed.entries.map((_entry, index) => 40 + index)
        const shown = renderForModel(parsed.text, numbers)
        // Such a line is a definition, whoever wrote it.
        fc.pre(!/^[\s>*+\d.-]*\[!CITE_\d+!\]:\s*\[!CITE_\d+!\]\s*$/m.test(shown))
        const again = parseCitations(shown, (n) => numbers.includes(n))
        const mentioned = again.entries.map(({ n }) => (n ?? 0) - 39)
        const same = parsed.entries.map((_entry, index) => index + 1)
        expect(renderForModel(again.text, mentioned)).toBe(renderForModel(parsed.text, same))
      }),
      runs,
    )
  })
})

describe('renumbering', () => {
  it('is simultaneous: there and back is where it was', () => {
    const shuffled = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 5 })
    const stored = fc
      .array(
        fc.constantFrom(
          '[!CITE_1!]',
          '[!CITE_2!]',
          '[w][!CITE_3!]',
          '<c idx="4">',
          '[!CITE_5!]',
          ' a ',
        ),
      )
      .map((parts) => parts.join(' '))
    fc.assert(
      fc.property(stored, shuffled, (written, numbers) => {
        const back = [1, 2, 3, 4, 5].map((n) => numbers.indexOf(n) + 1)
        expect(renderForModel(renderForModel(written, numbers), back)).toBe(written)
      }),
      runs,
    )
  })
})

describe('any text', () => {
  it('is parsed and rendered without an error', () => {
    fc.assert(
      fc.property(text, fc.boolean(), (written, isPlain) => {
        const { text: stored, entries } = parseCitations(written, isKnown)
        renderForModel(stored, [1])
        for (const given of [stored, written]) {
          renderMarkdown(given, entries)
          renderHtml(given, entries)
          renderTerminalLinks(given, entries, isPlain)
        }
      }),
      runs,
    )
  })
})
