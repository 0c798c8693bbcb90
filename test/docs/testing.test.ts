import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const text = readFileSync(new URL('docs/testing.md', root), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'scholium-docs-'))
afterAll(() => rmSync(folder, { recursive: true }))

const snippets = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)

/** The package's public entry points as they stand in the checkout. */
function withSources(code: string): string {
  return code.replaceAll(/from 'scholium\/(\w+)'/g, (_, part: string) => {
    return `from '${new URL(`src/${part}/index.ts`, root).href}'`
  })
}

/** Runs a file of its own; fails with what it printed when it does. */
async function run(name: string, code: string): Promise<void> {
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary, { recursive: true })
  writeFileSync(join(folder, name), withSources(code))
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary }
  await promisify(execFile)(process.execPath, [join(folder, name)], { env })
}

describe('docs/testing.md', () => {
  it('is short, and imports what the package exports', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(180)
    const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
    const parts = snippets.flatMap((code) => [...code.matchAll(/from 'scholium(\/\w+)'/g)])
    expect(parts.length).toBeGreaterThan(5)
    for (const [, part] of parts) expect(exports).toHaveProperty([`.${part}`])
  })

  it('has snippets that run, pasted into one file in their order and nothing else', async () => {
    expect(snippets).toHaveLength(6)
    await run('all.ts', snippets.join('\n'))
  })

  it('asserts what it says, in each of them but the workflow', () => {
    for (const code of snippets.slice(1)) expect(code).toMatch(/^assert\./m)
  })
})
