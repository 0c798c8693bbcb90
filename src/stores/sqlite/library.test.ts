import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeLibrary } from '../../../test/contracts/library.ts'
import { documentOf, numberedDocument, wordFor } from '../../../test/contracts/library-fixture.ts'
import { openLibrary } from '../../../test/contracts/sqlite-library.ts'
import { createLibrary } from '../../retrieval/create-library.ts'
import type { Document } from '../../sources/document.ts'
import { openDatabase } from './database.ts'
import { openLibraryStore, SqliteLibraryStore } from './library.ts'

describeLibrary(
  'the library in SQLite',
  openLibrary,
  import.meta.resolve('../../../test/contracts/sqlite-library.ts'),
)

const refusal = (hint: RegExp) => ({ code: 'store_failed', hint: expect.stringMatching(hint) })

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scholium-library-'))
  path = join(folder, 'library.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const additions = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    document: numberedDocument(number),
    path: `/${number}`,
  }))

describe('the library in SQLite, when it cannot be written', () => {
  it('keeps what it has on a full disk, nothing of what did not fit, and continues once there is space', async () => {
    const db = openDatabase(path)
    const library = createLibrary(new SqliteLibraryStore(db, path))
    await library.add(documentOf('First', 'The first one.'), '/first')
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number }
    db.exec(`PRAGMA max_page_count = ${pages + 20}`)
    await expect(library.addAll(additions(200))).rejects.toMatchObject(refusal(/space/))
    expect((await library.list()).map(({ title }) => title)).toEqual(['First'])
    expect(await library.search({ query: 'beginning', limit: 5 })).toEqual([])
    db.exec('PRAGMA max_page_count = 100000')
    expect(await library.addAll(additions(200))).toHaveLength(200)
    expect(await library.search({ query: wordFor(150), limit: 1 })).toHaveLength(1)
    await library.close()
  })

  it('says that another process keeps it locked, and that trying again may help', async () => {
    const db = openDatabase(path)
    const library = createLibrary(new SqliteLibraryStore(db, path))
    db.exec('PRAGMA busy_timeout = 10')
    const beside = openDatabase(path)
    beside.exec('BEGIN IMMEDIATE')
    const refused = { ...refusal(/again/), retryable: true }
    await expect(library.remove('/first')).rejects.toMatchObject(refused)
    expect(await library.list()).toEqual([])
    beside.exec('ROLLBACK')
    expect(await library.remove('/first')).toBe(0)
    beside.close()
    await library.close()
  })

  it('refuses a file that is no database, one whose folder is a file, and one of a newer version', async () => {
    await writeFile(path, 'This is a text, longer than the header of a database. '.repeat(20))
    expect(() => openLibraryStore(path)).toThrow(expect.objectContaining(refusal(/Move the file/)))
    for (const inside of [join(path, 'library.db'), folder]) {
      expect(() => openLibraryStore(inside)).toThrow(expect.objectContaining(refusal(/folder/)))
    }
    const newer = join(folder, 'newer.db')
    const db = openDatabase(newer)
    db.exec('PRAGMA user_version = 99')
    db.close()
    expect(() => openLibraryStore(newer)).toThrow(expect.objectContaining(refusal(/Update/)))
  })

  it('says that a file is damaged', async () => {
    const library = openLibrary(path)
    await library.addAll(additions(200))
    await library.close()
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    await file.write(Buffer.alloc(size - 8_192, 0x5a), 0, size - 8_192, 8_192)
    await file.close()
    const damaged = { code: 'store_failed', message: expect.stringMatching(/damaged/) }
    const work = async () => {
      const opened = openLibrary(path)
      await opened.list().finally(() => opened.close())
    }
    await expect(work()).rejects.toMatchObject(damaged)
  })

  it('says that it was closed, and may be closed twice', async () => {
    const library = openLibrary(path)
    await library.close()
    await library.close()
    await expect(library.list()).rejects.toMatchObject(refusal(/Open it again/))
  })

  it('makes the folder that it shall be in', async () => {
    const library = openLibrary(join(folder, 'new', 'deeper', 'library.db'))
    expect(await library.list()).toEqual([])
    await library.close()
  })
})

describe('a large library', () => {
  it('finds by the rare words of a question first, and by common ones where too little has those', async () => {
    const library = openLibrary(path)
    const pages = Array.from({ length: 31_000 }, (_, number) => {
      const rare = `${wordFor(number % 150)} ${wordFor(100_000 + number)}`
      return documentOf(rare, `common ordinary ${rare}.`)
    })
    await library.addAll(pages.map((document, number) => ({ document, path: `/${number}` })))
    const search = async (query: string, changes = {}) => {
      const hits = await library.search({ query, limit: 100, ...changes })
      return hits.map(({ source }) => source.path)
    }
    const found = await search(`common ordinary ${wordFor(7)} ${wordFor(105_107)}`)
    expect(found[0]).toBe('/5107')
    expect(found).toHaveLength(100)
    expect(found.every((one) => Number(one?.slice(1)) % 150 === 7)).toBe(true)
    expect((await search(`ordinary ${wordFor(105_107)}`)).slice(0, 1)).toEqual(['/5107'])
    expect(await search('common')).toHaveLength(100)
    const sourceIds = [(pages[3] as Document).contentHash]
    expect(await search(`common ${wordFor(7)}`, { sourceIds })).toEqual(['/3'])
    await library.close()
  })
})
