import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importCycles, importViolations, undeclaredPackages } from './import-rules.ts'
import { importTable } from './import-table.ts'
import { codeUnder, root, type SourceFile } from './source-file.ts'

const source = codeUnder('src')

describe('imports in src/', () => {
  it('follow the import table', () => {
    expect(importViolations(source, importTable)).toEqual([])
  })

  it('make no circle', () => {
    expect(importCycles(source)).toEqual([])
  })

  it('use only packages that package.json names', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync(`${root}package.json`, 'utf8'),
    )
    const named = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    expect(undeclaredPackages(source, named)).toEqual([])
  })
})

const files = (texts: Readonly<Record<string, string>>): readonly SourceFile[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }))

const violationsOf = (path: string, text: string) =>
  importViolations(files({ [path]: text }), importTable)

describe('the check of the import table', () => {
  it.each([
    ['an import', "import { a } from '../graph/a.ts'"],
    ['an import of a type', "import type { A } from '../graph/a.ts'"],
    ['a re-export', "export { a } from '../graph/a.ts'"],
    ['a re-export of everything', "export * from '../graph/a.ts'"],
    ['a lazy import', "export const load = () => import('../graph/a.ts')"],
    ['a type of a lazy import', "export type A = import('../graph/a.ts').A"],
    ['a worker', "export const url = new URL('../graph/a.ts', import.meta.url)"],
  ])('finds %s that is not allowed', (_form, text) => {
    expect(violationsOf('src/kernel/x.ts', `\n${text}`)).toEqual([
      'src/kernel/x.ts:2 imports src/graph/a.ts: kernel may not import graph',
    ])
  })

  it('names a folder it does not know', () => {
    expect(violationsOf('src/helpers/x.ts', '')).toEqual([
      'src/helpers/x.ts is in no folder of the import table',
    ])
  })

  it('leaves tests alone, and nothing may import one', () => {
    expect(violationsOf('src/kernel/x.test.ts', "import '../cli/main.ts'")).toEqual([])
    expect(violationsOf('src/kernel/x.ts', "import './y.test.ts'")).toHaveLength(1)
    expect(violationsOf('src/kernel/x.ts', "import '../../test/y.ts'")).toHaveLength(1)
  })

  it('lets stores import contracts as types only', () => {
    const path = 'src/stores/sqlite/x.ts'
    expect(violationsOf(path, "import type { L } from '../../retrieval/l.ts'")).toEqual([])
    expect(violationsOf(path, "import { l } from '../../retrieval/l.ts'")).toHaveLength(1)
  })

  it('keeps the wings and the faces apart', () => {
    expect(violationsOf('src/ask/x.ts', "import { a } from '../papers/a.ts'")).toHaveLength(1)
    expect(violationsOf('src/ask/roles/x.ts', "import '../a.ts'")).toEqual([])
    expect(violationsOf('src/cli/x.ts', "import '../acp/a.ts'")).toHaveLength(1)
  })
})

describe('the check of circles', () => {
  it('names the files of a circle, and no others', () => {
    const circle = files({
      'src/kernel/a.ts': "import './b.ts'",
      'src/kernel/b.ts': "import type { C } from './c.ts'",
      'src/kernel/c.ts': "export const load = () => import('./a.ts')",
      'src/kernel/d.ts': "import './a.ts'",
    })
    expect(importCycles(circle)).toEqual([
      ['src/kernel/a.ts', 'src/kernel/b.ts', 'src/kernel/c.ts'],
    ])
  })
})

describe('the check of packages', () => {
  it('knows scoped packages and paths inside packages', () => {
    const text = "import '@a/b/c'\nimport 'zod/v4'\nimport 'node:fs'\nimport 'left-pad'"
    expect(undeclaredPackages(files({ 'src/kernel/x.ts': text }), ['@a/b', 'zod'])).toEqual([
      'src/kernel/x.ts:4 imports left-pad',
    ])
  })
})
