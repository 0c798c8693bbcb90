import { describe, expect, it } from 'vitest'
import { benchNames, findMissing, loadBench, measureApart } from './benches.ts'

const benches = await Promise.all(
  benchNames.map(async (name) => ({ name, missing: findMissing(await loadBench(name)) })),
)

it('names what a bench lacks, and the command that installs packages', () => {
  const needs = ['SCHOLIUM_ABSENT', 'PATH', 'scholium-absent', 'sh', 'bench/log']
  const bench = { title: '', needs, run: async () => [] }
  expect(findMissing(bench)).toEqual([
    'SCHOLIUM_ABSENT',
    'scholium-absent',
    'packages (npm ci --prefix bench/log)',
  ])
})

describe('the smallest form of each bench', () => {
  for (const { name, missing } of benches) {
    const title = missing.length === 0 ? name : `${name} (needs ${missing.join(', ')})`
    it.skipIf(missing.length > 0)(
      `runs and gives figures: ${title}`,
      async () => {
        expect(await measureApart(name, 'smoke')).not.toEqual([])
      },
      120_000,
    )
  }
})
