import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  assertionsOf,
  countCoverage,
  findUncovered,
  readSpecifications,
} from '../../tools/checks/seed-coverage.js'
import { root } from './source-file.ts'

const specifications = readSpecifications(root)
/** How many assertions each specification has, by its own count. */
const assertionCounts = {
  'citation-manager': 60,
  'coding-agent': 58,
  'paper-analysis-agents': 183,
  'question-team': 363,
  reasoning: 61,
}

describe('the coverage of specifications', () => {
  it('has every assertion of each once', () => {
    const counts = specifications.map((each) => [each.name, assertionsOf(each).length])
    expect(Object.fromEntries(counts)).toEqual(assertionCounts)
  })
})

describe.each(specifications)('the assertions of $name', (specification) => {
  const { sections, decisions, later } = specification
  const assertions = assertionsOf(specification)

  it('have ids of their own, by section', () => {
    for (const { slug, assertions: own } of sections)
      expect(own.map(({ id }) => id)).toEqual(own.map((_, index) => `${slug}-${index + 1}`))
    expect(new Set(assertions.map(({ id }) => id)).size).toBe(assertions.length)
  })

  it('say what they ask for in at most 12 words', () => {
    const long = assertions.filter(({ asks }) => !/^\S+(?: \S+){1,11}$/.test(asks))
    expect(long.map(({ id }) => id)).toEqual([])
  })

  it('stand on tests, on a decision with tests, or wait: one of these', () => {
    for (const { id, tests = [], decision, later: issue } of assertions) {
      const isWaiting = issue !== undefined
      expect([id, tests.length > 0]).toEqual([id, !isWaiting])
      if (isWaiting)
        expect([id, decision, later[issue]]).toEqual([id, undefined, expect.any(String)])
      if (decision !== undefined) expect(Object.keys(decisions)).toContain(decision)
    }
    const taken = new Set(assertions.map(({ decision }) => decision))
    expect(Object.keys(decisions).filter((key) => !taken.has(key))).toEqual([])
  })

  it('name files that there are, and tests in words enough to know them by', () => {
    for (const test of assertions.flatMap(({ tests = [] }) => tests)) {
      const [file = '', ...titles] = test.split(' › ')
      expect([file, existsSync(join(root, file))]).toEqual([file, true])
      expect([test, titles.length > 1, /\p{L}{3}/u.test(titles.join(' '))]).toEqual([
        test,
        true,
        true,
      ])
    }
  })
})

describe('the check of a run', () => {
  const passed = (title: string, status = 'passed') => ({ ancestorTitles: ['a'], title, status })
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      {
        name: join(root, 'test/x.test.ts'),
        status: 'failed',
        assertionResults: [
          passed('is 1'),
          passed('is 2 (of 2)'),
          passed('of 1 goes'),
          passed('of 2 goes', 'failed'),
          passed('is late', 'skipped'),
        ],
      },
    ],
  }
  const uncovered = (...tests: string[]) =>
    findUncovered([{ id: 'x-1', asks: 'it is so', tests }], report, root)

  it.each(['is 1', 'is 2 (of 2)', 'is 2 (*)'])('takes a test that passed: %s', (title) => {
    expect(uncovered(`test/x.test.ts › a › ${title}`)).toEqual([])
  })

  it.each([
    ['is 3', 'unknown test'],
    ['is', 'unknown test'],
    ['is ? (of 2)', 'unknown test'],
    ['of * goes', 'failed, not passed'],
    ['is *', 'skipped, not passed'],
    ['is late', 'skipped, not passed'],
  ])('names a test that is not there or did not pass: %s', (title, problem) => {
    const test = `test/x.test.ts › a › ${title}`
    expect(uncovered(test)).toEqual([`x-1: ${problem}: ${test}`])
  })

  it('counts what stands on tests, differs, or waits', () => {
    const assertions = [
      { id: 'x-1', asks: 'a b', tests: ['t'] },
      { id: 'x-2', asks: 'a b', tests: ['t'], decision: 'd' },
      { id: 'x-3', asks: 'a b', later: 6 },
    ]
    expect(countCoverage(assertions)).toEqual({ tests: 1, decisions: 1, later: 1 })
  })
})
