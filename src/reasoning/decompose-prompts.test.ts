import { describe, expect, it } from 'vitest'
import {
  answerPrompt,
  parseAnswer,
  parseSplitOrAnswer,
  parseSynthesis,
  splitPrompt,
  synthesisPrompt,
} from './decompose-prompts.ts'

const posed = {
  problem: 'the part',
  whole: 'the whole',
  given: [{ id: 'a', description: 'other', answer: 42 }],
}
const answered = { answer: 42, reasoning: 'r', confidence: 0.5 }

describe('the prompts of a decomposition', () => {
  it.each([splitPrompt, answerPrompt])('show problem, whole and known answers', (prompt) => {
    const { user } = prompt(posed)
    expect(user).toContain('<whole_problem>\nthe whole\n</whole_problem>')
    expect(user).toContain('<problem>\nthe part\n</problem>')
    expect(user).toContain('{"id":"a","description":"other","answer":42}')
    expect(prompt({ problem: 'p', given: [] }).user).toBe('<problem>\np\n</problem>')
  })

  it('show whoever puts answers together all of them, and how to do it', () => {
    const answers = ['x', 'y', 'z'].map((id) => ({ id, description: `part ${id}`, ...answered }))
    const { system, user } = synthesisPrompt({ problem: 'p', given: [] }, answers, 'Add them.')
    for (const { id } of answers)
      expect(user).toContain(`{"id":"${id}","description":"part ${id}","answer":42`)
    expect(system).toContain('Add them.')
    expect(system).toContain('"final_answer"')
  })
})

describe('parseSplitOrAnswer', () => {
  const kindOf = (text: string) => {
    const read = parseSplitOrAnswer(text)
    return read.ok ? read.value.kind : read.error.details.reason
  }

  it.each([
    ['{"answer": 42}', 'answer'],
    ['{"sub_problems": [], "answer": 42}', 'answer'],
    ['{"atomic": true, "answer": 42}', 'answer'],
    ['<thinking>t</thinking> 42', 'answer'],
    ['{"sub_problems": ["a", "b"]}', 'split'],
    ['{"sub_problems": ["a"], "answer": "later"}', 'split'],
    ['<thinking>t</thinking>\n{"sub_problems": ["a"]}', 'split'],
    ['["a", "b"]', 'split'],
    ['{"sub_problems": [""]}', 'A sub-problem has no description.'],
    ['It is hard.', 'There is no JSON object with "sub_problems" or "answer" in it.'],
  ])('reads %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })
})

describe('an answer', () => {
  it('has its reasons and a confidence between 0 and 1', () => {
    expect(parseAnswer('{"answer": [1], "reasoning": ["a", "b"], "confidence": 3}')).toMatchObject({
      value: { answer: [1], reasoning: 'a\nb', confidence: 1 },
    })
    expect(parseAnswer('{"answer": 1, "thinking": "t", "confidence": "high"}')).toMatchObject({
      value: { answer: 1, reasoning: 't', confidence: null },
    })
  })

  it('that was put together stands under final_answer, or answer', () => {
    expect(parseSynthesis('{"final_answer": 1, "answer": 2}')).toMatchObject({
      value: { answer: 1 },
    })
    expect(parseSynthesis('{"answer": 2}')).toMatchObject({ value: { answer: 2 } })
    expect(parseSynthesis('no form')).toMatchObject({ ok: false })
  })
})
