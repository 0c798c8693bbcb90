import { describe, expect, it } from 'vitest'
import {
  documentOf,
  type Libraries,
  openSamples,
  samplePages,
  titlesFor,
  wordFor,
} from './library-fixture.ts'

/** What removing takes out and what it leaves. */
export function describeRemoving(libraries: Libraries): void {
  describeTaken(libraries)
  describeUnlisting(libraries)
  describeLeft(libraries)
}

function describeTaken(libraries: Libraries): void {
  describe('removing', () => {
    it.each([
      ['its path', '/samples/penicillin'],
      ['its id', samplePages.penicillin.contentHash],
    ])('takes a source out for good by %s', async (_what, idOrPath) => {
      const library = await openSamples(libraries)
      expect(await library.remove(idOrPath)).toBe(1)
      const { contentHash } = samplePages.penicillin
      expect(await library.source(contentHash)).toBeUndefined()
      expect(await library.text(contentHash)).toBeUndefined()
      expect(await library.passages(contentHash)).toEqual([])
      expect(await titlesFor(library, 'penicillin')).toEqual([])
      expect(await titlesFor(library, 'penicillin', { alsoSourceIds: [contentHash] })).toEqual([])
      expect(await library.list()).toHaveLength(4)
      expect(await library.remove(idOrPath)).toBe(0)
      expect(await library.add(samplePages.penicillin, '/samples/penicillin')).toBe('added')
      expect(await titlesFor(library, 'Fleming')).toEqual(['Penicillin'])
    })

    it('takes out all of a folder, and nothing else', async () => {
      const library = await openSamples(libraries)
      await library.add(documentOf('Beside', 'A sample beside.'), '/samples-beside/a')
      await library.add(documentOf('Deep', 'A sample deep inside.'), '/samples/deep/er/a')
      expect(await library.remove('/sample')).toBe(0)
      expect(await library.remove('/samples/')).toBe(6)
      expect((await library.list()).map(({ title }) => title)).toEqual(['Beside'])
    })

    it('takes older snapshots of a path with it', async () => {
      const library = await openSamples(libraries)
      await library.add(documentOf('Newer', 'Newer words.'), '/samples/metre')
      expect(await library.remove('/samples/metre')).toBe(1)
      expect(await library.text(samplePages.metre.contentHash)).toBeUndefined()
      expect(await titlesFor(library, 'newer')).toEqual([])
    })
  })
}

function describeUnlisting(libraries: Libraries): void {
  describe('unlisting', () => {
    it('keeps the snapshots of what is no longer there, and searches them no more', async () => {
      const library = await openSamples(libraries)
      const { contentHash } = samplePages.penicillin
      await library.add(documentOf('Beside', 'A sample beside.'), '/samples-beside/a')
      const paths = (await library.list()).map(({ path = '' }) => path)
      const except = paths.filter((path) => path !== '/samples/penicillin')
      expect(await library.unlist('/samples', except)).toEqual(['/samples/penicillin'])
      expect(await library.unlist('/samples', except)).toEqual([])
      expect(await titlesFor(library, 'Fleming')).toEqual([])
      expect(await library.text(contentHash)).toBe(samplePages.penicillin.text)
      expect(await library.list()).toHaveLength(5)
      expect(await library.add(samplePages.penicillin, '/elsewhere')).toBe('added')
      expect((await library.source(contentHash))?.path).toBe('/elsewhere')
    })
  })
}

function describeLeft(libraries: Libraries): void {
  describe('what removing leaves', () => {
    it('leaves no trace in the scores of what is kept or added later', async () => {
      const library = await openSamples(libraries)
      const request = { query: 'discovered in bacteria or London', limit: 10 }
      const before = await library.search(request)
      expect(before.length).toBeGreaterThan(1)
      for (let number = 0; number < 30; number++) {
        const text = `Bacteria were discovered in London. ${wordFor(number)}.`
        await library.add(documentOf('Removed', text), `/removed/${number}`)
      }
      expect(await library.search(request)).not.toEqual(before)
      const beside = await libraries.open()
      await beside.remove('/removed')
      expect(await library.search(request)).toEqual(before)
      await beside.add(documentOf('Later', 'Later, in London, and much more of it.'), '/later')
      const after = await beside.search(request)
      expect(after).toHaveLength(before.length + 1)
      expect(await library.search(request)).toEqual(after)
    })

    it('leaves what is at another path as well', async () => {
      const library = await openSamples(libraries)
      await library.add(samplePages.reef, '/copies/reef')
      expect(await library.remove('/samples/reef')).toBe(1)
      expect(await titlesFor(library, 'coral')).toEqual(['The Great Barrier Reef'])
      const { contentHash } = samplePages.reef
      expect(await library.source(contentHash)).toMatchObject({ path: '/copies/reef' })
      expect(await library.remove('/copies/reef')).toBe(1)
      expect(await titlesFor(library, 'coral')).toEqual([])
    })

    it('no longer searches what only an older path has', async () => {
      const library = await openSamples(libraries)
      await library.add(samplePages.reef, '/copies/reef')
      await library.add(documentOf('New', 'Something new.'), '/copies/reef')
      await library.remove('/samples/reef')
      expect(await titlesFor(library, 'coral')).toEqual([])
      expect(await library.text(samplePages.reef.contentHash)).toBe(samplePages.reef.text)
    })

    it.each(['', '/', '%', '/samples/%', '*', samplePages.reef.contentHash.slice(0, 10)])(
      'takes nothing out for %j',
      async (idOrPath) => {
        const library = await openSamples(libraries)
        const expected = idOrPath === '/' ? 5 : 0
        expect(await library.remove(idOrPath)).toBe(expected)
        expect(await library.list()).toHaveLength(5 - expected)
      },
    )
  })
}
