import { describe, expect, it } from 'vitest'
import { noEvidenceText } from '../../citations/role-requests.ts'
import { type Comparison, readComparison } from '../question/comparison.ts'
import { answerComparison } from './comparison-answer.ts'

const compared = (question: string, results: readonly string[]) =>
  answerComparison(readComparison(question) as Comparison, results)

describe('answerComparison', () => {
  it.each([
    [
      'Are Ann Lee and Bob Orr both American?',
      ['Ann Lee is an American judge [1].', 'Bob Orr is a French judge [2].'],
      'No, by what is quoted here:',
    ],
    [
      'Are Ann Lee and Bob Orr both judges?',
      ['Ann Lee is an American judge [1].', 'Bob Orr is a French judge [2].'],
      'Yes, by what is quoted here:',
    ],
    [
      'Are Ann Lee and Bob Orr of the same nationality?',
      ['Ann Lee is an American judge [1].', 'Bob Orr was an American painter [2].'],
      'Yes, by what is quoted here:',
    ],
    [
      'What occupation do Ann Lee and Bob Orr share?',
      ['Ann Lee is an American film director [1].', 'Bob Orr was a film director and actor [2].'],
      'Film director, by what is quoted here:',
    ],
    [
      'Who was born first, Ann Lee or Bob Orr?',
      ['Ann Lee (born 4 May 1920) is a judge [1].', 'Bob Orr (2 May 1920 – 1990) was one [2].'],
      'Bob Orr, by the dates quoted here:',
    ],
    [
      'Which band is from England, Red Mill or Blue Hill?',
      ['Red Mill are a band from England [1].', 'Blue Hill is an American band [2].'],
      'Red Mill, by what is quoted here:',
    ],
  ])('%s', (question, results, line) => {
    expect(compared(question, results)).toEqual({ line, isAnswered: true })
  })

  it('says neither yes nor no where only one of two is said to be so', () => {
    const results = ['Ann Lee is a judge [1].', 'Bob Orr is a painter [2].']
    expect(compared('Are Ann Lee and Bob Orr both judges?', results).line).toBeUndefined()
  })

  it('finds nothing said where the sentences only tell what the two are', () => {
    const results = ['Ann Lee is a judge [1].', 'Bob Orr is a painter [2].']
    expect(compared('Are Ann Lee and Bob Orr both married?', results).isAnswered).toBe(false)
  })

  it('lets the sentences speak where a date is missing or not plain', () => {
    const question = 'Which was built first, the tower or the bridge?'
    for (const second of [noEvidenceText, 'It was built in 1790 and again in 1801 [2].']) {
      expect(compared(question, ['It was built in 1850 [1].', second]).line).toBeUndefined()
    }
  })
})
