import { describe, expect, it } from 'vitest'
import { benchNames, findMissing, loadBench, measureApart } from './benches.ts'

const benches = await Promise.all(
  benchNames.map(async (name) => ({ name, missing: findMissing(await loadBench(name)) })),
)

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
