import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LabelledText, labelledSet } from './labelled-set.ts'
import { parseOwn } from './parsers.ts'
import { scoreOf, tally } from './score.ts'

const data = process.env.SCHOLIUM_DATA

describe.skipIf(!data)('a tenth of the labelled texts (needs SCHOLIUM_DATA)', () => {
  const all = data === undefined ? [] : labelledSet(join(data, '05-llm-output'))
  const items = all.filter((_item, index) => index % 10 === 0)

  it('are the same at every time, each in one half', () => {
    // The texts that are code are this repository's own and change with it.
    const made = (set: readonly LabelledText[]) =>
      JSON.stringify(set.filter(({ kind }) => kind !== 'code'))
    const again = labelledSet(join(data as string, '05-llm-output'))
    expect(made(again) === made(all)).toBe(true)
    expect(new Set(all.map(({ id, kind }) => `${kind} ${id}`)).size).toBe(all.length)
    const dev = all.filter(({ half }) => half === 'dev').length
    expect(dev / all.length).toBeGreaterThan(0.4)
    expect(dev / all.length).toBeLessThan(0.6)
  })

  it('have calls of offered tools in their texts, or none', () => {
    for (const { calls, tools, text } of items) {
      for (const { toolName } of calls) {
        expect(tools.map(({ name }) => name)).toContain(toolName)
        expect(text).toContain(toolName)
      }
    }
    expect(items.some(({ calls }) => calls.length === 0)).toBe(true)
    expect(items.some(({ calls }) => calls.length > 1)).toBe(true)
  })

  it('are read with the precision and recall that are promised, in both halves', () => {
    for (const half of ['dev', 'held-out']) {
      const inHalf = items.filter((item) => item.half === half)
      const positives = inHalf.filter(({ calls, isMain }) => calls.length > 0 && isMain)
      const negatives = inHalf.filter(({ calls }) => calls.length === 0)
      const score = scoreOf(
        [...tally(positives, parseOwn).values()],
        [...tally(negatives, parseOwn).values()],
      )
      expect(score.precision).toBeGreaterThanOrEqual(0.99)
      expect(score.recall).toBeGreaterThanOrEqual(0.95)
    }
  })
})

describe('the score', () => {
  it('counts what is taken from a text without calls, and a text whose calls are not all right', () => {
    const positive = { texts: 10, right: 8, wrong: 1 }
    const negative = { texts: 10, right: 9, wrong: 1 }
    expect(scoreOf([positive], [negative])).toEqual({ precision: 0.8, recall: 0.8 })
  })
})
