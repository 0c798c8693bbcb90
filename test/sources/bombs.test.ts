import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bombs } from './bombs.ts'

/** The time for one file, and some for ending its worker; a large workbook asks for more than 10 s only by its size. */
const MOST_MS = 30_000
/** Two workers' heaps and what lies outside them would be 3 GB: no bomb gets near. */
const MOST_GROWTH_BYTES = 1_500_000_000

const folder = mkdtempSync(join(tmpdir(), 'scholium-bombs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Outcome {
  readonly path: string
  readonly waitedMs: number
  readonly end: string
  readonly detail?: string
  readonly hint?: string
}
const outcomes: Outcome[] = []
let grownBytes = Number.POSITIVE_INFINITY

describe('files that would take far more than their size', () => {
  beforeAll(async () => {
    for (const [name, { make }] of Object.entries(bombs)) writeFileSync(join(folder, name), make())
    writeFileSync(join(folder, 'zz-last.md'), 'The last file is read.')
    const script = fileURLToPath(new URL('./read-folder.ts', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [script, folder])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    ;({ grownBytes } = lines.pop())
    outcomes.push(...lines)
  }, 120_000)

  it.each(Object.entries(bombs))('%s ends within its limits', (name, { ends }) => {
    const of = outcomes.filter(({ path }) => path === name || path.startsWith(`${name}/`))
    expect(of.length).toBeGreaterThan(0)
    expect(of.length).toBeLessThan(40)
    for (const { end, waitedMs, detail, hint } of of) {
      expect(ends).toContain(end)
      expect(waitedMs).toBeLessThan(MOST_MS)
      if (end !== 'read')
        expect(`${detail} ${hint}`).toMatch(/^[A-Z][^\n]{10,}\. [A-Z][^\n]{10,}\.$/)
    }
  })

  it('do not keep what lies next to them from being read', () => {
    const read = outcomes.filter(({ end }) => end === 'read').map(({ path }) => path)
    expect(read).toEqual(expect.arrayContaining(['classic.zip/beside.txt', 'zz-last.md']))
  })

  it('do not make the process swell', () => {
    expect(grownBytes).toBeLessThan(MOST_GROWTH_BYTES)
  })
})
