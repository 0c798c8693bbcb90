import { describe, expect, it } from 'vitest'
import { EvidenceLedger, type PassageRead } from './ledger.ts'
import { passageId, type SourceId } from './source.ts'

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64) as SourceId) as [
  SourceId,
  SourceId,
  SourceId,
]

function passage(sourceId: SourceId, start: number, page?: number): PassageRead {
  const end = start + 10
  const place = { passageId: passageId(sourceId, start, end), sourceId, start, end }
  return { ...place, title: `Title ${sourceId[0]}`, ...(page === undefined ? {} : { page }) }
}

describe('EvidenceLedger', () => {
  it('numbers sources from 1 in the order of reading, each once', () => {
    const ledger = new EvidenceLedger()
    expect([b, a, b, c, a].map((id) => ledger.mint(id, `Title ${id[0]}`))).toEqual([1, 2, 1, 3, 2])
    expect(ledger.citations.map(({ n, sourceId }) => [n, sourceId])).toEqual([
      [1, b],
      [2, a],
      [3, c],
    ])
  })

  it("notes a passage once, under its source's number, and mints the number where there is none", () => {
    const ledger = new EvidenceLedger()
    const first = ledger.read(passage(a, 0, 3))
    expect(first).toEqual({
      n: 1,
      passageId: passageId(a, 0, 10),
      sourceId: a,
      start: 0,
      end: 10,
      page: 3,
    })
    expect(ledger.read(passage(b, 5)).n).toBe(2)
    expect(ledger.read(passage(a, 0, 3))).toEqual(first)
    expect(ledger.read(passage(a, 20)).n).toBe(1)
    expect(ledger.passages.map(({ n, start }) => [n, start])).toEqual([
      [1, 0],
      [2, 5],
      [1, 20],
    ])
  })

  it('continues from its JSON', () => {
    const ledger = new EvidenceLedger()
    ledger.read(passage(a, 0))
    const { citations, passages } = JSON.parse(
      JSON.stringify({ citations: ledger.citations, passages: ledger.passages }),
    )
    const again = new EvidenceLedger(citations, passages)
    expect(again.read(passage(b, 0)).n).toBe(2)
    expect(again.read(passage(a, 0)).n).toBe(1)
    expect(again.passages).toHaveLength(2)
    expect(ledger.passages).toHaveLength(1)
  })

  it.each([[0], [3], [-1], [1.5], [Number.NaN]])('names the valid range for the number %d', (n) => {
    const ledger = new EvidenceLedger()
    ledger.mint(a, 'A')
    ledger.mint(b, 'B')
    expect(ledger.requireSource(2).sourceId).toBe(b)
    expect(() => ledger.requireSource(n)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: expect.stringContaining('from 1 to 2'),
      }),
    )
  })

  it('says that there are no numbers yet', () => {
    expect(() => new EvidenceLedger().requireSource(1)).toThrow('no numbers yet')
  })

  it('shares its numbers with what was cited and not read', () => {
    const ledger = new EvidenceLedger()
    ledger.index.add({ url: 'https://a.org/' })
    expect(ledger.mint(a, 'A')).toBe(2)
    expect(ledger.citations).toEqual([{ n: 2, sourceId: a, title: 'A' }])
    expect(ledger.requireSource(2).sourceId).toBe(a)
    expect(() => ledger.requireSource(1)).toThrow('Numbers of sources: 2.')
    expect(new EvidenceLedger(ledger.index.toJSON()).mint(b, 'B')).toBe(3)
  })

  it("takes a branch's ledger over in its order and gives the number here for each number there", () => {
    const here = new EvidenceLedger()
    here.read(passage(b, 0))
    const branch = new EvidenceLedger()
    branch.read(passage(c, 0))
    branch.read(passage(b, 0))
    branch.read(passage(b, 30))
    branch.read(passage(a, 0))
    expect([...here.merge(branch)]).toEqual([
      [1, 2],
      [2, 1],
      [3, 3],
    ])
    expect(here.citations.map(({ sourceId }) => sourceId)).toEqual([b, c, a])
    expect(here.passages.map(({ n, start }) => [n, start])).toEqual([
      [1, 0],
      [2, 0],
      [1, 30],
      [3, 0],
    ])
    expect([...here.merge(branch).values()]).toEqual([2, 1, 3])
    expect(here.passages).toHaveLength(4)
  })
})
