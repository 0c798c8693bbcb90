import { describe, expect, it } from 'vitest'
import { stemOf } from './stem.ts'

describe('stemOf', () => {
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
    expect(new Set(words.split(' ').map(stemOf)).size).toBe(1)
  })

  it.each([
    ['paper', 'pap'],
    ['speed', 'spe'],
    ['chemist', 'chemistry'],
    ['class', 'clas'],
    ['organ', 'organism'],
  ])('keeps apart: %s, %s', (left, right) => {
    expect(stemOf(left)).not.toBe(stemOf(right))
  })

  it('leaves other scripts and numbers as they are', () => {
    expect(['东京', '1990', 'naïve'].map(stemOf)).toEqual(['东京', '1990', 'naïve'])
  })
})
