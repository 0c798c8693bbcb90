import { describe, expect, it } from 'vitest'
import type { Paper, PaperPlace, PlaceOutcome, SearchedPlace } from './paper.ts'
import { normalizePaper } from './places/normalize-paper.ts'
import { findPapers } from './retrieve.ts'

const owls = found('2401.00001', 'Owls of the north')
const bees = found('2401.00002', 'Bees of the south')

function found(id: string, title: string): Paper {
  return normalizePaper({ id, title, authors: ['Ada Quill'] }, 'x') as Paper
}

function place(name: string, outcome: PlaceOutcome): PaperPlace {
  return { name, search: async () => outcome }
}

const ok = (...papers: readonly Paper[]): PlaceOutcome => ({ ok: true, papers })
const failed: PlaceOutcome = {
  ok: false,
  reason: 'maintenance',
  detail: 'It rests.',
  hint: 'Wait.',
}
const query = { query: 'owls', limit: 5 }

async function search(...tiers: readonly (readonly PaperPlace[])[]) {
  const asked: string[] = []
  const result = await findPapers(tiers, query, (one, wanted) => {
    asked.push(one.name)
    return one.search(wanted, new AbortController().signal)
  })
  const searched: readonly SearchedPlace[] = result.searched
  return { ...result, asked, outcomes: searched.map(({ outcome }) => outcome) }
}

describe('findPapers', () => {
  it('asks the first tier alone where it gives papers', async () => {
    const { papers, asked, outcomes } = await search([place('a', ok(owls))], [place('b', ok(bees))])
    expect(papers).toEqual([owls])
    expect(asked).toEqual(['a'])
    expect(outcomes).toEqual(['used', 'not asked'])
  })

  it.each([
    ['failed', failed],
    ['empty', ok()],
  ])('falls back where the first tier is %s', async (outcome, first) => {
    const { papers, outcomes } = await search([place('a', first)], [place('b', ok(bees))])
    expect(papers).toEqual([bees])
    expect(outcomes).toEqual([outcome, 'used'])
  })

  it('asks all places of a tier, and uses one where another fails', async () => {
    const tier = [place('a', failed), place('b', ok(bees, owls)), place('c', ok(owls))]
    const { papers, outcomes, searched } = await search(tier)
    expect(papers.map(({ title }) => title)).toEqual([bees.title, owls.title])
    expect(outcomes).toEqual(['failed', 'used', 'used'])
    expect(searched[0]?.detail).toBe('It rests. Wait.')
    expect(searched.map(({ found }) => found)).toEqual([0, 2, 1])
  })

  it('says what every place came to when none has a paper', async () => {
    const { papers, outcomes } = await search([place('a', failed)], [place('b', ok())])
    expect(papers).toEqual([])
    expect(outcomes).toEqual(['failed', 'empty'])
  })

  it('gives no more than were asked for, and passes notes on', async () => {
    const many = Array.from({ length: 9 }, (_, at) =>
      found(`2401.0001${at}`, `Island number ${at}`),
    )
    const outcome: PlaceOutcome = { ok: true, papers: many, notes: ['One.', 'Two.'] }
    const { papers, searched } = await search([place('a', outcome)])
    expect(papers).toHaveLength(5)
    expect(searched[0]?.detail).toBe('One. Two.')
  })

  it('passes on what the search of a place throws', async () => {
    const broken = { name: 'a', search: () => Promise.reject(new Error('a mistake')) }
    await expect(search([broken])).rejects.toThrow('a mistake')
  })
})
