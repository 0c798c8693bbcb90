import { describe, expect, it } from 'vitest'
import type { ReadPassage } from '../../citations/claim.ts'
import { passageId } from '../../citations/source.ts'
import { sha256 } from '../../kernel/json.ts'
import { analyze } from './analyzer.ts'

const sourceId = sha256('paper')
const passage = (text: string, section?: string): ReadPassage => ({
  n: 1,
  passageId: passageId(sourceId, 0, text.length),
  sourceId,
  start: 0,
  end: text.length,
  text,
  ...(section === undefined ? {} : { section }),
})
const paper = { n: 1, title: 'Moths and lamps', authors: [] }
const analysed = (...passages: readonly ReadPassage[]) =>
  analyze({ question: 'Do moths prefer red lamps?', paper, passages })

describe('the analysis of a paper by cues', () => {
  it('copies sentences, each to the topic of its words and its heading', () => {
    const found = analysed(
      passage('We collected 300 moths near the town of Harrowmere.', '2 Methods'),
      passage('Moths preferred red lamps in 80% of the trials.', '3 Results'),
      passage('We conclude that moths see more of red light than was thought.', '5 Conclusion'),
      passage(
        'Our study is limited to one town. Future work should look at others.',
        'Limitations',
      ),
      passage('In this paper we propose a new method to count moths at night.', '1 Introduction'),
    )
    expect(found).toEqual({
      methodology: ['We collected 300 moths near the town of Harrowmere.'],
      key_findings: ['Moths preferred red lamps in 80% of the trials.'],
      conclusions: ['We conclude that moths see more of red light than was thought.'],
      limitations: ['Our study is limited to one town.', 'Future work should look at others.'],
      contributions: ['In this paper we propose a new method to count moths at night.'],
    })
  })

  it.each([
    ['what leans on another sentence', 'These were significantly better than the others by far.'],
    ['what points to a figure', 'The accuracy improved over all baselines, as shown in Figure 3.'],
    ['the rest of a sentence', 'and improved the accuracy of all baselines by two points.'],
    ['an item', '(4) The accuracy improved over all baselines by two points.'],
    ['a footnote', '³ The accuracy improved over all baselines by two points.'],
    ['what says nothing by cues', 'Lamps have been made of glass for many hundred years.'],
  ])('leaves %s out', (_what, text) => {
    expect(Object.values(analysed(passage(text, 'Results'))).flat()).toEqual([])
  })

  it('has a sentence once that stands where passages overlap', () => {
    const text = 'Moths preferred red lamps in 80% of the trials.'
    const { key_findings: found } = analysed(passage(text), passage(text))
    expect(found).toEqual([text])
  })

  it('has first what bears on the question', () => {
    const { key_findings: found } = analysed(
      passage(
        'Bats improved their hunting by 30%. Moths improved near red lamps by 20%.',
        'Results',
      ),
    )
    expect(found[0]).toContain('red lamps')
  })
})
