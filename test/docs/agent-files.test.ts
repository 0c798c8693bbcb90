import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { root } from '../repo/source-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-docs-'))
const app = createApp({ home: join(folder, 'home'), folder, environment: {} })
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const page = readFileSync(join(root, 'docs/yaml-agents.md'), 'utf8')
const files = [...page.matchAll(/^```yaml\n(name: (\S+)\n[\s\S]*?)^```$/gm)].map(
  ([, text = '', name = '']) => ({ name, text }),
)
for (const { name, text } of files) writeFileSync(join(folder, `${name}.yaml`), text)

describe('the agent files in docs/yaml-agents.md', () => {
  it.each(files)('$name is valid, without a warning', async ({ name }) => {
    const check = await app.validateAgent(`${name}.yaml`, { isStrict: true })
    expect(check.problems).toEqual([])
  })

  it.each([
    ['greet', { who: 'Ada' }, { output: 'Hello Ada, you have 3 letters.' }],
    ['careful', {}, { output: expect.stringContaining('It failed: Python, line 1') }],
    ['grade', {}, { output: 'good' }],
    ['grade', { score: 6 }, { output: 'not yet' }],
    ['four-languages', {}, { state: { squares: [0, 1, 4, 9], sum: 14, half: 7, all: [14, 7] } }],
    ['halve', {}, { state: { n: 2, rounds: 4 } }],
    ['at-once', {}, { state: { lengths: [5, 4, 5] } }],
  ])('%s does what the page says', async (name, input, expected) => {
    const result = await app.runAgent(`${name}.yaml`, input)
    expect(result).toMatchObject({ status: 'answered', ...expected })
  })

  it('are all of them', () => {
    expect(files.map(({ name }) => name)).toContain('with-a-secret')
    expect(files.length).toBe(page.match(/^```yaml$/gm)?.length)
  })
})
