import { describe, expect, it } from 'vitest'
import type { ReadPassage } from '../../citations/claim.ts'
import { noEvidenceText } from '../../citations/role-requests.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { critique } from './critic.ts'

const text =
  'Tin is a soft metal. Tin melts at 232 degrees and boils at 2,602 degrees. Lee wrote that tin "cries when it is bent".'
const sourceId = 'b'.repeat(64) as SourceId
const evidence: readonly ReadPassage[] = [
  {
    n: 1,
    sourceId,
    passageId: passageId(sourceId, 0, text.length),
    start: 0,
    end: text.length,
    text,
  },
]

const question = 'What is tin?'
const ofPlan = (research_steps: string[], expert_steps: string[], asked = question) =>
  critique({ work: 'planner', question: asked, plan: { research_steps, expert_steps } })
const ofResult = (result: string) =>
  critique({ work: 'researcher', question, request: question, result, evidence })
const ofAnswer = (
  expert_answer: string,
  reasoning_trace = '',
  research = [{ request: question, result: 'Tin is a soft metal [1].' }],
) =>
  critique({
    work: 'expert',
    question,
    research,
    answer: { expert_answer, reasoning_trace },
    evidence,
  })

describe('a plan', () => {
  it('is approved with research, and without for a calculation', () => {
    expect(ofPlan(['What is tin?'], ['Answer.']).decision).toBe('approve')
    expect(ofPlan([], ['Answer.'], 'What is 2 + 2?').decision).toBe('approve')
    expect(ofPlan([], ['Calculate the sum.']).decision).toBe('approve')
  })

  it.each([
    ['no research', [], ['Answer.'], 'no research step'],
    ['no step for the expert', ['What is tin?'], [], 'no step for the expert'],
    ['thirteen steps', [...'abcdefghijkl'], ['Answer.'], '13 steps'],
    ['a step twice', ['What is tin?', 'what is TIN?'], ['Answer.'], 'same step twice'],
  ])('is rejected with %s', (_what, research, expert, reason) => {
    const { decision, feedback } = ofPlan(research, expert)
    expect(decision).toBe('reject')
    expect(feedback).toContain(reason)
  })
})

describe('a researched text', () => {
  it.each([
    ['a quoted sentence', 'Tin is a soft metal [1].'],
    ['a mark after the full stop', 'Tin is a soft metal. [1]'],
    ['a figure written otherwise', 'Tin boils at 2602 degrees [1].'],
    ['words in quotation marks', 'Tin "cries when it is bent" [1].'],
    ['that there is nothing', noEvidenceText],
  ])('is approved with %s', (_what, result) => {
    expect(ofResult(result)).toEqual({ decision: 'approve', feedback: expect.any(String) })
  })

  it.each([
    ['no citation', 'Tin is a soft metal.', 'no citation'],
    ['one sentence uncited', 'Tin is a soft metal [1]. Tin melts at 232 degrees.', 'no citation'],
    ['a number that stands for nothing', 'Tin is a soft metal [7].', '[7]'],
    ['a figure that no passage has', 'Glass comes in 77 kinds [1].', '77'],
    ['a figure of its own', 'Tin melts at 231 degrees [1].', '231'],
    ['a quotation of its own', 'Tin "sings when it is bent" [1].', 'sings'],
    ['a denial of its own', 'Tin is not a soft metal [1].', 'differs'],
    ['nothing', '  ', 'empty'],
  ])('is rejected with %s', (_what, result, reason) => {
    const { decision, feedback } = ofResult(result)
    expect(decision).toBe('reject')
    expect(feedback).toContain(reason)
  })
})

describe("an expert's answer", () => {
  it('is approved when it stands on the evidence or on a calculator that it names', () => {
    expect(ofAnswer('Tin is a soft metal [1].').decision).toBe('approve')
    expect(ofAnswer('2 + 2 = 4.', 'calculator: 2 + 2 = 4', []).decision).toBe('approve')
    const both = 'Tin is a soft metal [1].\n\n1850 - 1790 = 60 years.'
    expect(ofAnswer(both, 'Quoted.\ncalculator: 1850 - 1790 = 60').decision).toBe('approve')
    expect(
      ofAnswer(noEvidenceText, '', [{ request: question, result: noEvidenceText }]).decision,
    ).toBe('approve')
  })

  it.each([
    ['is empty', ofAnswer(' '), 'empty'],
    ['cites nothing', ofAnswer('Tin is a metal.'), 'no citation'],
    [
      'gives a calculation without its tool',
      ofAnswer('2 + 2 = 4.', 'I know it.', []),
      'calculator',
    ],
    [
      'gives another result than the tool',
      ofAnswer('2 + 2 = 5.', 'calculator: 2 + 2 = 4', []),
      'no citation',
    ],
    ['says nothing though something was found', ofAnswer(noEvidenceText), 'found something'],
  ])('is rejected when it %s', (_what, { decision, feedback }, reason) => {
    expect(decision).toBe('reject')
    expect(feedback).toContain(reason)
  })
})
