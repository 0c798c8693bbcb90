import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../repo/source-file.ts'

describe.skipIf(!existsSync('/bin/bash'))(
  'hostile lines that are let through (needs /bin/bash)',
  () => {
    it('are really run, and do nothing but read what is open', () => {
      const words = [join(root, 'bench/command-judge/fuzz.ts'), '--lines', '1500', '--seed', '3']
      const { stdout, status } = spawnSync(process.execPath, words, { encoding: 'utf8' })
      const { outsideEffects, run } = JSON.parse(stdout)
      expect(outsideEffects).toEqual([])
      expect(run).toBeGreaterThan(80)
      expect(status).toBe(0)
    }, 300_000)
  },
)
