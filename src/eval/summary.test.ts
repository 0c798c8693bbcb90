import { describe, expect, it } from 'vitest'
import type { Answer } from '../ask/result.ts'
import type { EvalQuestion } from './question.ts'
import { toFailedResult, toResult } from './result.ts'
import { computePercentile, computeRate, summarize } from './summary.ts'

const question = (id: string, parts: Partial<EvalQuestion> = {}): EvalQuestion => ({
  ...{
    id,
    set: 's',
    line: 1,
    question: 'q',
    answers: ['Bath'],
    labels: [],
    files: [],
    context: [],
  },
  ...parts,
})
const coverage = {
  ...{
    claims: 0,
    checked: 0,
    uncited: 0,
    numbersNotFound: 0,
    verbatim: 0,
    supported: 0,
    altered: 0,
    partial: 0,
  },
  ...{ contradicted: 0, notFound: 0, unavailable: 0, unchecked: 0 },
}
const answer = (parts: Partial<Answer>) =>
  ({
    ...{
      runId: 'r',
      status: 'answered',
      stopReason: 'answered',
      answer: 'Bath',
      claims: [],
      citations: [{ n: 1 }],
    },
    ...{ coverage, costUsd: 0.5, timings: { wallMs: 1000, modelMs: 1 }, error: null },
    usage: { inputTokens: 1, outputTokens: 2, embeddingTokens: 0, modelCalls: 3, toolCalls: 4 },
    ...parts,
  }) as Answer

describe('the scores of a question', () => {
  it('are the best over all right answers', () => {
    const { scores } = toResult(
      question('a', { answers: ['Rome', 'Bath, Maine', 'Bath'] }),
      answer({}),
    )
    expect(scores).toEqual({ exactMatch: true, gaia: true, f1: 1, label: null })
  })

  it('are wrong where there is no answer, in whatever words that is said', () => {
    const silent = answer({ status: 'unanswered', answer: 'no' })
    const { scores } = toResult(question('a', { answers: ['no'], labels: ['yes', 'no'] }), silent)
    expect(scores).toEqual({ exactMatch: false, gaia: false, f1: 0, label: false })
  })

  it('are none where the right answer is not known', () => {
    const { scores } = toResult(question('a', { answers: [], labels: ['yes', 'no'] }), answer({}))
    expect(scores).toEqual({ exactMatch: null, gaia: null, f1: null, label: null })
  })

  it('take the label with which an answer begins', () => {
    const labelled = question('a', { answers: ['no'], labels: ['yes', 'no'] })
    const { scores } = toResult(labelled, answer({ answer: 'No, it does not [1].' }))
    expect(scores).toMatchObject({ exactMatch: false, label: true })
  })
})

describe('the scores of a set', () => {
  it('count claims over all questions, and never take an unknown cost for nothing', () => {
    const results = [
      toResult(
        question('a'),
        answer({
          coverage: {
            ...coverage,
            claims: 4,
            checked: 3,
            uncited: 0,
            numbersNotFound: 0,
            verbatim: 1,
            supported: 1,
          },
        }),
      ),
      toResult(
        question('b'),
        answer({
          costUsd: null,
          answer: 'Rome',
          coverage: {
            ...coverage,
            claims: 1,
            checked: 1,
            uncited: 0,
            numbersNotFound: 0,
            supported: 1,
          },
        }),
      ),
      toFailedResult(question('c'), { code: 'model_failed', message: 'x', retryable: false }, 'r'),
    ]
    const [summary, ...others] = summarize(results)
    expect(others).toEqual([])
    expect(summary).toMatchObject({
      questions: 3,
      statuses: { answered: 2, partial: 0, unanswered: 0, failed: 1 },
      exactMatch: { hits: 1, of: 3 },
      f1: 1 / 3,
      label: null,
      support: { hits: 3, of: 4 },
      coverage: { hits: 4, of: 5 },
      cost: { knownUsd: 0.5, unknown: 2 },
      seconds: { p50: 1, p95: 1 },
      usage: { inputTokens: 2, modelCalls: 6 },
    })
  })

  it('are told for each set and for all together', () => {
    const results = [question('a'), question('b', { set: 't' })].map((one) =>
      toResult(one, answer({})),
    )
    expect(summarize(results).map(({ set, questions }) => [set, questions])).toEqual([
      ['s', 1],
      ['t', 1],
      ['all', 2],
    ])
  })

  it('have no known cost where none is known', () => {
    const [summary] = summarize([toResult(question('a'), answer({ costUsd: null }))])
    expect(summary?.cost).toEqual({ knownUsd: null, unknown: 1 })
  })
})

describe('a rate', () => {
  it.each([
    // Computed with SciPy: binomtest(hits, of).proportion_ci(method="wilson").
    [8, 10, 0.4901625, 0.9433178],
    [1, 100, 0.0017674, 0.0544862],
    [50, 100, 0.4038315, 0.5961685],
  ])('of %d in %d has the Wilson interval from %d to %d', (hits, of, low, high) => {
    const rate = computeRate(hits, of)
    expect(rate?.rate).toBe(hits / of)
    expect(rate?.low).toBeCloseTo(low, 6)
    expect(rate?.high).toBeCloseTo(high, 6)
  })

  it('never leaves 0 to 1, and is none of no cases', () => {
    expect(computeRate(0, 7)).toMatchObject({ low: 0, rate: 0 })
    expect(computeRate(7, 7)).toMatchObject({ high: 1, rate: 1 })
    expect(computeRate(0, 0)).toBe(null)
  })
})

describe('a percentile', () => {
  it('is the nearest rank', () => {
    const values = [5, 1, 4, 2, 3]
    expect(computePercentile(values, 0.5)).toBe(3)
    expect(computePercentile(values, 0.95)).toBe(5)
    expect(computePercentile([7], 0.95)).toBe(7)
    expect(computePercentile([], 0.5)).toBe(null)
  })
})
