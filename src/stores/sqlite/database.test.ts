import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

describe('a database below a folder that cannot be made', () => {
  it.skipIf(process.platform !== 'linux')('fails at once instead of trying for ever', () => {
    const code = `
      import { openDatabase } from ${JSON.stringify(new URL('./database.ts', import.meta.url).href)}
      try { openDatabase('/proc/scholium/runs.db') } catch (error) { console.log(error.code) }`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    expect(output.toString().trim()).toBe('ENOENT')
  })
})
