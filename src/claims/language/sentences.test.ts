import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitSentences } from './sentences.ts'

const sentencesOf = (text: string) =>
  splitSentences(text).map(({ start, end }) => text.slice(start, end))

describe('splitSentences', () => {
  it.each([
    ['plain sentences', 'It was. It is! Is it? Yes.', ['It was.', 'It is!', 'Is it?', 'Yes.']],
    ['no end mark', 'First one. and no more', ['First one. and no more']],
    [
      'titles and initials',
      'Dr. J. A. Doudna won. She did.',
      ['Dr. J. A. Doudna won.', 'She did.'],
    ],
    ['a unit like a title', 'It took 5 ms. In mice less.', ['It took 5 ms.', 'In mice less.']],
    ['et al.', 'Jinek et al. (2012) cut it. Good.', ['Jinek et al. (2012) cut it.', 'Good.']],
    [
      'et al. at the end',
      'So did Jinek et al. The rest followed.',
      ['So did Jinek et al.', 'The rest followed.'],
    ],
    [
      'figures and numbers',
      'See Fig. 3 and No. 5, pp. 7. Then go.',
      ['See Fig. 3 and No. 5, pp. 7.', 'Then go.'],
    ],
    ['No as an answer', 'Is it so? No. It was not.', ['Is it so?', 'No.', 'It was not.']],
    [
      'decimals and versions',
      'It is 3.14 in Node.js 22.18 now. Yes.',
      ['It is 3.14 in Node.js 22.18 now.', 'Yes.'],
    ],
    [
      'abbreviated states',
      'The U.S. Congress met in the U.S. The bill fell.',
      ['The U.S. Congress met in the U.S.', 'The bill fell.'],
    ],
    [
      'e.g. and i.e.',
      'Use it, e.g. Cas9, i.e. The enzyme.',
      ['Use it, e.g. Cas9, i.e. The enzyme.'],
    ],
    [
      'species',
      'Then C. elegans and E. coli grew. They did.',
      ['Then C. elegans and E. coli grew.', 'They did.'],
    ],
    [
      'a small first letter that is a name',
      'It rose. mRNA fell. p53 did not.',
      ['It rose.', 'mRNA fell.', 'p53 did not.'],
    ],
    [
      'dots that go on',
      'And so ... it went on… for long. End.',
      ['And so ... it went on… for long.', 'End.'],
    ],
    [
      'quotations',
      '"It works!" he said. "Good." She left.',
      ['"It works!" he said.', '"Good."', 'She left.'],
    ],
    ['brackets', '(See above.) Then go on.', ['(See above.)', 'Then go on.']],
    [
      'German dates and centuries',
      'Am 15. März und im 19. Jahrhundert war es so. Es waren 15. Der Rest ging.',
      ['Am 15. März und im 19. Jahrhundert war es so.', 'Es waren 15.', 'Der Rest ging.'],
    ],
    [
      'German abbreviations',
      'Siehe Nr. 5 und Abb. 3. Es sind 1,3 Mio. Tiere, z. B. Katzen. Gut.',
      ['Siehe Nr. 5 und Abb. 3.', 'Es sind 1,3 Mio. Tiere, z. B. Katzen.', 'Gut.'],
    ],
    ['no spaces between', '他说。好！再见', ['他说。', '好！', '再见']],
  ])('knows %s', (_what, text, expected) => {
    expect(sentencesOf(text)).toEqual(expected)
  })

  it.each([
    ['It was seen. [12] The rest.', ['It was seen. [12]', 'The rest.']],
    ['It was seen.[1, 3] The rest.', ['It was seen.[1, 3]', 'The rest.']],
    ['It was seen [12]. The rest.', ['It was seen [12].', 'The rest.']],
    ['It was seen. [1] [2] The rest.', ['It was seen. [1] [2]', 'The rest.']],
    ['It was seen. [3] showed that.', ['It was seen.', '[3] showed that.']],
    ['It was seen.12,13 The rest.', ['It was seen.12,13', 'The rest.']],
    ['It was 4.12 The rest.', ['It was 4.12 The rest.']],
  ])('leaves citation marks with their sentence: %s', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected)
  })

  it('ends a sentence at blank lines, items and headings, but not where a line is wrapped', () => {
    const text =
      '# A heading: no end\nOne\nwrapped line\n\nAnother\n- item one\n- item two. More\n1. First\n2. Second'
    expect(sentencesOf(text)).toEqual([
      '# A heading: no end',
      'One\nwrapped line',
      'Another',
      '- item one',
      '- item two.',
      'More',
      '1. First',
      '2. Second',
    ])
  })

  it('leaves out white space only, in order, for any text', () => {
    const pieces = fc.constantFrom(
      'a',
      'Dr',
      ' ',
      '\n',
      '.',
      '!',
      '?',
      '"',
      '[1]',
      '#',
      '- ',
      'é',
      '。',
      '😀',
      '\u0000',
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        let covered = 0
        for (const { start, end } of splitSentences(text)) {
          expect(text.slice(covered, start).trim()).toBe('')
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
          expect(end).toBeGreaterThan(start)
          covered = end
        }
        expect(text.slice(covered).trim()).toBe('')
      }),
    )
  })
})
