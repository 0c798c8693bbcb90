import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderByNeeds, parseDecomposition, type SubProblem } from './sub-problems.ts'

function read(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const reading = parseDecomposition(text)
  return reading.ok ? reading.value : reading.error.details
}

const part = (id: string, dependsOn: readonly string[] = []): SubProblem => ({
  id,
  description: `part ${id}`,
  dependsOn,
})

describe('parseDecomposition', () => {
  it('reads three sub-problems with ids and needs', () => {
    const sub_problems = [
      { id: 'a', description: 'How long?' },
      { id: 2, description: 'How wide?', depends_on: [] },
      { id: 'c', problem: 'What area?', depends_on: ['a', 2, 'a'] },
    ]
    expect(read({ sub_problems })).toEqual([
      { id: 'a', description: 'How long?', dependsOn: [] },
      { id: '2', description: 'How wide?', dependsOn: [] },
      { id: 'c', description: 'What area?', dependsOn: ['a', '2'] },
    ])
  })

  it.each([
    ['{"sub_problems": ["one", "two", "three"]}'],
    ['Here they are:\n```json\n["one", "two", "three"]\n```'],
  ])('reads three descriptions: %s', (text) => {
    expect(read(text)).toEqual(
      ['one', 'two', 'three'].map((description, index) => ({
        id: String(index + 1),
        description,
        dependsOn: [],
      })),
    )
  })

  it.each([
    ['one, two and three', 'There is no list of sub-problems in it.'],
    [{ sub_problems: 'one' }, 'There is no list of sub-problems in it.'],
    [{ sub_problems: [] }, 'The list of sub-problems is empty.'],
    [{ sub_problems: ['one', ''] }, 'A sub-problem has no description.'],
    [{ sub_problems: Array(11).fill('x') }, 'There are 11 sub-problems; 10 are allowed.'],
    [{ sub_problems: [part('a'), part('a')] }, 'Two sub-problems have the id "a".'],
    [
      { sub_problems: [{ description: 'x', depends_on: ['z'] }] },
      'A sub-problem depends on "z", which is the id of none.',
    ],
  ])('says why %j cannot be used', (value, reason) => {
    expect(read(value)).toMatchObject({ reason })
  })

  it.each([
    [
      [
        ['a', ['b']],
        ['b', ['a']],
      ],
      ['a', 'b', 'a'],
    ],
    [[['a', ['a']]], ['a', 'a']],
    [
      [
        ['free', []],
        ['x', ['y']],
        ['y', ['z']],
        ['z', ['y']],
      ],
      ['y', 'z', 'y'],
    ],
  ] as [[string, string[]][], string[]][])('names the circle in %j', (parts, cycle) => {
    const sub_problems = parts.map(([id, depends_on]) => ({ id, description: 'x', depends_on }))
    expect(read({ sub_problems })).toMatchObject({
      cycle,
      reason: expect.stringContaining(cycle.join(' → ')),
    })
  })
})

describe('orderByNeeds', () => {
  it('keeps the order of parts that need nothing, and puts others behind what they need', () => {
    const parts = [part('a', ['c']), part('b'), part('c'), part('d', ['a'])]
    expect(orderByNeeds(parts)).toEqual({ ok: true, indexes: [1, 2, 0, 3] })
  })

  it('orders any parts, or names a circle of theirs', () => {
    const anyParts = fc.integer({ min: 1, max: 8 }).chain((count) => {
      const id = fc.nat(count - 1).map(String)
      return fc
        .array(fc.uniqueArray(id, { maxLength: 3 }), { minLength: count, maxLength: count })
        .map((needs) => needs.map((dependsOn, index) => part(String(index), dependsOn)))
    })
    fc.assert(
      fc.property(anyParts, (parts) => {
        const order = orderByNeeds(parts)
        if (!order.ok) {
          const { cycle } = order
          expect(cycle.length).toBeGreaterThan(1)
          expect(cycle.at(-1)).toBe(cycle[0])
          cycle.slice(1).forEach((needed, index) => {
            expect(parts.find(({ id }) => id === cycle[index])?.dependsOn).toContain(needed)
          })
          return
        }
        expect(order.indexes.toSorted()).toEqual(parts.map((_, index) => index).toSorted())
        order.indexes.forEach((index, place) => {
          const before = order.indexes.slice(0, place).map((one) => parts[one]?.id)
          for (const needed of parts[index]?.dependsOn ?? []) expect(before).toContain(needed)
        })
      }),
    )
  })
})
