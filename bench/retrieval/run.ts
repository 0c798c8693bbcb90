import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { additionOf, type Collection, type Item, readCollection } from './collection.ts'
import { measure, type Quality, type Times, timesOf } from './measure.ts'
import { createPlainIndex } from './plain-index.ts'

const names = ['scifact', 'cacm', 'cranfield', 'cisi']
const targets = { ndcgAt10: 0.715, recallAt100: 0.93, medianMs: 12, itemsPerSecond: 5_000 }
const large = { passages: 100_000, queries: 200, p95Ms: 60 }

interface Result {
  readonly name: string
  readonly items: number
  readonly queries: number
  readonly found: Quality & Times
  readonly plain: Quality & Times
  readonly itemsPerSecond: number
}

process.exitCode = await main(process.argv.includes('--large'))

async function main(isLarge: boolean): Promise<number> {
  const data = process.env.SCHOLIUM_DATA
  if (data === undefined) {
    console.error('SCHOLIUM_DATA is not set: it names the folder that has 01-retrieval in it.')
    return 2
  }
  const missed: string[] = []
  const results: Result[] = []
  for (const name of names) {
    const collection = readCollection(join(data, '01-retrieval'), name)
    if (collection === undefined) missed.push(`${name} is not in ${data}/01-retrieval`)
    else results.push(await measureCollection(collection))
  }
  console.log(tableOf(results))
  missed.push(...results.flatMap(missedBy))
  if (isLarge) missed.push(...(await measureLarge(join(data, '01-retrieval'))))
  for (const miss of missed) console.log(`MISSED: ${miss}`)
  return missed.length === 0 ? 0 : 1
}

async function measureCollection(collection: Collection): Promise<Result> {
  const { name, items, queries } = collection
  return withLibrary(async (library) => {
    const itemsPerSecond = await addAll(library, items)
    const found = await measure(collection, async (query) => {
      const hits = await library.search({ query, limit: 100, perSource: 1 })
      return hits.map(({ source }) => source.csl.id)
    })
    const plain = await measure(collection, createPlainIndex(items))
    return { name, items: items.length, queries: queries.length, found, plain, itemsPerSecond }
  })
}

async function withLibrary<T>(use: (library: Library) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-bench-'))
  const library = createLibrary(openLibraryStore(join(folder, 'library.db')))
  try {
    return await use(library)
  } finally {
    await library.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Adds all items at once; how many a second. */
async function addAll(library: Library, items: readonly Item[]): Promise<number> {
  const additions = items.map(additionOf)
  const start = performance.now()
  await library.addAll(additions)
  return (1000 * items.length) / (performance.now() - start)
}

function tableOf(results: readonly Result[]): string {
  const head = [
    '| collection (dev) | texts | queries | nDCG@10 | R@100 | plain FTS5: nDCG@10 | R@100 | ms a query: mean | p50 | p95 | plain FTS5: p50 | texts added/s |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
  ]
  const rows = results.map(({ name, items, queries, found, plain, itemsPerSecond }) => {
    const quality = [found, plain].flatMap((one) => [one.ndcgAt10, one.recallAt100])
    const times = [found.meanMs, found.medianMs, found.p95Ms, plain.medianMs]
    const cells = [
      name,
      items,
      queries,
      ...quality.map((value) => value.toFixed(4)),
      ...times.map((value) => value.toFixed(1)),
      Math.round(itemsPerSecond),
    ]
    return `| ${cells.join(' | ')} |`
  })
  return [...head, ...rows].join('\n')
}

function missedBy({ name, found, plain, itemsPerSecond }: Result): string[] {
  const missed: string[] = []
  const expect = (what: string, isMet: boolean): void => {
    if (!isMet) missed.push(`${name}: ${what}`)
  }
  if (name === 'scifact') {
    expect(`nDCG@10 ≥ ${targets.ndcgAt10}`, found.ndcgAt10 >= targets.ndcgAt10)
    expect(`R@100 ≥ ${targets.recallAt100}`, found.recallAt100 >= targets.recallAt100)
    expect(`≤ ${targets.medianMs} ms a query`, found.medianMs <= targets.medianMs)
    expect(`> ${targets.itemsPerSecond} texts/s`, itemsPerSecond > targets.itemsPerSecond)
  }
  if (name === 'cacm' || name === 'cranfield') {
    expect('not below plain FTS5', found.ndcgAt10 >= plain.ndcgAt10)
  }
  return missed
}

/** Times alone: a library of many passages, made by mixing the sentences of neighbouring SciFact abstracts. */
async function measureLarge(folder: string): Promise<string[]> {
  const collection = readCollection(folder, 'scifact')
  if (collection === undefined) return []
  return withLibrary(async (library) => {
    const itemsPerSecond = await addAll(library, mixedItems(collection.items, large.passages))
    const times: number[] = []
    for (const { text } of collection.queries.slice(0, large.queries)) {
      const start = performance.now()
      await library.search({ query: text, limit: 10 })
      times.push(performance.now() - start)
    }
    const { meanMs, medianMs, p95Ms } = timesOf(times)
    const figures = `mean ${meanMs.toFixed(1)}, p50 ${medianMs.toFixed(1)}, p95 ${p95Ms.toFixed(1)} ms a query`
    console.log(
      `\n${large.passages} passages: ${figures}, ${Math.round(itemsPerSecond)} texts added/s`,
    )
    return p95Ms <= large.p95Ms ? [] : [`${large.passages} passages: p95 ≤ ${large.p95Ms} ms`]
  })
}

function mixedItems(items: readonly Item[], count: number): Item[] {
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
