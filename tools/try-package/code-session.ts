// The coding agent without anybody to ask, as a command, with a model over HTTP: it may edit, and may not run anything.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startScriptedModel } from '../../src/testing/index.ts'

const workspace = mkdtempSync(join(tmpdir(), 'scholium-'))
const file = join(workspace, 'add.mjs')
writeFileSync(file, 'export const add = (a, b) => a - b\n')
const model = await startScriptedModel(({ number }) => {
  if (number === 1) return { toolCalls: [{ name: 'read', input: { path: 'add.mjs' } }] }
  const change = { path: 'add.mjs', old_text: 'a - b', new_text: 'a + b' }
  if (number === 2) return { toolCalls: [{ name: 'edit', input: change }] }
  if (number === 3) return { toolCalls: [{ name: 'bash', input: { command: 'touch made.txt' } }] }
  return { text: 'Mended.' }
})
const launcher = fileURLToPath(import.meta.resolve('scholium/package.json')).replace(
  'package.json',
  'bin/scholium.js',
)
const options = ['--workspace', workspace, '--model', 'openai-compatible:scripted']
const command = [launcher, 'code', '-p', 'Mend it.', '--allow', 'edit', ...options, '--json']
try {
  const env = { ...process.env, OPENAI_BASE_URL: model.url }
  const running = promisify(execFile)(process.execPath, command, { env })
  running.child.stdin?.end()
  const outcome = await running.catch((error) => error)
  console.log(outcome.stdout)
  assert.equal(outcome.code, 3, outcome.stderr)
  const { filesChanged, refused } = JSON.parse(outcome.stdout)
  assert.deepEqual([filesChanged, refused.length], [['add.mjs'], 1])
  assert.match(readFileSync(file, 'utf8'), /a \+ b/)
} finally {
  await model.close()
  rmSync(workspace, { recursive: true })
}
