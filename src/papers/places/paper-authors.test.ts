import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { authorNames } from './paper-authors.ts'

describe('authorNames', () => {
  it.each([
    [
      ['Ada Quill', 'Bruno Hatherley'],
      ['Ada Quill', 'Bruno Hatherley'],
    ],
    [
      [{ name: 'Ada Quill' }, { name: null }, { family: 'Hatherley', given: 'Bruno' }],
      ['Ada Quill', 'Bruno Hatherley'],
    ],
    [{ name: 'Ada Quill', affiliation: 'X' }, ['Ada Quill']],
    [{ 0: 'Ada Quill', 1: { name: 'Bruno Hatherley' } }, ['Ada Quill', 'Bruno Hatherley']],
    ['Ada Quill', ['Ada Quill']],
    ['Ada Quill, Bruno Hatherley and Carla Osei', ['Ada Quill', 'Bruno Hatherley', 'Carla Osei']],
    ['Ada Quill, Bruno Hatherley, and Carla Osei', ['Ada Quill', 'Bruno Hatherley', 'Carla Osei']],
    ['Quill, Ada and Hatherley, Bruno', ['Ada Quill', 'Bruno Hatherley']],
    ['Quill, Ada; Hatherley, Bruno', ['Ada Quill', 'Bruno Hatherley']],
    ['Quill, A., Hatherley, B. C.', ['A. Quill', 'B. C. Hatherley']],
    ['Ada Quill et al.', ['Ada Quill et al.']],
    ['Ada Quill, et al.', ['Ada Quill']],
    ['["Ada Quill", "Bruno Hatherley"]', ['Ada Quill', 'Bruno Hatherley']],
    ["['Ada Quill', \"Bruno O'Hatherley\"]", ['Ada Quill', "Bruno O'Hatherley"]],
    [['Quill, Ada'], ['Ada Quill']],
    [
      ['van den Berg, Jan', 'Plato'],
      ['Jan van den Berg', 'Plato'],
    ],
    [undefined, []],
    [7, []],
    ['', []],
    [[1, null, '', {}], []],
  ])('reads %j', (value, names) => {
    expect(authorNames(value)).toEqual(names)
  })

  it('never throws, and gives lines of text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.anything()), (value) => {
        for (const name of authorNames(value)) expect(name).toMatch(/^[^\p{Cc}]+$/u)
      }),
      { numRuns: 2_000 },
    )
  })
})
