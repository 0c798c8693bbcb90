import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import {
  documentOf,
  type Libraries,
  numberedDocument,
  openSamples,
  samplePages,
  titlesFor,
  wordFor,
} from './library-fixture.ts'

/** What adding keeps and what it says. */
export function describeAdding(libraries: Libraries): void {
  describeKept(libraries)
  describeTexts(libraries)
  describeChanged(libraries)
  describeBatches(libraries)
  describeUnlisted(libraries)
}

function describeKept(libraries: Libraries): void {
  describe('adding', () => {
    it('keeps text, passages and what is known of the source', async () => {
      const library = await libraries.open()
      const text = '\n# Zebra\n\nA zebra has stripes.\f# Horse\n\nA horse has none.\n'
      const horse = text.indexOf('# Horse')
      const document = documentOf('Zebra', text, {
        kind: 'pdf',
        pages: [
          { start: 0, end: horse },
          { start: horse, end: text.length },
        ],
        sections: [
          { title: 'Zebra', level: 1, start: 1 },
          { title: 'Horse', level: 1, start: horse },
        ],
      })
      expect(await library.add(document, '/zebra.pdf')).toBe('added')
      const id = document.contentHash
      const { csl, kind, sizeBytes, title } = document
      const source = { id, csl, kind, sizeBytes, title, path: '/zebra.pdf', pageCount: 2 }
      expect(await library.source(id)).toEqual(source)
      expect(await library.list()).toEqual([source])
      expect(await library.text(id)).toBe(text)
      const passages = await library.passages(id)
      expect(passages.map(({ page, section }) => [page, section])).toEqual([
        [1, 'Zebra'],
        [2, 'Horse'],
      ])
      for (const passage of passages) {
        expect(passage.text).toBe(text.slice(passage.start, passage.end))
        expect(passage.id).toBe(`${id.slice(0, 16)}:${passage.start}-${passage.end}`)
      }
      const [hit] = await library.search({ query: 'stripes', limit: 1 })
      expect(hit).toEqual({ passage: passages[0], source, score: expect.any(Number) })
    })

    it('says nothing of what it does not have', async () => {
      const library = await libraries.open()
      const id = sha256('nothing')
      expect(await library.source(id)).toBeUndefined()
      expect(await library.text(id)).toBeUndefined()
      expect(await library.passages(id)).toEqual([])
      expect(await library.list()).toEqual([])
      expect(await titlesFor(library, 'anything')).toEqual([])
      expect(await library.addAll([])).toEqual([])
    })
  })
}

function describeTexts(libraries: Libraries): void {
  describe('adding any text', () => {
    it.each([
      ['null bytes and lone surrogates', 'zero \0 and \0\0 half \ud800 word', 'half'],
      ['right to left, emoji and accents', 'שלום עולם 👩‍👩‍👧 naïve Ångström', 'angstrom'],
      ['no spaces', '人工智能是计算机科学的一个分支。', '智能'],
      ['a megabyte', 'Something is said here. '.repeat(45_000), 'something'],
    ])('keeps the offsets of a text with %s', async (_what, text, query) => {
      const library = await libraries.open()
      const document = documentOf('Strange', text)
      await library.add(document, '/strange')
      const kept = (await library.text(document.contentHash)) ?? ''
      expect(kept).toBe(text.toWellFormed().replaceAll('\0', '\ufffd'))
      const passages = await library.passages(document.contentHash)
      for (const { start, end, text: slice } of passages) expect(slice).toBe(kept.slice(start, end))
      expect(await titlesFor(library, query, { limit: 1 })).toEqual(['Strange'])
    })

    it('keeps a document without words', async () => {
      const library = await libraries.open()
      const document = documentOf('Blank', ' \n ')
      expect(await library.add(document, '/blank')).toBe('added')
      expect(await library.text(document.contentHash)).toBe(' \n ')
      expect(await library.passages(document.contentHash)).toEqual([])
      expect(await titlesFor(library, 'blank')).toEqual([])
    })
  })
}

function describeChanged(libraries: Libraries): void {
  describe('adding a file again', () => {
    it('adds nothing when the same file comes again', async () => {
      const library = await openSamples(libraries)
      const before = await library.search({ query: 'penicillin', limit: 10 })
      expect(await library.add(samplePages.penicillin, '/samples/penicillin')).toBe('unchanged')
      expect(await library.search({ query: 'penicillin', limit: 10 })).toEqual(before)
      expect(await library.list()).toHaveLength(5)
    })

    it('searches a changed file as it is now, and keeps the older snapshot for what cited it', async () => {
      const library = await openSamples(libraries)
      const changed = documentOf('Penicillin, revised', 'Penicillin kills streptococci.')
      expect(await library.add(changed, '/samples/penicillin')).toBe('updated')
      expect(await titlesFor(library, 'penicillin')).toEqual(['Penicillin, revised'])
      expect(await titlesFor(library, 'Fleming')).toEqual([])
      expect(await library.list()).toHaveLength(5)
      const { contentHash, text } = samplePages.penicillin
      expect(await library.text(contentHash)).toBe(text)
      expect(await library.source(contentHash)).toMatchObject({ path: '/samples/penicillin' })
      expect(await library.passages(contentHash)).toHaveLength(1)
      expect(await library.add(samplePages.penicillin, '/samples/penicillin')).toBe('updated')
      expect(await titlesFor(library, 'Fleming')).toEqual(['Penicillin'])
      expect(await titlesFor(library, 'streptococci')).toEqual([])
    })

    it('knows the same bytes at another path', async () => {
      const library = await openSamples(libraries)
      expect(await library.add(samplePages.reef, '/copies/reef')).toBe('unchanged')
      expect(await titlesFor(library, 'coral')).toEqual(['The Great Barrier Reef'])
      expect(await library.list()).toHaveLength(5)
      await library.add(documentOf('New', 'Nothing about it.'), '/samples/reef')
      expect(await titlesFor(library, 'coral')).toEqual(['The Great Barrier Reef'])
      const { contentHash } = samplePages.reef
      expect(await library.source(contentHash)).toMatchObject({ path: '/copies/reef' })
    })
  })
}

function describeBatches(libraries: Libraries): void {
  describe('adding many', () => {
    it('adds many, with outcomes in order, the same twice among them', async () => {
      const library = await libraries.open()
      const numbers = [...Array(1_200).keys(), 3]
      const additions = numbers.map((number) => ({
        document: numberedDocument(number),
        path: `/${number}`,
      }))
      const outcomes = await library.addAll(additions)
      expect(outcomes).toEqual([...Array(1_200).fill('added'), 'unchanged'])
      expect(await titlesFor(library, wordFor(777), { perSource: 1 })).toEqual([wordFor(777)])
    })

    it('keeps nothing of a batch with a document that cannot be read, and continues', async () => {
      const library = await libraries.open()
      const broken = documentOf('Broken', 'Some text.', { pages: undefined as never })
      const batch = [samplePages.metre, broken].map((document, index) => ({
        document,
        path: `/${index}`,
      }))
      await expect(library.addAll(batch)).rejects.toThrow()
      expect(await library.list()).toEqual([])
      expect(await library.add(samplePages.metre, '/metre')).toBe('added')
      expect(await titlesFor(library, 'metre')).toEqual(['The metre'])
    })

    it('is the same for all that have it open', async () => {
      const [library, beside] = [await openSamples(libraries), await libraries.open()]
      expect(await titlesFor(beside, 'caffeine')).toEqual(['Caffeine'])
      await beside.remove('/samples/caffeine')
      expect(await titlesFor(library, 'caffeine')).toEqual([])
      await library.add(samplePages.caffeine, '/samples/caffeine')
      await library.add(documentOf('Tea', 'Tea has caffeine, too.'), '/tea')
      expect((await titlesFor(beside, 'caffeine')).toSorted()).toEqual(['Caffeine', 'Tea'])
    })

    it('lists by title', async () => {
      const library = await openSamples(libraries)
      const titles = (await library.list()).map(({ title }) => title)
      expect(titles).toEqual([
        'CRISPR',
        'Caffeine',
        'Penicillin',
        'The Great Barrier Reef',
        'The metre',
      ])
    })
  })
}

function describeUnlisted(libraries: Libraries): void {
  describe('adding without listing', () => {
    it('leaves a source to the searches that name it', async () => {
      const library = await openSamples(libraries)
      const own = documentOf('Own', 'Our own notes on penicillin.')
      const addition = { document: own, path: '/own', isListed: false }
      expect(await library.addAll([addition, addition])).toEqual(['added', 'unchanged'])
      expect(await library.list()).toHaveLength(5)
      expect(await titlesFor(library, 'penicillin')).toEqual(['Penicillin'])
      const alsoSourceIds = [own.contentHash]
      expect((await titlesFor(library, 'penicillin', { alsoSourceIds })).toSorted()).toEqual([
        'Own',
        'Penicillin',
      ])
      expect(await library.add(own, '/own')).toBe('added')
      expect(await library.list()).toHaveLength(6)
      expect(await library.addAll([addition])).toEqual(['unchanged'])
      expect(await titlesFor(library, 'own notes')).toEqual(['Own'])
    })

    it('does not take the place of a listed snapshot', async () => {
      const library = await openSamples(libraries)
      const changed = documentOf('Changed', 'The metre has changed.')
      const addition = { document: changed, path: '/samples/metre', isListed: false }
      expect(await library.addAll([addition])).toEqual(['updated'])
      expect(await titlesFor(library, 'metre')).toEqual(['The metre'])
    })
  })
}
