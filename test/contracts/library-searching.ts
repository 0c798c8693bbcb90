import { describe, expect, it } from 'vitest'
import {
  documentOf,
  type Libraries,
  numberedDocument,
  openSamples,
  samplePages,
  titlesFor,
  wordFor,
} from './library-fixture.ts'

/** What a search finds and in which order. */
export function describeSearching(libraries: Libraries): void {
  describeQuestions(libraries)
  describeOddQueries(libraries)
  describeRanking(libraries)
  describeBounds(libraries)
}

function describeQuestions(libraries: Libraries): void {
  describe('a search', () => {
    it.each([
      ['Who discovered CRISPR?', 'CRISPR'],
      ['who DISCOVERED penicillin', 'Penicillin'],
      ['discovery of penicillins', 'Penicillin'],
      ['When did Fleming discover it?', 'Penicillin'],
      ['coral reef', 'The Great Barrier Reef'],
      ['How long is a metre?', 'The metre'],
    ])('finds the page for %j first among a few', async (query, title) => {
      expect((await titlesFor(await openSamples(libraries), query))[0]).toBe(title)
    })

    it.each([
      'How tall is the Eiffel Tower?',
      'What is it, and who are they?',
      '',
      '   \n ',
      '🧬🧬',
      '" OR * ^ NEAR( ) - :',
    ])('finds nothing for %j', async (query) => {
      expect(await titlesFor(await openSamples(libraries), query)).toEqual([])
    })
  })
}

function describeOddQueries(libraries: Libraries): void {
  describe('a search for anything', () => {
    it.each([
      ['operators', 'penicillin AND NOT "x" OR (title: body*) NEAR(a b, 2) ^'],
      ['SQL', "penicillin'; DROP TABLE passages; --"],
      ['null bytes', '\0penicillin\0'],
      ['a lone surrogate and emoji', '\ud83d penicillin 💊'],
      ['HTML', '<script>alert("penicillin")</script>'],
      ['100,000 characters', `penicillin ${'unheard of words, '.repeat(5_600)}`],
      [
        '10,000 different words',
        Array.from({ length: 10_000 }, (_, index) => `penicillin q${index}`).join(' '),
      ],
    ])('takes %s for words', async (_what, query) => {
      expect((await titlesFor(await openSamples(libraries), query))[0]).toBe('Penicillin')
    })

    it('takes a whole text for a query', async () => {
      const library = await openSamples(libraries)
      const text = Array.from({ length: 6_000 }, (_, index) => wordFor(index)).join(' ')
      await library.add(documentOf('Words', text), '/words')
      const hits = await library.search({ query: text, limit: 1 })
      expect(hits.map(({ passage }) => passage.start)).toEqual([0])
    })
  })
}

function describeRanking(libraries: Libraries): void {
  describe('the ranking', () => {
    it('finds by the title, and ranks a word in it above the same word in passing', async () => {
      const library = await libraries.open()
      const rest = 'There is more to say about many other things. '.repeat(8)
      await library.add(documentOf('On tea', `Coffee is mentioned here. ${rest}`), '/tea')
      await library.add(documentOf('On coffee', `It is mentioned here. ${rest}`), '/coffee')
      for (let index = 0; index < 8; index++) {
        await library.add(documentOf(`Page ${index}`, `Page ${index}. ${rest}`), `/page/${index}`)
      }
      expect(await titlesFor(library, 'coffee')).toEqual(['On coffee', 'On tea'])
    })

    it('ranks well where every passage has the word', async () => {
      const library = await libraries.open()
      const pages = [
        'is a drug.',
        'cures some.',
        'was discovered by Fleming.',
        'is dear.',
        'is old.',
      ]
      for (const page of pages) {
        await library.add(documentOf(page, `Penicillin ${page}`), `/${page}`)
      }
      const hits = await library.search({ query: 'Who discovered penicillin?', limit: 10 })
      expect(hits.map(({ source }) => source.title)[0]).toBe('was discovered by Fleming.')
      expect(hits).toHaveLength(5)
      for (const { score } of hits) expect(score).toBeGreaterThan(0)
    })

    it('finds no headings or links alone, unless there is nothing else', async () => {
      const library = await libraries.open()
      const text =
        '# Quokka\n## Food\nThe quokka eats grass.\n## See also\n- [Quokka food](food.md)'
      const sections = [...text.matchAll(/^#+ (.*)$/gm)].map(({ 1: title = '', index }) => ({
        title,
        level: 1,
        start: index,
      }))
      await library.add(documentOf('Animals', text, { sections }), '/animals')
      const hits = await library.search({ query: 'quokka food', limit: 10 })
      expect(hits.map(({ passage }) => passage.text)).toEqual(['## Food\nThe quokka eats grass.'])
      const bare = { sections: [{ title: 'Wombats', level: 1, start: 0 }] }
      await library.add(documentOf('Wombats', '# Wombats', bare), '/wombats')
      expect(await titlesFor(library, 'wombat')).toEqual(['Wombats'])
    })

    it('gives scores that fall, and the same for the same search', async () => {
      const library = await openSamples(libraries)
      const request = { query: 'discovered in bacteria, London or the world', limit: 10 }
      const hits = await library.search(request)
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual(scores.toSorted((left, right) => right - left))
      expect(scores.length).toBeGreaterThan(2)
      expect(await library.search(request)).toEqual(hits)
      expect(await (await libraries.open()).search(request)).toEqual(hits)
    })
  })
}

function describeBounds(libraries: Libraries): void {
  describe('a search that is bounded', () => {
    it('gives at most a given number of hits, and at most a given number of one source', async () => {
      const library = await libraries.open()
      for (let number = 0; number < 8; number++) {
        await library.add(numberedDocument(number), `/${number}`)
      }
      const query = 'beginning and ending go on'
      const all = await titlesFor(library, query, { limit: 100 })
      const perSource = Math.max(
        ...new Set(all).values().map((title) => all.filter((one) => one === title).length),
      )
      expect(perSource).toBeGreaterThan(1)
      expect(await titlesFor(library, query, { limit: 3 })).toEqual(all.slice(0, 3))
      const single = await titlesFor(library, query, { limit: 100, perSource: 1 })
      expect(single.toSorted()).toEqual([...new Set(all)].toSorted())
    })

    it('finds a source that many better ones stand before', async () => {
      const library = await libraries.open()
      const long = 'Whale whale whale. '.repeat(30_000)
      await library.add(documentOf('Whales', long), '/whales')
      await library.add(documentOf('Seas', `One whale. ${'Water is deep. '.repeat(60)}`), '/seas')
      expect((await titlesFor(library, 'whale', { perSource: 1 })).toSorted()).toEqual([
        'Seas',
        'Whales',
      ])
    })

    it('goes through the named sources only', async () => {
      const library = await openSamples(libraries)
      const sourceIds = [samplePages.metre.contentHash, samplePages.crispr.contentHash]
      expect(await titlesFor(library, 'penicillin', { sourceIds })).toEqual([])
      expect(await titlesFor(library, 'discovered light', { sourceIds })).toHaveLength(2)
      expect(await titlesFor(library, 'penicillin', { sourceIds: [] })).toEqual([])
      const also = { sourceIds, alsoSourceIds: [samplePages.penicillin.contentHash] }
      expect(await titlesFor(library, 'penicillin', also)).toEqual([])
    })

    it.each([
      { limit: 0 },
      { limit: 101 },
      { limit: 1.5 },
      { limit: Number.NaN },
      { perSource: 0 },
    ])('refuses %j', async (changes) => {
      const library = await libraries.open()
      const search = library.search({ query: 'a', limit: 5, ...changes })
      await expect(search).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })
}
