import { describe, expect, it } from 'vitest'
import { readQuestion } from './question.ts'

describe('readQuestion', () => {
  it.each([
    ['What is rust?', 'definition'],
    ['rust', 'definition'],
    ['Tell me about rust', 'definition'],
    ['How is the litre defined today?', 'definition'],
    ['Who was Ada Lovelace?', 'definition'],
    ['What does NASA stand for?', 'meaning'],
    ['Who invented the lamp?', 'person'],
    ['Which women have won?', 'person'],
    ['When was it built?', 'time'],
    ['In which year did Ann win?', 'time'],
    ['Where is the lake?', 'place'],
    ['Which country has most lakes?', 'place'],
    ['How many lakes are there?', 'amount'],
    ['How long is the river?', 'amount'],
    ['What is the speed of sound?', 'amount'],
    ['What percentage failed?', 'amount'],
    ['Why did it fail?', 'reason'],
    ['Did it fail?', 'yes-no'],
    ['How does a lamp work?', 'manner'],
    ['What did Ann Lee propose?', 'general'],
    ['What is the capital of Mongolia?', 'general'],
    ['Please, can you tell me who invented the lamp?', 'person'],
    ['Find out who invented the lamp', 'person'],
  ])('%s asks for: %s', (question, kind) => {
    expect(readQuestion(question).kind).toBe(kind)
  })

  const termsOf = (question: string) =>
    readQuestion(question).terms.map(
      ({ text, form, isWeak }) => `${text}/${form}${isWeak ? '?' : ''}`,
    )

  it('keeps the words that carry the subject, with names and numbers apart', () => {
    expect(termsOf('When did Ann Lee first build the Red Bridge of 1990?')).toEqual([
      'Ann/name',
      'Lee/name',
      'first/word?',
      'build/word',
      'Red/name',
      'Bridge/name',
      '1990/number',
    ])
  })

  it('lets "the first" and "the second" tell things apart', () => {
    expect(termsOf('Who was the second president of Chile?')).toEqual([
      'second/word',
      'president/word',
      'Chile/name',
    ])
  })

  it('takes no capitals for names where all is shouted', () => {
    expect(termsOf('WHO INVENTED THE LAMP')).toEqual(['INVENTED/word', 'LAMP/word'])
  })

  it('sees titles of function words as names', () => {
    expect(termsOf('Who wrote the song I Get Up?')).toEqual([
      'wrote/word',
      'song/word',
      'I/name',
      'Get/name',
      'Up/name',
    ])
  })

  it('reads no more than a thousand characters', () => {
    expect(readQuestion(`why ${'x'.repeat(100_000)}`).text.length).toBe(1000)
  })

  it.each(['', '   ', '?', '😀', '\u0000'])('finds nothing to ask in %j', (text) => {
    expect(readQuestion(text).terms).toEqual([])
  })
})
