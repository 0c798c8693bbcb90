import { describe, expect, it } from 'vitest'
import {
  findLabel,
  isExactMatch,
  isRightForGaia,
  normalizeAnswer,
  tokenF1,
  toPlainAnswer,
} from './score-answer.ts'

describe('exact match as in SQuAD', () => {
  it.each([
    ['The  Eiffel Tower!', 'eiffel tower'],
    ['an apple, a pear', 'apple pear'],
    ['U.S.A.', 'usa'],
    ['theatre', 'theatre'],
    ['  ', ''],
    ['Größe – “x”', 'größe – “x”'],
    ['España', 'españa'],
    ['thé, Bahía, a_b', 'thé bahía ab'],
    ['une étude a', 'une étude'],
    ['x\u001fthe\u0085y', 'x y'],
    ['\ufeffa', '\ufeff'],
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
    ['A ; b', 'a;b', 'a list with semicolons alone'],
    ['1_000', '1000', 'underscores between digits'],
    ['12', '١٢', 'digits of another script'],
    ['１２', '12', 'wide digits'],
    ['Infinity', 'inf', 'infinity'],
    ['٣.٥, x', '3.5, X', 'digits of another script in a list'],
  ])('take %j for %j (%s)', (answer, gold) => {
    expect(isRightForGaia(answer, gold)).toBe(true)
  })

  it.each([
    ['17 apples', '17', 'words next to a number'],
    ['18', '17', 'another number'],
    ['', '0', 'nothing for a number'],
    ['b, a', 'a, b', 'another order'],
    ['a, b, c', 'a, b', 'one more element'],
    ['a., b', 'a, b', 'punctuation within a list'],
    ['the cat', 'cat', 'an article'],
    ['a b', 'a;b', 'no list for a list with semicolons alone'],
    ['1__0', '10', 'two underscores'],
    ['nan', 'nan', 'what equals nothing'],
    ['abc', 'inf', 'what is no number for infinity'],
    ['-inf', 'inf', 'the other infinity'],
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
    expect(findLabel(answer, labels)).toBe(label)
  })
})

describe('the scored text', () => {
  const cites = (...numbers: readonly number[]) => new Set(numbers)

  it('has no citations and no marks of emphasis', () => {
    const text = '**Bath, Maine** [1][2].\n\nHe *was* `first` [3, 4].'
    expect(toPlainAnswer(text, cites(1, 2, 3, 4))).toBe('Bath, Maine. He was first.')
  })

  it.each([
    ['[1, 2, 3]', cites()],
    ['[1, 2, 3]', cites(1, 2, 3)],
    ['The list [1, 2, 3]', cites(1)],
    ['arr[0]', cites()],
    ['arr[1] or x [0]', cites(1)],
    ['[a] and [1b]', cites(1)],
    ['__init__.py', cites()],
    ['2**10', cites()],
    ['2 ** 3 ** 4', cites()],
    ['2*3*4', cites()],
    ['*.ts and *.js', cites()],
    ['a `b', cites()],
  ])('keeps what belongs to the answer in %j', (text, numbers) => {
    expect(toPlainAnswer(text, numbers)).toBe(text)
  })

  it.each([
    ['5 [1][9]', '5[9]'],
    ['`x [1]` and `2**10`', 'x [1] and 2**10'],
    ['**52 mm**, *or* ***so***', '52 mm, or so'],
    ['**`a`** [1–2]', 'a'],
  ])('of %j is %j', (text, plain) => {
    expect(toPlainAnswer(text, cites(1, 2))).toBe(plain)
  })
})
