import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from './source-file.ts'

const run = promisify(execFile)
const isInstalled = existsSync(`${root}tools/api-docs/node_modules/typedoc`)

it.skipIf(!isInstalled)('TypeDoc finds a doc comment on every export and its members', async () => {
  const checking = run(process.execPath, ['tools/api-docs.js', '--emit', 'none'], { cwd: root })
  const { stdout } = await checking.catch((error: { stdout: string }) => error)
  expect(stdout.split('\n').filter((line) => line.includes('documentation'))).toEqual([])
})
