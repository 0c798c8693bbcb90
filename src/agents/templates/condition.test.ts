import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../../kernel/json.ts'
import { createTemplates, type Templates } from './templates.ts'

let templates: Templates
beforeAll(async () => {
  templates = await createTemplates()
})

const state = { on: true, off: false, n: 3, no_text: 'No', word: 'x', list: [], items: ['a'] }

describe('conditions', () => {
  it.each<[Json, boolean]>([
    ['on', true],
    ['off', false],
    ['missing', false],
    ['no_text', false],
    ['!on', false],
    ['!missing', true],
    ['! off', true],
    ['!!on', true],
    ['True', true],
    ['true', true],
    ['False', false],
    ['!false', true],
    ['None', false],
    ['state.n > 2 and not state.off', true],
    ['!(state.n > 2)', false],
    ['state.n != 3', false],
    ["'a' in state.items", true],
    ['state.list', false],
    ['{{ state.n == 3 }}', true],
    ['{{ state.n }} ', true],
    ['!{{ state.n }}', false],
    ['{% if state.on %}false{% else %}true{% endif %}', false],
    ['{{ state.word }}{{ state.missing }}', true],
    ['{{ state.off }}{{ state.missing }}', false],
    ['', false],
    [true, true],
    [null, false],
    [0, false],
    [[], false],
    [{}, false],
    ['0', false],
    ['"none"', false],
    ['" FALSE "', false],
  ])('%j is %j', (condition, value) => {
    expect(templates.isTrue(condition, { state })).toEqual({ value })
  })

  it.each([
    ['state.missing > 1', 'cannot be compared'],
    ['state.n &&', 'Write `and`'],
    ['{{ state.n', 'not closed'],
    ['not on', 'Write `state.on`'],
    ['!state.n >', 'ends too early'],
  ])('%s does not hold, and says why', (condition, problem) => {
    expect(templates.isTrue(condition, { state })).toEqual({
      value: false,
      problem: expect.stringContaining(problem),
    })
  })
})
