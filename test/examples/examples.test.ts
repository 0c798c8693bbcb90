import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const folder = new URL('../../examples/', import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith('.ts'))

describe('the examples', () => {
  it.each(names)(
    '%s runs and its assertions hold',
    async (name) => {
      const run = promisify(execFile)(process.execPath, [new URL(name, folder).pathname], {
        timeout: 60_000,
      })
      const { stdout } = await run
      expect(stdout.trim()).not.toBe('')
    },
    60_000,
  )

  it('are all in their list', async () => {
    const { readFile } = await import('node:fs/promises')
    const list = await readFile(new URL('README.md', folder), 'utf8')
    for (const name of names) expect(list).toContain(`(${name})`)
  })
})
