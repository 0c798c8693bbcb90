import { describe, expect, it } from 'vitest'
import type { PassageReference } from '../citations/claim.ts'
import type { PassageId, SourceId } from '../citations/source.ts'
import { appendTurn, selectPassageIds, selectPassages } from './earlier.ts'

const id = (n: number) => `p${n}` as PassageId
const passages = Array.from(
  { length: 600 },
  (_, index): PassageReference =>
    ({
      n: 1,
      passageId: id(index),
      sourceId: 's' as SourceId,
      start: 0,
      end: 1,
    }) as PassageReference,
)
const kept = (restsOn: readonly PassageId[]) =>
  selectPassages(passages, restsOn).map(({ passageId }) => passageId)

describe('keptPassages', () => {
  it('keeps those that answers rest on, and of the others the last, 500 together', () => {
    expect(kept([id(3), id(1)])).toEqual([
      id(1),
      id(3),
      ...passages.slice(102).map(({ passageId }) => passageId),
    ])
  })

  it('keeps one that was read last also where answers rest on very many', () => {
    const many = passages.slice(0, 550).map(({ passageId }) => passageId)
    expect(kept(many)).toEqual([...many, id(599)])
  })
})

describe('shownPassageIds', () => {
  it('gives each once, the first twenty', () => {
    const ids = [id(1), id(1), ...passages.map(({ passageId }) => passageId)]
    expect(selectPassageIds(ids)).toEqual([
      id(1),
      id(0),
      ...passages.slice(2, 20).map((p) => p.passageId),
    ])
  })
})

describe('withTurn', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, index) => index).reduce(
      (before, n) => appendTurn(before, { question: `q${n}`, answer: `a${n}` }),
      { turns: [], turnsLeftOut: 0 } as Parameters<typeof appendTurn>[0],
    )

  it('keeps thirty turns, five of them with their answers, and counts those that it leaves out', () => {
    const { turns, turnsLeftOut } = talk(33)
    expect(turnsLeftOut).toBe(3)
    expect(turns).toHaveLength(30)
    expect(turns[0]).toEqual({ question: 'q3' })
    expect(turns.filter(({ answer }) => answer !== undefined).map(({ answer }) => answer)).toEqual([
      'a28',
      'a29',
      'a30',
      'a31',
      'a32',
    ])
  })

  it('cuts a long answer and says so', () => {
    const given = { question: 'q', answer: 'x'.repeat(5_000) }
    const { turns } = appendTurn({ turns: [], turnsLeftOut: 0 }, given)
    expect(turns[0]?.answer).toBe(`${'x'.repeat(4_000)} [cut: the rest is left out]`)
  })
})
