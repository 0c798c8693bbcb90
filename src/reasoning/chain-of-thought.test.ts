import { describe, expect, it } from 'vitest'
import { chooseThinkingFormat, formatCotPrompt } from './chain-of-thought.ts'

const systemOf = (thinkingFormat?: string) =>
  formatCotPrompt({ problem: 'How far is it?', ...(thinkingFormat && { thinkingFormat }) }).system

describe('formatCotPrompt', () => {
  it.each([
    ['step_by_step', 'Think step by step'],
    ['pros_cons', 'List pros and cons'],
    ['tree', 'tree structure'],
    ['first_principles', 'first principles'],
  ])('asks for the thinking format %s', (format, words) => {
    expect(systemOf(format)).toContain(words)
    expect(systemOf(format)).toContain('{"thinking"')
  })

  it.each([undefined, 'of_some_kind', 'constructor', ''])(
    'takes the format %j for step_by_step',
    (format) => {
      expect(chooseThinkingFormat(format)).toBe('step_by_step')
      expect(systemOf(format)).toBe(systemOf('step_by_step'))
    },
  )

  it('shows the examples with problem, thinking and answer, and asks for the problem alone', () => {
    const fewShotExamples = [
      { problem: '2 + 2?', thinking: 'I add.', answer: 4 },
      { problem: 'Colours?', answer: ['red', 'blue'] },
    ]
    const { system, user } = formatCotPrompt({ problem: 'How far is it?', fewShotExamples })
    expect(system).toContain('Problem: 2 + 2?\n{"thinking":"I add.","answer":4}')
    expect(system).toContain('Problem: Colours?\n{"thinking":"","answer":["red","blue"]}')
    expect(user).toBe('Problem: How far is it?')
  })
})
