import { describe, expect, it } from 'vitest'
import { plan } from './planner.ts'

const first = (question: string) => plan({ question, feedback: null }, 0)

describe('plan', () => {
  it('gives calculations to the expert and nothing to the researcher', () => {
    expect(first('What is 2 + 2?')).toEqual({
      research_steps: [],
      expert_steps: ['Calculate 2 + 2 with the calculator.'],
    })
    expect(first('Convert 100 km/h to mph').expert_steps).toEqual([
      'Calculate 100 km/h to mph with the unit converter.',
    ])
  })

  it('gives each other question a research step', () => {
    expect(first('What is tin and who found it?').research_steps).toEqual([
      'What is tin?',
      'Who found tin?',
    ])
  })

  it('does both in one plan', () => {
    const { research_steps: research, expert_steps: expert } = first(
      'What is tin and what is 7 * 6?',
    )
    expect(research).toEqual(['What is tin?'])
    expect(expert[0]).toBe('Calculate 7 * 6 with the calculator.')
    expect(expert).toHaveLength(2)
  })

  it('sets what is compared side by side', () => {
    const { research_steps: research, expert_steps: expert } = first(
      'Which was built first, the tower or the bridge?',
    )
    expect(research).toEqual(['When was the tower built?', 'When was the bridge built?'])
    expect(expert[0]).toBe('Set the tower and the bridge side by side.')
  })

  it.each([
    ['emoji', '😀🎉', ['😀🎉']],
    ['HTML', '<p>What is <b>tin</b>?</p><script>alert(1)</script>', ['What is tin?', 'alert(1)']],
    ['SQL', "'; DROP TABLE users; --", ['DROP TABLE users']],
    ['a shell command', '$(rm -rf /)', ['$(rm -rf /)']],
    ['a path', '../../etc/passwd', ['../../etc/passwd']],
    ['a null byte', 'What is\u0000 tin?', ['What is tin?']],
    ['digits', '42', ['42']],
    ['another script', '锡是什么？谁发现了它？', ['锡是什么？', '谁发现了它？']],
    ['space', ' \n\t', ['Find what is asked.']],
    ['nothing', '', ['Find what is asked.']],
  ])('makes a plan for %s', (_what, question, research) => {
    const made = first(question)
    expect(made.research_steps).toEqual(research)
    expect(made.expert_steps).toHaveLength(1)
  })

  it('makes a short plan for a long text', () => {
    for (const text of ['tin '.repeat(25_000), 'x'.repeat(100_000), `${'why? '.repeat(20_000)}`]) {
      const { research_steps: research } = first(text)
      expect(research.length).toBeLessThanOrEqual(6)
      expect(research.join('').length).toBeLessThan(2000)
    }
  })

  it('changes with each rejection', () => {
    const question = 'What is tin and who found it?'
    const plans = [
      first(question),
      ...[1, 2, 3].map((attempt) => plan({ question, feedback: 'Too narrow.' }, attempt)),
    ]
    const steps = plans.map(({ research_steps: research }) => research.join('\n'))
    expect(new Set(steps).size).toBe(4)
    for (const { research_steps: research, expert_steps: expert } of plans) {
      expect(research.length).toBeGreaterThan(0)
      expect(expert.length).toBeGreaterThan(0)
    }
  })
})
