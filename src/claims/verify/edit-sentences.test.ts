import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStoredBlocks } from '../../citations/markup/stored-text.ts'
import { splitClaims } from '../check/parse-claims.ts'
import { editSentences, widenRemovals } from './edit-sentences.ts'

/** The answer without the sentences that contain a word, or with them replaced. */
const edited = (answer: string, word: string, replacement: string | null = null) =>
  editSentences(
    answer,
    splitClaims(answer)
      .filter(({ text }) => text.includes(word))
      .map(({ start, end }) => ({ start, end, replacement })),
  ).text

describe('editSentences', () => {
  it.each([
    ['the first sentence', 'BAD a [1]. B [2]. C [3].', 'B [2]. C [3].'],
    ['a sentence between', 'A [1]. BAD b [2]. C [3].', 'A [1]. C [3].'],
    ['the last sentence', 'A [1]. BAD b [2].\n\nC [3].', 'A [1].\n\nC [3].'],
    ['two that follow each other', 'A [1]. BAD b [2]. BAD c [2]. D [3].', 'A [1]. D [3].'],
    ['marks behind the full stop', 'A it is.[1] BAD b.[2] C is.[3]', 'A it is.[1] C is.[3]'],
    ['a sentence over two lines', 'A [1]. BAD b\ngoes on [2]. C [3].', 'A [1]. C [3].'],
    ['a line of a paragraph', 'A [1].\nBAD b [2].\nC [3].', 'A [1].\nC [3].'],
    ['a paragraph', 'A [1].\n\nBAD b [2].\n\nC [3].', 'A [1].\n\nC [3].'],
    ['the first paragraph', 'BAD a [1].\n\nB [2].', 'B [2].'],
    ['the last paragraph', 'A [1].\n\nBAD b [2].\n', 'A [1].\n'],
    ['a list item', '- A [1].\n- BAD b [2].\n- C [3].', '- A [1].\n- C [3].'],
    ['a numbered item', '1. A [1].\n2. BAD b [2].\n\nC [3].', '1. A [1].\n\nC [3].'],
    ['a ticked item', '- [x] BAD a [1].\n- [ ] B [2].', '- [ ] B [2].'],
    ['a sentence of an item', '- A [1]. BAD b [2].\n- C [3].', '- A [1].\n- C [3].'],
    ['the first of an item', '- BAD a [1]. B [2].', '- B [2].'],
    [
      'a row of a table',
      '| x | y |\n|---|---|\n| BAD | 1 [1] |\n| b | 2 [2] |',
      '| x | y |\n|---|---|\n| b | 2 [2] |',
    ],
    [
      'every row of a table',
      'A [1].\n\n| x | y |\n|---|---|\n| BAD | 1 [1] |\n| BAD | 2 [2] |\n\nC [3].',
      'A [1].\n\nC [3].',
    ],
    ['a line of a quotation', '> A is [1].\n> BAD b [2].\n> C is [3].', '> A is [1].\n> C is [3].'],
    ['what is emphasised', '**BAD a [1].** B [2].', 'B [2].'],
    ['one of two in one emphasis', '*BAD a. B [1].*', '*B [1].*'],
    ['both in one emphasis', 'A [1].\n\n*BAD a. BAD b [1].*', 'A [1].'],
    [
      'an item with a list',
      '- BAD one [1].\n    - Good two [1].\n      - Good four [2].\n    - Good three [2].\n- Last [1].',
      '- Good two [1].\n  - Good four [2].\n- Good three [2].\n- Last [1].',
    ],
    [
      'a numbered item with a list',
      '1. BAD one [1].\n     - Good two [1].\n     - Good three [2].\n2. Last [1].',
      '1. - Good two [1].\n   - Good three [2].\n2. Last [1].',
    ],
    [
      'an item with a paragraph',
      '1. BAD one [1].\n\n    Good para [1].\n\n    More [2].\n2. Last [1].',
      '1. Good para [1].\n\n   More [2].\n2. Last [1].',
    ],
    ['an item that goes on', '- BAD one [1].\n  Good two [1].\n- Last', '- Good two [1].\n- Last'],
    ['an item in a quotation', '> - BAD one [1].\n>   Good two [1].\n', '> - Good two [1].\n'],
    [
      'an item in a quotation with a list',
      '> - BAD one [1].\n>   - Good two [1].\n>\n> Good.',
      '> - Good two [1].\n>\n> Good.',
    ],
    ['a line before an indented one', 'BAD a [1].\n    Good goes on [1].', 'Good goes on [1].'],
    [
      'what emphasis opens',
      'The **BAD is here [1]. Good one** stands [1].',
      '**Good one** stands [1].',
    ],
    ['what emphasis closes', '*Good [1]. BAD* b [1]. C [2].', '*Good [1].* C [2].'],
    [
      'what both close and open',
      '**Good [1]. BAD** b *it is [2]. So it* is [3].',
      '**Good [1].** *So it* is [3].',
    ],
    ['what a bracket opens', 'Good: (BAD is so [1]. Good is so [2].)', '(Good is so [2].)'],
    ['what a bracket closes', 'Good (see this. BAD [1]).', 'Good (see this.)'],
    [
      'a link over two',
      'A [1]. [BAD b [2]. Good c](https://a.example) d [2].',
      'A [1]. [Good c](https://a.example) d [2].',
    ],
    ['what stands over a rule', 'BAD one [1].\n===\n\nGood [1].', 'Good [1].'],
    ['everything', 'BAD a [1]. BAD b [2].', ''],
    ['nothing', 'A [1].  B [2].\n\n\nC.', 'A [1].  B [2].\n\n\nC.'],
  ])('takes out %s', (_what, answer, expected) => {
    expect(edited(answer, 'BAD')).toBe(expected)
  })

  it.each([
    ['in a paragraph', 'A [1]. BAD b [2]. C [3].', 'Good [2].', 'A [1]. Good [2]. C [3].'],
    ['in a list', '- A [1].\n- BAD [2].', 'Good [2].', '- A [1].\n- Good [2].'],
    [
      'in a table',
      '| x | y |\n|---|---|\n| BAD | 1 [1] |',
      '| good | 1 [1] |',
      '| x | y |\n|---|---|\n| good | 1 [1] |',
    ],
    [
      'in an emphasis',
      'The **BAD one [1]. Good two** is [1].',
      'Right [2].',
      'Right [2]. **Good two** is [1].',
    ],
    ['with signs that mean something elsewhere', 'BAD [1].', '$& $1 [1].', '$& $1 [1].'],
  ])('replaces a sentence %s', (_where, answer, replacement, expected) => {
    expect(edited(answer, 'BAD', replacement)).toBe(expected)
  })

  it('leaves every other sentence as it is, and code, headings and links too', () => {
    const answer =
      '# Head\n\nA is [1]. BAD x [2]. See [this](https://a.example/b) for c [3].\n\n```\nBAD [4]\n```\n\n- d [5]\n- BAD e [6]\n'
    expect(edited(answer, 'BAD')).toBe(
      '# Head\n\nA is [1]. See [this](https://a.example/b) for c [3].\n\n```\nBAD [4]\n```\n\n- d [5]\n',
    )
    const kept = splitClaims(answer).filter(({ text }) => !text.includes('BAD'))
    const after = splitClaims(edited(answer, 'BAD')).map(({ text }) => text)
    expect(after).toEqual(kept.map(({ text }) => text))
  })
})

describe('a sentence that cannot stand without another', () => {
  const taken = (answer: string) =>
    editSentences(
      answer,
      splitClaims(answer).flatMap(({ text, start, end }) =>
        text.includes('BAD') ? [{ start, end, replacement: null }] : [],
      ),
    )

  it.each([
    [
      'would be a heading',
      'A [1].\n\nBAD [1]. # Good is good [1].\n\nC [2].',
      'A [1].\n\nC [2].',
      ['# Good is good [1].'],
    ],
    ['would be a list', 'BAD [1]. 1. Good is [1].\n\nC [2].', 'C [2].', ['1.', 'Good is [1].']],
  ])('goes with it, and is named: it %s', (_why, answer, text, lost) => {
    expect(taken(answer)).toEqual({ text, lost })
  })
})

describe('any answer', () => {
  const sentence = fc
    .constantFrom('BAD', 'Good')
    .chain((word) =>
      fc
        .tuple(fc.nat({ max: 99 }), fc.constantFrom('', '*', '**', '(', '“', ')', '”', '_'))
        .map(([n, mark]) => [word, n, mark] as const),
    )
  const written = fc.array(sentence, { minLength: 1, maxLength: 3 }).map((sentences) =>
    sentences
      .map(([word, n, mark]) => {
        const isOpening = /[*_(“]/.test(mark)
        return `${isOpening ? mark : ''}${word} thing ${n} is so${isOpening ? '' : mark} [1].`
      })
      .join(' '),
  )
  const line = fc
    .tuple(
      fc.constantFrom('', '', '- ', '1. ', '2) ', '> ', '  - ', '    - ', '    ', '> - ', '* [ ] '),
      written,
      fc.constantFrom('\n', '\n', '\n\n', '\n>\n'),
    )
    .map((parts) => parts.join(''))
  const answer = fc.array(line, { minLength: 1, maxLength: 7 }).map((lines) => lines.join(''))

  const codeOf = (text: string) =>
    readStoredBlocks(text)
      .spans.flatMap(({ kind, start, end }) => (kind === 'code' ? [text.slice(start, end)] : []))
      .join('')

  it('is without what goes, and has or names all that stays; none of it becomes code', () => {
    fc.assert(
      fc.property(answer, (given) => {
        const claims = splitClaims(given)
        const edits = claims
          .filter(({ text }) => text.includes('BAD'))
          .map(({ start, end }) => ({ start, end, replacement: null }))
        const { text, lost } = editSentences(given, edits)
        expect(text).not.toContain('BAD')
        const bare = (said: string) => said.match(/Good thing \d+/g) ?? []
        const stays = claims
          .filter((claim) => !claim.text.includes('BAD'))
          .flatMap((c) => bare(c.text))
        const found = [...splitClaims(text).map((claim) => claim.text), ...lost].flatMap(bare)
        expect(new Set(found)).toEqual(new Set(stays))
        const wasCode = new Set(bare(codeOf(given)))
        expect(bare(codeOf(text)).filter((good) => !wasCode.has(good))).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('widenRemovals', () => {
  it.each([
    [
      'a list item of which a sentence goes',
      '- **No backup tasks.** BAD flow. It takes 1283 seconds [1].\n- Other [1].',
      '- Other [1].',
      ['It takes 1283 seconds [1].'],
    ],
    ['what is nested in it', '- BAD a [1].\n  - B [1].\n- C [1].', '- C [1].', ['B [1].']],
    ['the nested item alone', '- A [1].\n  - BAD b [1]. C [1].', '- A [1].', ['C [1].']],
    ['the run-in heading of a paragraph', '**No tasks.** BAD a [1].\n\nB [1].', 'B [1].', []],
    ['no heading that still has a sentence', '**Run.** BAD a [1]. B [1].', '**Run.** B [1].', []],
    ['no neighbours in a paragraph', 'A [1]. BAD b [1].\n\n- C [1].', 'A [1].\n\n- C [1].', []],
  ])('takes %s', (_what, answer, text, lost) => {
    const edits = splitClaims(answer)
      .filter((claim) => claim.text.includes('BAD'))
      .map(({ start, end }) => ({ start, end, replacement: null }))
    const widened = widenRemovals(answer, edits)
    expect(widened.lost).toEqual(lost)
    expect(editSentences(answer, widened.edits)).toEqual({ text, lost: [] })
  })
})
