import { describe, expect, it } from 'vitest'
import { findShortAnswer } from './short-answer.ts'

describe('findShortAnswer', () => {
  it.each([
    ['Who coined the word?', 'The word was coined by Ann Lee in 1898 [2].', '"Ann Lee" [2].'],
    [
      'Who found radium?',
      'Marie and Pierre Curie found radium in 1898 [1].',
      '"Marie and Pierre Curie" [1].',
    ],
    ['When was it built?', 'It was built on 4 May 1820 [1].', '"4 May 1820" [1].'],
    ['In which year was it built?', 'It was built on 4 May 1820 [1].', '"1820" [1].'],
    ['Where was Tom Rey from?', 'Tom Rey was a judge from Bath, Maine [3].', '"Bath, Maine" [3].'],
    [
      'How many species of fish live there?',
      'The reef has 400 kinds of coral and about 1,500 species of fish [1].',
      '"about 1,500 species" [1].',
    ],
    ['How deep is the lake?', 'The lake is 41 metres deep [1].', '"41 metres" [1].'],
    [
      'The film was screened at which film festival?',
      'It was screened at the 2016 Cannes Film Festival and won [1].',
      '"2016 Cannes Film Festival" [1].',
    ],
    [
      'Tom Rey plays a judge in a film directed by who?',
      'Red Mill is a film directed by Ann Lee and written by Bob Orr [1].',
      '"Ann Lee" [1].',
    ],
  ])('%s', (question, sentence, expected) => {
    expect(findShortAnswer(question, [sentence])).toBe(expected)
  })

  it.each([
    ['Who found it?', 'She and her husband Tom Rey found it [1].'],
    ['When did it last?', 'It lasted from 1918 to 1920 [1].'],
    ['Why did it fail?', 'It failed because Tom Rey left in 1820 [1].'],
    ['Who built it?', 'Ann Lee did not build it [1].'],
    ['How many people died?', 'Estimates name 17 million people and 50 million people [1].'],
  ])('gives none where the words alone would mislead: %s %s', (question, sentence) => {
    expect(findShortAnswer(question, [sentence])).toBeUndefined()
  })

  it('gives none where two sentences differ', () => {
    const sentences = ['It was built in 1820 [1].', 'It was built in 1830 [2].']
    expect(findShortAnswer('When was it built?', sentences)).toBeUndefined()
  })
})
