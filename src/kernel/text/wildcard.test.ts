import { expect, it } from 'vitest'
import { matchesWildcard } from './wildcard.ts'

it.each<[pattern: string, fitting: readonly string[], others: readonly string[]]>([
  ['a', ['a'], ['', 'aa', 'b']],
  ['*', ['', 'a', 'a/b\n'], []],
  ['a*', ['a', 'ab'], ['ba', '']],
  ['*a*a*', ['aa', 'xaxax'], ['a', 'xax']],
  ['ab*ba', ['abba', 'abxba'], ['aba', 'ab']],
  ['*.test.*', ['a.test.ts'], ['a.test', 'test.ts']],
  ['(a+)+$', ['(a+)+$'], ['aaa']],
])('%s', (pattern, fitting, others) => {
  expect(fitting.filter((text) => !matchesWildcard(pattern, text))).toEqual([])
  expect(others.filter((text) => matchesWildcard(pattern, text))).toEqual([])
})

it('comes to its end for any pattern', () => {
  expect(matchesWildcard(`${'*a'.repeat(100)}*b`, 'a'.repeat(100_000))).toBe(false)
})
