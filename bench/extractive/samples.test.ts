import { describe, expect, it } from 'vitest'
import { askQuestions } from './ask-questions.ts'
import { type QuestionSet, questionSets } from './question-sets.ts'

describe.each(questionSets().map((set) => [set.name, set] as const))(
  '%s',
  (_name, set: QuestionSet) => {
    it('get right answers, word for word from the pages, and a refusal where the pages do not say', async () => {
      const { answered, refused, misses, rejections, notVerbatim } = await askQuestions(set)
      const shown = misses
        .slice(0, 5)
        .map(({ question, answer }) => `${question} ${answer}`)
        .join('\n')
      expect(refused, shown).toMatchObject({ right: refused.asked })
      expect(answered.right / answered.asked, shown).toBeGreaterThanOrEqual(0.85)
      expect({ rejections, notVerbatim }).toEqual({ rejections: 0, notVerbatim: 0 })
    })
  },
)
