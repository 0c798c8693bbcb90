import { describe, expect, it } from 'vitest'
import { isRightForGaia } from './gaia.ts'
import { labelOf } from './label.ts'
import { plainAnswer } from './plain-answer.ts'
import { isExactMatch, normalizeAnswer, tokenF1 } from './squad.ts'

describe('exact match as in SQuAD', () => {
  it.each([
    ['The  Eiffel Tower!', 'eiffel tower'],
    ['an apple, a pear', 'apple pear'],
    ['U.S.A.', 'usa'],
    ['theatre', 'theatre'],
    ['  ', ''],
    ['Größe – “x”', 'größe – “x”'],
  ])('normalises %j to %j', (text, normalized) => {
    expect(normalizeAnswer(text)).toBe(normalized)
  })

  it('takes what differs in case, articles and punctuation for the same, and nothing more', () => {
    expect(isExactMatch('the Denver Broncos.', 'Denver Broncos')).toBe(true)
    expect(isExactMatch('Denver', 'Denver Broncos')).toBe(false)
  })
})

describe('F1 over words', () => {
  it.each([
    ['Denver Broncos', 'Denver Broncos', 1],
    ['the Broncos', 'Denver Broncos', 2 / 3],
    ['a b b', 'b b b', (2 * 2) / (2 + 3)],
    ['Paris', 'London', 0],
    ['', 'London', 0],
    ['the', 'a', 1],
  ])('of %j and %j', (answer, gold, f1) => {
    expect(tokenF1(answer, gold)).toBeCloseTo(f1, 12)
  })
})

describe('the rules of GAIA', () => {
  it.each([
    ['17', '17', 'a number'],
    ['$1,234.50', '1234.5', 'a number with a sign and commas'],
    ['89 %', '89', 'per cent'],
    ['1e3', '1000', 'an exponent'],
    ['Saint Petersburg', 'saintpetersburg', 'white space and case'],
    ['Claude Shannon.', 'Claude  Shannon', 'punctuation'],
    ['a, b ,C', 'A,B,c', 'a list'],
    ['3; $4', '3;4', 'a list of numbers'],
    ['3, b', '3;b', 'lists whose elements are parted by another sign'],
  ])('take %j for %j (%s)', (answer, gold) => {
    expect(isRightForGaia(answer, gold)).toBe(true)
  })

  it.each([
    ['17 apples', '17', 'words beside a number'],
    ['18', '17', 'another number'],
    ['', '0', 'nothing for a number'],
    ['b, a', 'a, b', 'another order'],
    ['a, b, c', 'a, b', 'one more element'],
    ['a., b', 'a, b', 'punctuation within a list'],
    ['the cat', 'cat', 'an article'],
  ])('do not take %j for %j (%s)', (answer, gold) => {
    expect(isRightForGaia(answer, gold)).toBe(false)
  })
})

describe('the label of an answer', () => {
  const labels = ['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO', 'yes', 'no', 'NOT']

  it.each([
    ['SUPPORTS', 'SUPPORTS'],
    ['Refutes: the source says otherwise.', 'REFUTES'],
    ['Not enough info', 'NOT ENOUGH INFO'],
    ['Yes, it does.', 'yes'],
    ['Nobody knows', undefined],
    ['It supports it', undefined],
  ])('%j is %j', (answer, label) => {
    expect(labelOf(answer, labels)).toBe(label)
  })
})

describe('the scored text', () => {
  it('has no citations and no marks of emphasis', () => {
    expect(plainAnswer('**Bath, Maine** [1][2].\n\nHe was `first` [3, 4].')).toBe(
      'Bath, Maine. He was first.',
    )
  })

  it('keeps other brackets', () => {
    expect(plainAnswer('[a] and [1b]')).toBe('[a] and [1b]')
  })
})
