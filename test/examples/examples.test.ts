import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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

  it.each(names)('%s has fewer than 30 lines of code', (name) => {
    const lines = readFileSync(new URL(name, folder), 'utf8').split('\n')
    const code = lines.filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*\*)/.test(line))
    expect(code.length).toBeLessThan(30)
  })

  it('are all in their list', () => {
    const list = readFileSync(new URL('README.md', folder), 'utf8')
    for (const name of names) expect(list).toContain(`(${name})`)
  })
})
