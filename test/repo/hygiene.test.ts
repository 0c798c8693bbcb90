import { readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filesUnder, root } from './source-file.ts'

const largestReadBytes = 1_000_000

/** Each pattern is written so that it does not find itself. */
const forbidden: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a path of one machine', pattern: /(?<![\w.~-])\/(?:root|home|Users|work)\/(?=\w)/ },
  { what: 'a path of one machine', pattern: /[A-Z]:\\{1,2}Users\\/ },
  {
    what: 'a registry host',
    pattern:
      /registry[.](?:npmjs|yarnpkg)|https?:[/]{2}[^\s"'/]*(?:registry|artifactory|nexus|npmmirror)/,
  },
]

/** Text that matches and is meant: `file` may say `text` for this reason. */
const allowed: readonly {
  readonly file: string
  readonly text: string
  readonly reason: string
}[] = []

describe('files of the checkout', () => {
  const paths = filesUnder('').filter((path) => statSync(root + path).size < largestReadBytes)
  const texts = paths.map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))

  it('name no machine and no registry', () => {
    const found = texts.flatMap(({ path, text }) => offences(path, text))
    expect(found).toEqual([])
  })

  it('have no allowance that nothing needs', () => {
    const unused = allowed.filter(
      ({ file, text }) => !texts.some((found) => found.path === file && found.text.includes(text)),
    )
    expect(unused).toEqual([])
  })
})

describe('the check for machines and registries', () => {
  it.each([
    ['/ro', 'ot/project/a.ts'],
    ['file:///ho', 'me/ann/x'],
    ['"/Us', 'ers/ann/x"'],
    ['"C:\\\\Us', 'ers\\\\ann"'],
    ['https://regis', 'try.npmjs.org/zod'],
    ['https://npm-regis', 'try.example.com/zod.tgz'],
  ])('finds %s…', (start, end) => {
    expect(offences('x.ts', `see ${start}${end}`)).toHaveLength(1)
  })

  it.each([
    'src/home/x.ts',
    'https://www.npmjs.com/package/zod',
    '../notes/x',
    'https://a.org/home/x',
    '/homework/x',
  ])('leaves %s alone', (text) => {
    expect(offences('x.ts', `see ${text}`)).toEqual([])
  })
})

function offences(path: string, text: string): readonly string[] {
  const kept = allowed
    .filter(({ file }) => file === path)
    .reduce((rest, { text: meant }) => rest.replaceAll(meant, ''), text)
  return kept
    .split('\n')
    .flatMap((line, index) =>
      forbidden
        .filter(({ pattern }) => pattern.test(line))
        .map(({ what }) => `${path}:${index + 1} has ${what}`),
    )
}
