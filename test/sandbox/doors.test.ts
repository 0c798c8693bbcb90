import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = fileURLToPath(new URL('hostile-child.ts', import.meta.url))
const run = promisify(execFile)

describe('the doors of a sandbox process', () => {
  it.each([
    ['with the permission model', ['--permission', `--allow-fs-read=${root}`]],
    ['without it', []],
  ])(
    'are closed to foreign JavaScript, %s',
    async (_, permissions) => {
      let connections = 0
      const server = createServer((socket) => {
        connections++
        socket.destroy()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { readonly port: number }
      const flags = ['--no-warnings', '--disallow-code-generation-from-strings', ...permissions]
      const given = [program, String(port), String(process.pid), `${root}package.json`]
      const { stdout } = await run(process.execPath, [...flags, ...given], { env: {} })
      server.close()
      const { tried, outcomes } = JSON.parse(stdout)
      expect(tried).toBeGreaterThan(35)
      expect(outcomes).toEqual([])
      expect(connections).toBe(0)
    },
    60_000,
  )
})
