import { describe, expect, it } from 'vitest'
import { formatCitedPlace } from './cited-place.ts'
import type { Claim, Evidence } from './claim.ts'
import { passageId, type SourceId } from './source.ts'

const sourceId = 'a'.repeat(64) as SourceId

/** A claim with evidence at these places of source 1, and at one of another source. */
function claimAt(...places: readonly Pick<Evidence, 'page' | 'section'>[]): Claim {
  const evidence = [...places, { n: 2, page: 99, section: 'Elsewhere' }].map((place, start) => ({
    n: 1,
    passageId: passageId(sourceId, start, start + 1),
    quote: 'x',
    start,
    end: start + 1,
    ...place,
  }))
  return { text: '', citations: [1], verdict: 'verbatim', evidence, judge: 'code', reason: '' }
}

const placeIn = (path: string, ...places: readonly Pick<Evidence, 'page' | 'section'>[]) =>
  formatCitedPlace({ n: 1, title: 'Budget', path }, [claimAt(...places)])

describe('the place of a cited source', () => {
  it.each([
    ['budget.xlsx', 'sheet “2024”'],
    ['all.zip/in/Budget.XLSM', 'sheet “2024”'],
    ['budget.epub', 'chapter “2024”'],
    ['budget.docx', 'section “2024”'],
    ['budget.html', 'section “2024”'],
  ])('in %s is its %s', (path, place) => {
    expect(placeIn(path, { section: '2024' }, { section: '2024' })).toBe(place)
  })

  it('is the page, or the slide, where there is one', () => {
    expect(placeIn('a.pdf', { page: 5, section: 'Results' }, { page: 3 })).toBe('pp. 3, 5')
    expect(placeIn('a.pdf', { page: 3 }, { page: 3 })).toBe('p. 3')
    expect(placeIn('a.pptx', { page: 2, section: 'Aims' })).toBe('slide 2')
    expect(placeIn('a.pptx', { page: 12 }, { page: 2 })).toBe('slides 2, 12')
  })

  it('stays short: two names in the order of the text, the others counted, long ones cut', () => {
    const named = (...names: readonly string[]) => names.map((section) => ({ section }))
    expect(placeIn('a.xlsx', ...named('B', 'A'))).toBe('sheets “B”, “A”')
    expect(placeIn('a.xlsx', ...named('B', 'A', 'C', 'D'))).toBe('sheets “B”, “A” and 2 more')
    const long = 'The many names of a very long heading of a book'
    expect(placeIn('a.epub', { section: long })).toBe(
      'chapter “The many names of a very long heading o…”',
    )
  })

  it('is not said where it is the whole source, or not known', () => {
    expect(placeIn('a.md', { section: 'budget' })).toBe('')
    expect(placeIn('a.csv', {})).toBe('')
    expect(formatCitedPlace({ n: 3, title: 'Budget' }, [claimAt({ page: 1 })])).toBe('')
  })
})
