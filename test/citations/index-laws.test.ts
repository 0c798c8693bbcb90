import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CitationIndex, mergeIndexes } from '../../src/citations/numbers/citation-index.ts'
import type { IndexEntry, NewEntry } from '../../src/citations/numbers/index-entry.ts'
import type { SourceId } from '../../src/citations/source.ts'

type Form = 'url' | 'page' | 'changed' | 'file'

const letters = fc.constantFrom(...'abcdefgh')
const address = (name: string) => `https://${name}.org/`
const source = (letter: string, end = '') => letter.repeat(64 - end.length).concat(end) as SourceId

/** An address alone, or a source that was read at one (before or after its page changed) or in a file. */
const placeOf = (letter: string, form: Form): NewEntry =>
  ({
    url: { url: address(letter) },
    page: { url: address(letter), sourceId: source(letter) },
    changed: { url: address(letter), sourceId: source(letter, '2') },
    file: { sourceId: source(letter, '1') },
  })[form]

/**
 * Whose alias an address is does not differ between indexes: a number that one of them gave to what another knows as an alias
 * cannot be taken back.
 */
const detailed = fc.record({
  letter: letters,
  form: fc.constantFrom<Form>('url', 'page', 'file'),
  title: fc.option(letters, { nil: undefined }),
  tags: fc.array(letters, { maxLength: 2 }),
  metadata: fc.dictionary(letters, fc.integer({ min: 0, max: 3 }), { maxKeys: 2 }),
  mirrors: fc.array(fc.constantFrom('old', 'mirror'), { maxLength: 2 }),
})
const additions = fc.array(
  detailed.map(({ letter, form, title, mirrors, ...rest }): NewEntry => {
    const aliases = form === 'file' ? [] : mirrors.map((name) => address(`${name}.${letter}`))
    const place = placeOf(letter, form)
    return { ...place, ...rest, aliases, ...(title === undefined ? {} : { title }) }
  }),
  { maxLength: 8 },
)
const entries = additions.map(indexOf)
/** Without addresses that were not read: which of a page's versions such a one means is first come, first served. */
const readEntries = fc
  .array(
    fc
      .tuple(letters, fc.constantFrom<Form>('page', 'changed', 'file'))
      .map(([letter, form]) => placeOf(letter, form)),
    { maxLength: 8 },
  )
  .map(indexOf)

function indexOf(all: readonly NewEntry[]): readonly IndexEntry[] {
  const index = new CitationIndex()
  for (const one of all) index.add(one)
  return index.toJSON()
}

describe('merging', () => {
  it.each([
    ['with all that is known of the sources', entries],
    ['when pages changed between readings', readEntries],
  ])('three indexes gives the same in either grouping, %s', (_which, each) => {
    fc.assert(
      fc.property(each, each, each, (a, b, c) => {
        expect(mergeIndexes(mergeIndexes(a, b), c)).toEqual(mergeIndexes(a, mergeIndexes(b, c)))
      }),
      { numRuns: 2000 },
    )
  })

  it('with nothing, or with itself, changes nothing', () => {
    fc.assert(
      fc.property(entries, (a) => {
        for (const same of [mergeIndexes(a, []), mergeIndexes([], a), mergeIndexes(a, a)])
          expect(same).toEqual(a)
      }),
    )
  })

  it('keeps every number here and leads every number there to what it stood for', () => {
    fc.assert(
      fc.property(entries, readEntries, (a, b) => {
        const here = CitationIndex.fromJSON(a)
        const there = CitationIndex.fromJSON(b)
        const numbers = here.merge(there)
        const before = here.entries.slice(0, a.length)
        expect(before.map(({ url }) => url)).toEqual(a.map(({ url }) => url))
        for (const { n, sourceId } of there.entries)
          expect(here.entry(numbers.get(n) as number)?.sourceId).toBe(sourceId)
      }),
    )
  })
})

describe('an index', () => {
  it('is the same after its JSON, whatever was added', () => {
    fc.assert(
      fc.property(entries, additions, (a, more) => {
        const first = CitationIndex.fromJSON(a)
        const again = CitationIndex.fromJSON(JSON.parse(JSON.stringify(a)))
        for (const one of more) expect(again.add(one)).toEqual(first.add(one))
      }),
    )
  })
})
