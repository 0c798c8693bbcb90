import { describe, expect, it } from 'vitest'
import { fold, oneLine, readWords, toStem } from './words.ts'

const plain = (text: string) => readWords(text).map((word) => word.plain)

describe('readWords', () => {
  it.each([
    ["Rømer's 1,234.5 metres", ['romer', '1234.5', 'metres']],
    ['CRISPR-Cas9 in 2,5 ml', ['crispr', 'cas9', 'in', '2,5', 'ml']],
    ['1/299,792,458 second', ['1/299792458', 'second']],
    ['東京は大きい', ['東京', '京は', 'は大', '大き', 'きい']],
    ['😀 …', []],
  ])('reads %s', (text, expected) => {
    expect(plain(text)).toEqual(expected)
  })

  it('gives offsets, capitals and neighbours', () => {
    const [first, second, third] = readWords('Ada Lovelace, London')
    expect(first).toMatchObject({ start: 0, isCapital: true })
    expect(second).toMatchObject({ start: 4, isJoined: true })
    expect(third).toMatchObject({ start: 14, isJoined: false })
  })
})

describe('fold and oneLine', () => {
  it('takes accents off, also where no decomposition does', () => {
    expect(fold('Ångström Łódź Søren Straße')).toBe('angstrom lodz soren strasse')
  })

  it('keeps no control characters', () => {
    expect(oneLine(' a\u0000\n\tb\u200b c\ufffd ')).toBe('a b c')
  })
})

describe('toStem', () => {
  it.each([
    'invent invents invented inventing inventor inventors invention inventions',
    'discover discovers discovered discovery discoveries discoverer',
    'isolate isolates isolated isolating isolation',
    'survive survives survived surviving survival',
    'define defined definition definitions',
    'close closer closest',
    'marry married marries marriage',
    'organise organized organisation organizations',
    'colour colors coloured',
    'virus viruses',
    'city cities',
    'make makes made making',
    'die died death',
    'woman women',
    'metre metres meter',
  ])('puts together: %s', (words) => {
    expect(new Set(words.split(' ').map(toStem)).size).toBe(1)
  })

  it.each([
    ['paper', 'pap'],
    ['speed', 'spe'],
    ['chemist', 'chemistry'],
    ['class', 'clas'],
    ['organ', 'organism'],
  ])('keeps apart: %s, %s', (left, right) => {
    expect(toStem(left)).not.toBe(toStem(right))
  })

  it('leaves other scripts and numbers as they are', () => {
    expect(['东京', '1990', 'naïve'].map(toStem)).toEqual(['东京', '1990', 'naïve'])
  })
})
