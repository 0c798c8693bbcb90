import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { ReadPassage } from '../../citations/claim.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { createPassagePreparer, prepareAhead, preparePassage } from './source-passage.ts'

const sourceId = 'a'.repeat(64) as SourceId
const passages = Array.from({ length: 400 }, (_, index): ReadPassage => {
  const text = `Oak ${index} grew by 12 %.`
  const place = { start: index * 100, end: index * 100 + text.length }
  return { n: 1, sourceId, passageId: passageId(sourceId, place.start, place.end), ...place, text }
})

describe('passages that are ready for comparison', () => {
  it('are made once, and of very many those that were not asked for longest again', () => {
    const prepare = createPassagePreparer()
    const [first, second] = passages.slice(0, 2).map((passage) => prepare(passage))
    for (const passage of passages) {
      prepare(passage)
      expect(prepare(passages[0] as ReadPassage)).toBe(first)
    }
    const again = prepare(passages[1] as ReadPassage)
    expect(again).not.toBe(second)
    expect(again).toEqual(second)
  })

  it('are made once where a passage is read again, and anew where its text or its number is another', () => {
    const prepare = createPassagePreparer()
    const [read] = passages as [ReadPassage]
    const first = prepare(read)
    expect(prepare({ ...read })).toBe(first)
    expect(prepare({ ...read, n: 2 }).read.n).toBe(2)
    expect(prepare({ ...read, text: 'Elms grew.' }).exact).toBe('elms grew.')
  })

  it('are the same whatever was read before them', () => {
    const texts = [
      'No. 5 mg were used. No deaths occurred; two thirds won’t.',
      'It won’t: 5mg “were” used at 2-57 days, e.g. low-density lipoprotein (LDL). LDL was 2.5 million.',
      'It aids us.',
      'AIDS is known in the US.',
      'The colour-\ning ﬁnds 12,000 mRNAs [3, 4] of 4th July (II).',
    ]
    const [one] = passages as [ReadPassage]
    const reads = [...texts, ...texts.toReversed()].map((text, n) => ({ ...one, n, text }))
    const prepare = createPassagePreparer()
    for (const read of reads) expect(prepare(read)).toEqual(preparePassage(read))
  })

  it('hold no more the more words were read', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heapBytes = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const [one] = passages as [ReadPassage]
    const prepare = createPassagePreparer()
    const before = heapBytes()
    for (let n = 0; n < 500; n++) {
      const words = Array.from({ length: 300 }, (_, word) => `zibbelitsofkind${n}x${word}`)
      prepare({ ...one, n, text: `${words.join(' ')}.` })
    }
    for (const passage of passages) prepare(passage)
    expect(heapBytes() - before).toBeLessThan(20_000_000)
  })

  it('can be made ahead, while others continue between two of them', async () => {
    const made: number[] = []
    let turns = 0
    const count = (): void => {
      turns++
      setImmediate(count).unref()
    }
    count()
    const prepare = createPassagePreparer()
    await prepareAhead(passages.slice(0, 3), (read) => {
      made.push(turns)
      return prepare(read)
    })
    expect(new Set(made).size).toBe(3)
  })
})
