import { describe, expect, it } from 'vitest'
import type { ReadPassage } from './claim.ts'
import { passageId, type SourceId } from './source.ts'
import { rememberPassages } from './source-text.ts'

const sourceId = 'a'.repeat(64) as SourceId
const passages = Array.from({ length: 400 }, (_, index): ReadPassage => {
  const text = `Oak ${index} grew by 12 %.`
  const place = { start: index * 100, end: index * 100 + text.length }
  return { n: 1, sourceId, passageId: passageId(sourceId, place.start, place.end), ...place, text }
})

describe('passages that are ready for comparison', () => {
  it('are made once, and of very many those that were not asked for longest again', () => {
    const prepare = rememberPassages()
    const [first, second] = passages.slice(0, 2).map((passage) => prepare(passage))
    for (const passage of passages) {
      prepare(passage)
      expect(prepare(passages[0] as ReadPassage)).toBe(first)
    }
    const again = prepare(passages[1] as ReadPassage)
    expect(again).not.toBe(second)
    expect(again).toEqual(second)
  })
})
