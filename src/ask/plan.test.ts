import { describe, expect, it } from 'vitest'
import { type Needs, parseNeeds, resolveNeeds, sequentialNeeds, toNumberedNeeds } from './plan.ts'

describe('readNeeds', () => {
  it('gives indexes, each once', () => {
    expect(parseNeeds([[], [1, 1], [2, 1, 2]], 3)).toEqual({ needs: [[], [0], [1, 0]] })
  })

  it('gives none where no step needs another, however many lists there are', () => {
    expect(parseNeeds([[], []], 3)).toEqual({ needs: [] })
  })

  it.each<[Needs, number]>([
    [[[], [2]], 2],
    [[[], [0.5]], 2],
    [[[], [1]], 3],
  ])('refuses %j for %i steps', (given, count) => {
    expect(parseNeeds(given, count)).toHaveProperty('problem')
  })
})

describe('resolveNeeds', () => {
  const of = (given: unknown, researchSteps = ['a', 'b', 'c']) =>
    resolveNeeds({ researchSteps, needs: given as Needs })

  it('gives what fits the steps', () => {
    expect(of([[], [0], [1, 0]])).toEqual([[], [0], [1, 0]])
    expect(of([])).toEqual([[], [], []])
  })

  it.each([
    [[[], [0]]],
    [[[], [0], [1], []]],
    [[[], [0], [2]]],
    [[[], [0], [-1]]],
    [[[], [0.5], []]],
    [[[], [null], []]],
    [[[], ['0'], []]],
    [[null, [], []]],
    [[[], {}, []]],
    [[0, 1, 2]],
  ])('%j, which no planner gave, is the plan\u2019s order', (needs) => {
    expect(of(needs)).toEqual(sequentialNeeds(3))
    expect(toNumberedNeeds(of(needs))).toEqual([[], [1], [1, 2]])
  })
})
