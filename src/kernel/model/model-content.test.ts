import { describe, expect, it } from 'vitest'
import { computeCostUsd, toUsage } from './model-content.ts'

const price = {
  inputUsdPerMTok: 2,
  outputUsdPerMTok: 10,
  cachedInputUsdPerMTok: 0.2,
  cacheWriteUsdPerMTok: 2.5,
  longPrompt: { aboveTokens: 1_000_000, inputUsdPerMTok: 4, outputUsdPerMTok: 15 },
}
const million = 1_000_000

/** What is reported of a call. */
function usageOf(total: number, cacheRead?: number, cacheWrite?: number) {
  const inputTokens = { total, noCache: undefined, cacheRead, cacheWrite }
  return toUsage(
    { inputTokens, outputTokens: { total: million, text: undefined, reasoning: undefined } },
    price,
  )
}

describe('what a call costs', () => {
  it.each<[string, [total: number, cacheRead?: number, cacheWrite?: number], number]>([
    ['without a cache', [million], 2 + 10],
    ['with half of it from the cache', [million, million / 2], 1 + 0.1 + 10],
    ['with half of it written to the cache', [million, 0, million / 2], 1 + 1.25 + 10],
    ['with a long prompt', [2 * million], 8 + 15],
    ['with a long prompt, some of it from the cache', [2 * million, million], 4 + 4 + 15],
  ])('%s', (_how, reported, costUsd) => {
    expect(usageOf(...reported).costUsd).toBeCloseTo(costUsd, 9)
  })

  it('is at most what it costs with all of it written to the cache', () => {
    expect(computeCostUsd(million, million, price)).toBeCloseTo(2.5 + 10, 9)
    const flat = { inputUsdPerMTok: 2, outputUsdPerMTok: 10 }
    expect(computeCostUsd(million, million, flat)).toBeCloseTo(12, 9)
  })

  it('is not known where the price is not', () => {
    expect(computeCostUsd(1, 1, null)).toBeNull()
    const cheapWrites = { inputUsdPerMTok: 3, outputUsdPerMTok: 0, cacheWriteUsdPerMTok: 1 }
    expect(computeCostUsd(million, 0, cheapWrites)).toBeCloseTo(3, 9)
  })
})
