import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
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
  /** The modules that importing an entry point loads. */
  function loadedBy(entry: string): readonly string[] {
    const code = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      await import(${JSON.stringify(new URL(entry, root).href)})
      console.log(JSON.stringify(loaded))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(output.toString()) as string[]
  }

  it.each([
    ['src/kernel/index.ts', ['kernel']],
    ['src/citations/index.ts', ['kernel', 'citations']],
  ])('%s loads its own folders, zod and nothing else', (entry, folders) => {
    const loaded = loadedBy(entry).filter((url) => url.startsWith('file:'))
    expect(loaded.length).toBeGreaterThan(1)
    const unexpected = loaded.filter((url) => {
      const [, folder] = /\/src\/([^/]+)\//.exec(url) ?? []
      if (url.includes('/node_modules/')) return !url.includes('/node_modules/zod/')
      return folder === undefined || !folders.includes(folder)
    })
    expect(unexpected).toEqual([])
  })
})
