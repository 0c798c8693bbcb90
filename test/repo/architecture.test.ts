import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluatedByProgram } from '../evaluated.ts'
import { importTableText } from './import-table-text.ts'

const root = new URL('../../', import.meta.url)

describe('docs/architecture.md', () => {
  it('has the import table as it is checked', () => {
    const entries = readdirSync(new URL('src/', root))
    const folders = entries.filter((name) => !name.endsWith('.test.ts'))
    const text = readFileSync(new URL('docs/architecture.md', root), 'utf8')
    expect(text).toContain(importTableText(folders))
  })
})

describe('the feature switch', () => {
  it.each([
    ['src/kernel/index.ts', ['kernel']],
    ['src/citations.ts', ['kernel', 'citations', 'claims', 'bibliography']],
  ])('%s loads its own folders, zod and nothing else', async (entry, folders) => {
    const built = entry.replace('src/', './dist/').replace('.ts', '.js')
    const modules = await evaluatedByProgram(`import '${built}'`)
    expect(modules).toContain('src/kernel/errors.ts')
    const expected = new RegExp(`^(?:node_modules/zod|src/(?:${folders.join('|')}))/`)
    expect(modules.filter((path) => !expected.test(path))).toEqual([])
  })
})
