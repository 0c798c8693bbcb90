import { describe, expect, it } from 'vitest'
import { splitClaims } from '../parse-claims.ts'
import { editSentences } from './edit-sentences.ts'

/** The answer without the sentences that contain a word, or with them replaced. */
const edited = (answer: string, word: string, replacement: string | null = null) =>
  editSentences(
    answer,
    splitClaims(answer)
      .filter(({ text }) => text.includes(word))
      .map(({ start, end }) => ({ start, end, replacement })),
  )

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
