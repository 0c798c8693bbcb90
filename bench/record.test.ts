import { describe, expect, it } from 'vitest'
import type { Measure } from './bench.ts'
import { type BenchRecord, compareWithRecord, formatNumber, renderSection } from './record.ts'

const search: Measure = {
  what: 'a query; median',
  value: 24,
  unit: 'ms',
  yardstick: { what: 'plain FTS5', value: 8 },
  target: { atMost: 4 },
}
const quality: Measure = {
  what: 'nDCG@10',
  value: 0.72346,
  yardstick: { what: 'plain FTS5', value: 0.7046 },
  target: { atLeast: 0.73 },
}

function recordOf(...measures: readonly Measure[]): BenchRecord {
  return {
    name: 'retrieval',
    title: 'Search',
    size: 'full',
    date: '2026-11-23',
    commit: '0dd4e86f',
    cores: 2,
    node: 'v26.10.0',
    load: 0.4,
    arithmeticMs: 7.25,
    measures,
  }
}

describe('a comparison with the record', () => {
  const before = recordOf(search, quality)

  it('names a ratio that became worse by more than a fifth, whatever the times themselves did', () => {
    const slower = { ...search, value: 30 }
    expect(compareWithRecord(recordOf(slower, quality), before)).toEqual([
      'retrieval: a query; median: 3.75, recorded 3, more than a fifth worse',
    ])
    const onSlowerMachine = { ...slower, yardstick: { what: 'plain FTS5', value: 10 } }
    expect(compareWithRecord(recordOf(onSlowerMachine), before)).toEqual([])
  })

  it('judges a score by itself, and by falling', () => {
    const worse = { ...quality, value: 0.55 }
    expect(compareWithRecord(recordOf(worse), before)).toEqual([
      'retrieval: nDCG@10: 0.55, recorded 0.723, more than a fifth worse',
    ])
    expect(compareWithRecord(recordOf({ ...quality, value: 0.99 }), before)).toEqual([])
  })

  it('has nothing to say without a record, for another measure, or for one without a target', () => {
    const { target: _target, ...untargeted } = search
    expect(compareWithRecord(recordOf({ ...search, value: 99 }), undefined)).toEqual([])
    expect(compareWithRecord(recordOf({ ...search, what: 'new', value: 99 }), before)).toEqual([])
    expect(compareWithRecord(recordOf({ ...untargeted, value: 99 }), before)).toEqual([])
  })

  it('names a count that was none before', () => {
    const none: Measure = { what: 'mixed up', value: 0, target: { atMost: 0 } }
    expect(compareWithRecord(recordOf({ ...none, value: 2 }), recordOf(none))).toEqual([
      'retrieval: mixed up: 2, recorded 0, more than a fifth worse',
    ])
    expect(compareWithRecord(recordOf(none), recordOf(none))).toEqual([])
  })
})

describe('a section of the document', () => {
  it('has the command, the circumstances, and each figure with its range, ratio and target', () => {
    const rounds: Measure = { ...search, range: [22.512, 31] }
    expect(renderSection(recordOf(rounds, quality))).toBe(`## Search

\`npm run bench -- retrieval --full\` · 2026-11-23 · commit 0dd4e86f · 2 cores, Node 26.10.0, load 0.4 · arithmetic 7.25 ms

| what | ratio | measured | compared with | target |
|---|---|---|---|---|
| a query; median | 3 | 24 ms (22.5 to 31) | plain FTS5: 8 ms | ≤ 4 |
| nDCG@10 | 1.03 | 0.7235 | plain FTS5: 0.7046 | ≥ 0.73 (missed) |
`)
  })

  it.each([
    [1234.56, '1,235'],
    [12.345, '12.3'],
    [0.0123456, '0.0123'],
    [0, '0'],
    [Number.NaN, '–'],
  ])('gives %d as %s', (value, shown) => {
    expect(formatNumber(value)).toBe(shown)
  })
})
