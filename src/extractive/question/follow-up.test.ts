import { describe, expect, it } from 'vitest'
import { completeFollowUp } from './follow-up.ts'

describe('a follow-up question', () => {
  it.each([
    ['What did the mine yield in 2019?', 'and in 2020?', 'What did the mine yield in 2020?'],
    ['What did the mine yield in 2019?', '2021?', 'What did the mine yield in 2021?'],
    [
      'Where does the varnel of Harrowmere breed?',
      'And Ostwick?',
      'Where does the varnel of Ostwick breed?',
    ],
    ['How heavy is the varnel?', 'and in winter?', 'How heavy is the varnel in winter?'],
    ['What is glimmerstone?', 'Who found it?', 'Who found glimmerstone?'],
    ['What is glimmerstone?', 'How hot is the sun?', 'How hot is the sun?'],
    ['When was glimmerstone found?', 'and where?', 'where was glimmerstone found?'],
    ['Who found glimmerstone and when?', 'and where?', 'where was glimmerstone found?'],
    ['What is glimmerstone?', 'and?', 'What is glimmerstone?'],
    ['What is glimmerstone?', 'Define opal.', 'Define opal?'],
    ['What is 2 + 2?', 'and times 3?', 'and times 3?'],
  ])('%s %s', (before, question, full) => {
    expect(completeFollowUp(question, [{ question: before }])).toBe(full)
  })

  it('goes back over a chain', () => {
    const earlier = [{ question: 'What did the mine yield in 2019?' }, { question: 'and in 2020?' }]
    expect(completeFollowUp('what about 2021?', earlier)).toBe('What did the mine yield in 2021?')
  })

  it('means by "he" and "her" the name that was quoted last as an answer', () => {
    const earlier = [
      {
        question: 'Who found glimmerstone?',
        answer: '"Ada Quill" [1].\n\nIt was found by her [1].',
      },
      { question: 'when?', answer: '"May 1907" [1].' },
    ]
    expect(completeFollowUp('Where did she live?', earlier)).toBe('Where did Ada Quill live?')
    expect(completeFollowUp('and what was her profession?', earlier)).toBe(
      "what was Ada Quill's profession?",
    )
  })

  it('asks for both where nobody can say who "he" is', () => {
    const earlier = [{ question: 'Who found glimmerstone?', answer: 'Somebody found it [1].' }]
    expect(completeFollowUp('Where did he live?', earlier)).toBe(
      'Who found glimmerstone Where did he live?',
    )
  })

  it('stays as it is after none', () => {
    expect(completeFollowUp('and in 2020?', [])).toBe('and in 2020?')
  })

  it('takes no time for hostile texts', () => {
    const long = 'and '.repeat(20_000)
    const names = 'A b '.repeat(20_000)
    const startedAt = performance.now()
    completeFollowUp(
      long,
      [names, long, `"${names}`].map((text) => ({ question: text, answer: text })),
    )
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })
})
