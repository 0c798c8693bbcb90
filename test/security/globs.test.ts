import { createContext, Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { compileGlob } from '../../src/code/tools/search/glob-pattern.ts'
import { findIgnoreVerdict, parseIgnoreFile } from '../../src/code/tools/search/walk-folder.ts'

/** The outcome of some work that nothing could interrupt from outside. @throws where it does not end */
function ended<T>(run: () => T): T {
  return new Script('run()').runInContext(createContext({ run }), { timeout: 30_000 })
}

/** A glob, and a path that fits it up to its end only. */
const endless: readonly (readonly [glob: string, path: string])[] = [
  ['*a*a*a*a*a*a*a*a*a*b', `b${'a'.repeat(250)}`],
  ['*?*?*?*?*?*?*?*?*?*b', `b${'a'.repeat(250)}`],
  ['**/**/**/**/**/**/**/x', `${'x/'.repeat(1500)}y`],
  ['**/a/**/a/**/a/**/a/**/b', `b/${'a/'.repeat(1500)}c`],
  ['**/*a*a*a*a*a*/b', `b/${`${'a'.repeat(200)}/`.repeat(15)}c`],
  [`[${'\\'.repeat(61)}`, 'a'],
  [`[]${'\\'.repeat(61)}`, 'a'],
]

describe('a search by paths comes to its end', () => {
  it.each(endless)('with the glob %s', (glob, path) => {
    expect(ended(() => compileGlob(glob)(path.split('/')))).toBe(false)
  })

  it.each([...'1248'].map((times) => '{*,a,*a}'.repeat(Number(times))))('with %s', (glob) => {
    const outcome = () => compileGlob(`${glob}b`)([`b${'a'.repeat(250)}`])
    if (glob.length > 60) expect(() => ended(outcome)).toThrow('alternatives at most')
    else expect(ended(outcome)).toBe(false)
  })

  it.each([
    ...endless,
    [`a${' '.repeat(400_000)}b`, 'a'] as const,
    ['['.repeat(400_000), 'a'] as const,
  ])('with the line of an ignore file, number %#', (line, path) => {
    const file = () => parseIgnoreFile(`${line}\nkept\n`, (way) => way)
    expect(ended(() => findIgnoreVerdict([file()], path, false))).toBeUndefined()
  })
})
