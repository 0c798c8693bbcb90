import { join } from 'node:path'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { quantile, timeMs } from '../timing.ts'
import { additionOf, type Collection, type Item, readCollection } from './collection.ts'
import { type Found, measureSearches, type Search } from './measure.ts'
import { createPlainIndex } from './plain-index.ts'

const collections = ['scifact', 'cacm', 'cranfield', 'cisi']

interface Amounts {
  readonly names: readonly string[]
  readonly maxQueries: number
  /** Passages of the library of which only the time is measured. */
  readonly mixedPassages: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { names: ['cranfield'], maxQueries: 5, mixedPassages: 0 },
  quick: { names: collections, maxQueries: 1_000, mixedPassages: 0 },
  full: { names: collections, maxQueries: 1_000, mixedPassages: 100_000 },
}

/** The least that a collection's figures may be besides those of plain FTS5. Weights were chosen on these questions. */
const floors: Readonly<Record<string, { ndcgAt10: number; recallAt100: number }>> = {
  scifact: { ndcgAt10: 0.715, recallAt100: 0.93 },
}

/** Search in a library and adding to it, next to SQLite's FTS5 alone on the same texts and questions. */
export const bench: Bench = {
  title: 'Search',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, folder, dataFolder }) {
    const { names, maxQueries, mixedPassages } = amounts[size]
    const source = join(dataFolder, '01-retrieval')
    const measures: Measure[] = []
    for (const name of names) {
      const { queries, ...rest } = readCollection(source, name)
      const collection = { ...rest, queries: queries.slice(0, maxQueries) }
      measures.push(...(await measureCollection(collection, join(folder, name), measureQuality)))
    }
    if (mixedPassages > 0) {
      const { items, ...rest } = readCollection(source, 'scifact')
      const queries = rest.queries.slice(0, 200)
      const name = `${mixedPassages.toLocaleString('en')} passages`
      const mixed = { ...rest, name, queries, items: mixItems(items, mixedPassages) }
      measures.push(...(await measureCollection(mixed, join(folder, 'mixed'), () => [])))
    }
    return measures
  },
}

type Searched = Readonly<Record<'ours' | 'tenHits' | 'plain', Found>>

async function measureCollection(
  collection: Collection,
  path: string,
  measureFound: (collection: Collection, searched: Searched) => readonly Measure[],
): Promise<readonly Measure[]> {
  const { name, items, queries } = collection
  const additions = items.map(additionOf)
  const library = createLibrary(openLibraryStore(`${path}.db`))
  try {
    const addMs = await timeMs(() => library.addAll(additions))
    let plain: Search = async () => []
    const plainAddMs = await timeMs(() => {
      plain = createPlainIndex(items, `${path}-plain.db`)
    })
    const searchFor =
      (limit: number): Search =>
      async (query) => {
        const hits = await library.search({ query, limit, perSource: 1 })
        return hits.map(({ source }) => source.csl.id)
      }
    const searches = { plain, ours: searchFor(100), tenHits: searchFor(10) }
    const searched = await measureSearches(collection, searches)
    const what = `${name}, ${items.length.toLocaleString('en')} texts`
    return [
      ...measureFound(collection, searched),
      ...measureTimes(`${what}, ${queries.length} queries`, searched),
      {
        what: `${what}: adding, a text`,
        value: (addMs / items.length) * 1_000,
        unit: 'µs',
        yardstick: { what: 'plain FTS5', value: (plainAddMs / items.length) * 1_000 },
        target: { atMost: 5 },
      },
    ]
  } finally {
    await library.close()
  }
}

/** A hundred hits, as the quality is measured; plain FTS5 gives the numbers of a hundred texts. */
function measureTimes(what: string, { ours, tenHits, plain }: Searched): readonly Measure[] {
  const row = (figure: string, found: Found, share: number): Measure => ({
    what: `${what}: ${figure}`,
    value: quantile(found.timesMs, share),
    unit: 'ms',
    yardstick: { what: 'plain FTS5', value: quantile(plain.timesMs, share) },
    target: { atMost: 8 },
  })
  return [
    row('a query, median', ours, 0.5),
    row('a query, p95', ours, 0.95),
    row('the same query again, for ten hits, median', tenHits, 0.5),
  ]
}

function measureQuality(
  { name, queries }: Collection,
  { ours, plain }: Searched,
): readonly Measure[] {
  const row = (what: string, figure: 'ndcgAt10' | 'recallAt100', slack: number): Measure => ({
    what: `${name}, ${queries.length} queries: ${what}`,
    value: ours[figure],
    yardstick: { what: 'plain FTS5', value: plain[figure] },
    target: { atLeast: Math.max(floors[name]?.[figure] ?? 0, plain[figure] - slack) },
  })
  return [row('nDCG@10', 'ndcgAt10', 0), row('recall@100', 'recallAt100', 0.005)]
}

/** Texts that mix the sentences of neighbouring ones. */
function mixItems(items: readonly Item[], count: number): readonly Item[] {
  const sentences = items.map(({ text }) => text.split(/(?<=\.) /))
  return Array.from({ length: count }, (_, index) => {
    const from = (index * 7) % items.length
    const parts = Array.from({ length: 7 }, (_ignored, part) => {
      const near = sentences[(from + part * (1 + (index % 13))) % items.length] ?? []
      return near[(index + part) % Math.max(1, near.length)] ?? ''
    })
    return {
      _id: `mixed-${index}`,
      title: items[from]?.title ?? '',
      text: `${parts.join(' ')} ${index}.`,
    }
  })
}
