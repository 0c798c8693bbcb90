import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { namesInTests, publicNames } from './public-api.ts'
import { codeUnder, filesUnder, root, type SourceFile } from './source-file.ts'

const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const code = codeUnder('src', 'test', 'examples')
const files = byPath(code)

/** The source of each entry point of the package: `./dist/kernel/index.js` is built from `src/kernel/index.ts`. */
const entryPoints: readonly string[] = Object.values<{ default?: string }>(manifest.exports)
  .flatMap((target) => target.default ?? [])
  .map((built) => built.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))

const names = [
  ...new Map(
    entryPoints
      .filter((path) => files.has(path))
      .flatMap((path) => publicNames(path, files))
      .map((found) => [`${found.path} ${found.localName}`, found]),
  ).values(),
]

describe('the public API', () => {
  it('has a source for every entry point of package.json', () => {
    expect(entryPoints.filter((path) => !existsSync(root + path))).toEqual([])
  })

  it('has every src/<folder>/index.ts among the entry points of package.json', () => {
    const indexes = filesUnder('src', ['/index.ts']).filter((path) => path.split('/').length <= 3)
    // By it the command line starts other faces; nobody else does.
    const known = [...entryPoints, 'src/faces.ts']
    expect(indexes.filter((path) => !known.includes(path))).toEqual([])
  })

  it('has a doc comment on every export', () => {
    const bare = names.filter(({ hasDocComment }) => !hasDocComment)
    expect(bare.map(({ path, localName }) => `${path} ${localName}`)).toEqual([])
  })

  it('has every exported function and class imported by a test', () => {
    const tested = namesInTests(code)
    const untested = names.filter(({ isCallable, localName, name }) => {
      return isCallable && !tested.has(localName) && !tested.has(name)
    })
    expect(untested.map(({ path, localName }) => `${path} ${localName}`)).toEqual([])
  })
})

describe('the check of the public API', () => {
  const made = byPath([
    {
      path: 'src/index.ts',
      text: "export * from './a.ts'\nexport { b as c } from './b.ts'\nimport { d } from './b.ts'\nexport { d }",
    },
    { path: 'src/a.ts', text: '/** Says a. */\nexport function a() {}\nexport type T = 1' },
    {
      path: 'src/b.ts',
      text: '// no doc\nconst b = () => 1\n/** D. */\nclass d {}\nexport { b, d }',
    },
  ])

  it('follows names to their declaration', () => {
    expect(publicNames('src/index.ts', made)).toEqual([
      { name: 'a', path: 'src/a.ts', localName: 'a', isCallable: true, hasDocComment: true },
      { name: 'T', path: 'src/a.ts', localName: 'T', isCallable: false, hasDocComment: false },
      { name: 'c', path: 'src/b.ts', localName: 'b', isCallable: true, hasDocComment: false },
      { name: 'd', path: 'src/b.ts', localName: 'd', isCallable: true, hasDocComment: true },
    ])
  })

  it('counts what tests and examples import, and nothing else', () => {
    const tested = namesInTests([
      { path: 'src/a.test.ts', text: "import { a as other } from './a.ts'" },
      { path: 'test/b.ts', text: "import { b } from '../src/b.ts'" },
      { path: 'examples/d.ts', text: "import { d } from '../src/d.ts'" },
      { path: 'src/c.ts', text: "import { c } from './c.ts'" },
    ])
    expect([...tested].sort()).toEqual(['a', 'b', 'd'])
  })
})

function byPath(list: readonly SourceFile[]): ReadonlyMap<string, SourceFile> {
  return new Map(list.map((file) => [file.path, file]))
}
