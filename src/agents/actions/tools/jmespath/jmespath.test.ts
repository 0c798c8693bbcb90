import { describe, expect, it } from 'vitest'
import type { Json } from '../../../../kernel/json.ts'
import { evaluate } from './evaluate.ts'
import { parseJmesPath } from './parse.ts'

const data = {
  users: [
    { name: 'Ada', email: 'a@x.org', status: 'active', age: 36, tags: ['x', 'y'] },
    { name: 'Bob', email: 'b@x.org', status: 'gone', age: 20, tags: [] },
    { name: 'Cy', email: null, status: 'active', age: 51, tags: ['z'] },
  ],
  'odd key': { a: 1, b: 2 },
  matrix: [[1, 2], [3, [4]], 5],
  ops: { one: { n: 1 }, two: { n: 2 }, three: { m: 3 } },
}

const of = (expression: string, value: Json = data) => evaluate(parseJmesPath(expression), value)

describe('JMESPath', () => {
  it.each<[string, Json]>([
    ['users[0].name', 'Ada'],
    ['users[-1].name', 'Cy'],
    ['users[9].name', null],
    ['missing.deep[0]', null],
    ['"odd key".b', 2],
    ['users[*].name', ['Ada', 'Bob', 'Cy']],
    ['users[*].email', ['a@x.org', 'b@x.org']],
    ['users[].tags[]', ['x', 'y', 'z']],
    ['users[*].tags[0]', ['x', 'z']],
    [
      "users[?status=='active'].{name: name, mail: email}",
      [
        { name: 'Ada', mail: 'a@x.org' },
        { name: 'Cy', mail: null },
      ],
    ],
    ['users[?age > `30` && status == `"active"`].name | [0]', 'Ada'],
    ['users[?!email].name', ['Cy']],
    ["users[?age < `30` || name == 'Cy'].age", [20, 51]],
    ['users[:2].name', ['Ada', 'Bob']],
    ['users[::-1].name', ['Cy', 'Bob', 'Ada']],
    ['[users[0].name, length(users)]', ['Ada', 3]],
    ['{names: users[].name, count: length(users)}', { names: ['Ada', 'Bob', 'Cy'], count: 3 }],
    ['matrix[]', [1, 2, 3, [4], 5]],
    ['matrix[][]', [1, 2, 3, 4, 5]],
    ['ops.*.n', [1, 2]],
    ['*.a', [1]],
    ['sort_by(users, &age)[*].name', ['Bob', 'Ada', 'Cy']],
    ['max_by(users, &age).name', 'Cy'],
    ['min_by(users, &age).name', 'Bob'],
    ['sum(users[].age)', 107],
    ['avg(users[].age) > `35`', true],
    ["join(', ', sort(users[].name))", 'Ada, Bob, Cy'],
    ['map(&length(tags), users)', [2, 0, 1]],
    ['keys("odd key")', ['a', 'b']],
    ['values("odd key")', [1, 2]],
    ['merge("odd key", {b: `3`})', { a: 1, b: 3 }],
    ["contains(users[0].tags, 'y')", true],
    ["starts_with(users[0].name, 'A') && ends_with('abc', 'c')", true],
    ["to_number('12.5')", 12.5],
    ["to_number('x')", null],
    ['to_string(`{"a":1}`)', '{"a":1}'],
    ['type(@)', 'object'],
    ['not_null(missing, users[0].age)', 36],
    ['reverse(users[].age)', [51, 20, 36]],
    ['abs(`-2`)', 2],
    ["'it\\'s'", "it's"],
    ['users[0].constructor', null],
  ])('%s', (expression, expected) => {
    expect(of(expression)).toEqual(expected)
  })

  it.each([
    ['users[', 'ends too early'],
    ['users[?', 'ends too early'],
    ['a..b', 'does not fit here'],
    ['a b', 'does not fit here'],
    ['', 'ends too early'],
    ['#', 'not understood'],
    ['`{`', 'not JSON'],
    ['nope(@)', 'no function nope()'],
    ['toString(@)', 'no function toString()'],
    ['length(`1`)', 'not number'],
    ['sum(users)', 'takes numbers'],
    ['sort_by(users, &tags)', 'all numbers or all strings'],
    ['length(@, @)', 'takes 1'],
    ['users[::0]', 'step of 0'],
    [`${'('.repeat(100)}a`, 'too deeply'],
    ['a'.repeat(5_000), 'longer than'],
  ])('says what is wrong with %.20s', (expression, message) => {
    expect(() => of(expression)).toThrow(message)
  })
})
