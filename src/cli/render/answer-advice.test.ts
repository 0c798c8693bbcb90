import { describe, expect, it } from 'vitest'
import type { Failure } from '../../kernel/errors.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { adviceFor } from './answer-advice.ts'

const answer = {
  runId: 'r1',
  question: 'What is it?',
  stopReason: 'answered',
  gaps: [],
  error: null,
  plan: { researchSteps: ['A?'], expertSteps: [] },
  usage: { modelCalls: 3, outputTokens: 9 },
  models: { planner: 'ollama:tiny', critic: 'ollama:tiny' },
} as unknown as Answer
const advice = (change: object, failure: Failure | null = null) =>
  adviceFor({ ...answer, ...change } as Answer, failure)
const failed = (hint: string, retryable = true) => ({
  stopReason: 'error',
  error: { code: 'model_failed', message: '', hint, retryable },
})

describe('the advice', () => {
  it('says that the built-in engine understands only English, where the question is in another language', () => {
    const nothing = { stopReason: 'no_evidence', models: { planner: 'extractive' } }
    const english = 'It understands English questions only'
    expect(advice({ ...nothing, question: '排序用了多长时间？' })).toContain(english)
    expect(advice(nothing)).not.toContain(english)
  })

  it.each([
    [
      'Download it with: ollama pull tiny; then resume the run.',
      'Download it with: ollama pull tiny; then resume with: scholium resume r1',
    ],
    [
      'The key is wrong. Then resume the run.',
      'The key is wrong. Then resume with: scholium resume r1',
    ],
    ['Start it.', 'Start it. Then resume with: scholium resume r1'],
  ])('after a failure says once how to go on: %s', (hint, said) => {
    expect(advice(failed(hint))).toBe(said)
  })

  it('after a failure for good does not say to continue, and takes the hint of an older log', () => {
    expect(advice(failed('Word it differently.', false))).toBe('Word it differently.')
    const failure = { code: 'model_failed', message: '', retryable: false, hint: 'Old.' } as const
    expect(advice({ stopReason: 'error', error: null }, failure)).toBe('Old.')
  })

  it('after a withheld answer names the model, and not files', () => {
    const text = advice({
      stopReason: 'no_evidence',
      gaps: [{ kind: 'uncited_answer', detail: '' }],
    })
    expect(text).toContain('answer is withheld')
    expect(text).toContain('scholium doctor --model ollama:tiny')
    expect(text).toContain('scholium runs show r1')
    expect(text).not.toContain('library add')
  })

  it('after sentences were left out says how to see them', () => {
    const gaps = [{ kind: 'claim_dropped', detail: '' }]
    for (const stopReason of ['gaps', 'no_evidence'])
      expect(advice({ stopReason, gaps })).toContain('--claims mark')
  })

  it('after answers without a form names the doctor first', () => {
    const text = advice({ stopReason: 'retry_limit' })
    expect(text.indexOf('scholium doctor --model ollama:tiny')).toBeGreaterThan(0)
    expect(text.indexOf('ask a narrower question')).toBeGreaterThan(text.indexOf('scholium doctor'))
  })

  it.each([
    ['The limit on dollars was reached. Used: $1 of $1.', '--max-cost-usd N'],
    ['The limit on model and tool calls was reached.', '--max-steps N'],
    ['The limit on time was reached.', '--max-seconds N'],
  ])('after "%s" names the option that raises it, and no other', (detail, option) => {
    const text = advice({ stopReason: 'limit', gaps: [{ kind: 'limit', detail }] })
    expect(text).toMatch(new RegExp(`resume \\S+ ${option}$`))
  })

  it('after a limit without a word of the model says so', () => {
    const silent = {
      stopReason: 'limit',
      plan: { researchSteps: [], expertSteps: [] },
      usage: { modelCalls: 1, outputTokens: 0 },
    }
    expect(advice(silent)).toContain('before ollama:tiny answered')
    expect(advice(silent)).toContain('scholium doctor --model ollama:tiny')
    expect(advice({ stopReason: 'limit' })).not.toContain('doctor')
  })

  it('after sources that are all unreadable asks for others', () => {
    const text = advice({
      stopReason: 'no_evidence',
      plan: { researchSteps: [], expertSteps: [] },
      gaps: [{ kind: 'unreadable_source', detail: '', source: 'x' }],
    })
    expect(text).toContain('No model was called.')
  })
})
