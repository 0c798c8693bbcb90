import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeClause, splitQuestion } from './split-question.ts'

describe('splitQuestion', () => {
  it.each([
    ['What is X and who invented it?', ['What is X?', 'Who invented X?']],
    ['what is rust', ['What is rust?']],
    ['What is rust; where does it form', ['What is rust?', 'Where does rust form?']],
    [
      'Who was Ada Lovelace? When was she born? What did she write?',
      ['Who was Ada Lovelace?', 'When was Ada Lovelace born?', 'What did Ada Lovelace write?'],
    ],
    ['Who discovered argon and when?', ['Who discovered argon?', 'When was argon discovered?']],
    [
      'Who discovered argon, when, and where?',
      ['Who discovered argon?', 'When was argon discovered?', 'Where was argon discovered?'],
    ],
    [
      'When was the treaty signed and by how many states?',
      ['When was the treaty signed?', 'By how many states was the treaty signed?'],
    ],
    [
      'Who owns the well according to the city, and who according to the bank?',
      ['Who owns the well according to the city?', 'Who owns the well according to the bank?'],
    ],
    ['What are quarks and leptons?', ['What are quarks?', 'What are leptons?']],
    [
      'What is the capital of France and its population?',
      ['What is the capital of France?', 'What is the population of France?'],
    ],
    ['1. What is tin?\n2. Who found it?', ['What is tin?', 'Who found tin?']],
    ['I like metals. So what is tin and how is it made?', ['What is tin?', 'How is tin made?']],
  ])('splits %s', (question, expected) => {
    expect(splitQuestion(question)).toEqual(expected)
  })

  it.each([
    'What is the difference between salt and sugar?',
    'Why do salt and water mix?',
    'Did Ann or Bob win?',
    'Tell me about Romeo and Juliet',
  ])('keeps %s whole', (question) => {
    expect(splitQuestion(question)).toEqual([question])
  })

  it('takes the questions out of a long text', () => {
    const text = `${'Much was said. '.repeat(5000)}So what is tin? Who found it?`
    expect(splitQuestion(text)).toEqual(['So what is tin?', 'Who found it?'])
  })

  it('gives one to six short parts for any text with something in it', () => {
    const word = fc.constantFrom('what', 'is', 'and', 'who', '?', ';', ',', 'it', '<b>', '1.', '\n')
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 3000 }),
      fc
        .array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 60 })
        .map((all) => all.join(' ')),
    )
    fc.assert(
      fc.property(text, (given) => {
        const parts = splitQuestion(given)
        expect(parts.length).toBeLessThanOrEqual(6)
        expect(new Set(parts).size).toBe(parts.length)
        for (const part of parts) expect(part.trim()).not.toBe('')
        if (/[\p{L}\p{N}]/u.test(given.replaceAll(/<[^<>]*>/g, ''))) expect(parts).not.toEqual([])
      }),
    )
  })
})

it('a pronoun is replaced by what was asked about, whatever signs that has', () => {
  const earlier = ["What is the $& of A$$ and US$'"]
  expect(completeClause('When was it introduced', earlier)).toBe(
    "When was the $& of A$$ and US$' introduced",
  )
  expect(completeClause('Where is its home', ['What is US$'])).toBe("Where is US$'s home")
})
