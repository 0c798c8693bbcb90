import { describe, expect, it } from 'vitest'
import { splitClaims } from '../../claims/check/parse-claims.ts'
import { citeSentence, findCitations, withoutCitations } from './cited-text.ts'

describe('citeSentence', () => {
  it.each([
    ['Tin is soft.', 'Tin is soft [2].'],
    ['Is tin soft?', 'Is tin soft? [2]'],
    ['She said "no."', 'She said "no." [2]'],
    ['He called it "tin".', 'He called it "tin" [2].'],
    ['soft and grey', 'soft and grey [2].'],
    ['And so on...', 'And so on... [2]'],
    ['锡很软。', '锡很软。 [2]'],
  ])('%s', (text, expected) => {
    expect(citeSentence(text, 2)).toBe(expected)
  })

  it('gives claims that each keep their number', () => {
    const sentences = [
      'Tin is soft.',
      'She said "no."',
      'It is called "tin".',
      'It boils, says Lee et al.',
    ]
    const answer = sentences.map((text, index) => citeSentence(text, index + 1)).join(' ')
    expect(splitClaims(answer).map(({ citations }) => citations)).toEqual([[1], [2], [3], [4]])
  })
})

describe('citationsIn and withoutCitations', () => {
  it('finds numbers once, in order, and takes the marks away', () => {
    const text = 'Tin [2] is soft [1, 3]. It bends [2].'
    expect(findCitations(text)).toEqual([2, 1, 3])
    expect(withoutCitations(text)).toBe('Tin is soft. It bends.')
  })
})
