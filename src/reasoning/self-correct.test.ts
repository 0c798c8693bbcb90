import { describe, expect, it } from 'vitest'
import { formatCritiquePrompt, parseCritique, toHistoryFromInitial } from './self-correct.ts'

describe('formatCritiquePrompt', () => {
  it('puts task and output before the critic, with what to look at and the form of its answer', () => {
    const { system, user } = formatCritiquePrompt(
      'Reverse a text.',
      'fn reverse() {}',
      'Look at style.',
    )
    expect(user).toBe('<task>\nReverse a text.\n</task>\n\n<output>\nfn reverse() {}\n</output>')
    expect(system).toContain('Look at style.')
    expect(system).toContain('"issues_found"')
    expect(formatCritiquePrompt('t', 'o').system).toContain('Look for errors')
  })
})

describe('parseCritique', () => {
  it('reads issues, suggestions and score', () => {
    const said =
      '```json\n{"issues_found": ["no test"], "suggestions": "add one", "improvement_score": 0.4}\n```'
    expect(parseCritique(said)).toEqual({
      text: 'Issue: no test\nSuggestion: add one',
      issuesFound: ['no test'],
      suggestions: ['add one'],
      improvementScore: 0.4,
    })
  })

  it('takes other words as they are', () => {
    expect(parseCritique('It has no test. {"score": 1}')).toEqual({
      text: 'It has no test. {"score": 1}',
      issuesFound: [],
      suggestions: [],
      improvementScore: null,
    })
  })

  it('says so when nothing was found', () => {
    expect(parseCritique('{"issues_found": [], "improvement_score": 7}')).toMatchObject({
      text: 'No issues were found.',
      improvementScore: 1,
    })
  })
})

describe('toHistoryFromInitial', () => {
  it('begins with the first output, also where nothing was improved', () => {
    expect(toHistoryFromInitial({ output: 'o', improvementHistory: [] })).toEqual([
      { round: 0, type: 'initial', output: 'o' },
    ])
  })
})
