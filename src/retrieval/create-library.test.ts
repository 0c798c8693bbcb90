import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { additionOf, readCollection } from '../../bench/retrieval/collection.ts'
import { measureSearches } from '../../bench/retrieval/measure.ts'
import { createPlainIndex } from '../../bench/retrieval/plain-index.ts'
import { documentOf, wordFor } from '../../test/contracts/library-fixture.ts'
import { openLibrary } from '../../test/contracts/sqlite-library.ts'
import type { Library } from './library.ts'

let folder = ''
let library: Library
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-library-'))
  library = openLibrary(join(folder, 'library.db'))
})
afterEach(async () => {
  await library.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a library over many searches', () => {
  it('finds the same after it has forgotten what it had read, and when searches overlap', async () => {
    const texts = Array.from({ length: 12_000 }, (_, number) => {
      const group = wordFor(Math.floor(number / 120))
      return documentOf(wordFor(number), `Of ${group} and ${wordFor(number)}, ${number % 7} times.`)
    })
    await library.addAll(texts.map((document) => ({ document, path: `/${document.title}` })))
    const queries = Array.from({ length: 100 }, (_, group) => wordFor(group))
    const search = (query: string) => library.search({ query, limit: 5 })
    const first = await search(queries[0] as string)
    expect(first).toHaveLength(5)
    const overlapping = await Promise.all(queries.map(search))
    expect(overlapping[0]).toEqual(first)
    for (const [index, query] of queries.entries()) {
      expect(await search(query)).toEqual(overlapping[index])
    }
  })
})

const data = process.env.SCHOLIUM_DATA
describe.skipIf(data === undefined)('a library of abstracts (needs SCHOLIUM_DATA)', () => {
  it('ranks the Cranfield collection better than the index alone', async () => {
    const collection = readCollection(join(data ?? '', '01-retrieval'), 'cranfield')
    await library.addAll(collection.items.map(additionOf))
    const { ours, plain } = await measureSearches(collection, {
      ours: async (query) => {
        const hits = await library.search({ query, limit: 100, perSource: 1 })
        return hits.map(({ source }) => source.csl.id)
      },
      plain: createPlainIndex(collection.items),
    })
    expect(ours.ndcgAt10).toBeGreaterThan(plain.ndcgAt10 + 0.01)
    expect(ours.recallAt100).toBeGreaterThan(plain.recallAt100)
  })
})
