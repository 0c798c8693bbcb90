import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeLibrary } from '../../../test/contracts/library.ts'
import { documentOf } from '../../../test/contracts/library-fixture.ts'
import { describeRunStore } from '../../../test/contracts/run-store.ts'
import { createLibrary } from '../../retrieval/create-library.ts'
import { currentOwner } from '../process-owner.ts'
import { isAbsent } from './is-absent.ts'
import { createLazyLibraryStore } from './lazy-library-store.ts'
import { createLazyRunStore } from './lazy-run-store.ts'

describeRunStore(
  'the log in SQLite, opened on demand',
  createLazyRunStore,
  import.meta.resolve('./run-store.ts'),
)
describeLibrary(
  'the library in SQLite, opened on demand',
  (path) => createLibrary(createLazyLibraryStore(path)),
  import.meta.resolve('../../../test/contracts/sqlite-library.ts'),
)

describe('a store that is not there', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scholium-demand-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const home = () => join(folder, 'home')
  const run = { runId: 'a', workflow: 'ask', title: '', createdAt: 1 }

  it('reads as an empty log and is not made, until a run is created by this process or another', async () => {
    const path = join(home(), 'runs.db')
    const [store, other] = [createLazyRunStore(path), createLazyRunStore(path)]
    expect(await store.list()).toEqual([])
    await expect(store.get('a')).rejects.toMatchObject({ code: 'run_not_found' })
    await expect(store.remove('a')).rejects.toMatchObject({ code: 'run_not_found' })
    await expect(Array.fromAsync(store.events('a'))).rejects.toMatchObject({
      code: 'run_not_found',
    })
    expect(existsSync(home())).toBe(false)
    const lease = await other.create(run, currentOwner())
    expect(await store.list()).toMatchObject([{ runId: 'a' }])
    await other.release(lease, 'answered')
    await store.close()
    await other.close()
  })

  it('reads as an empty library and is not made, until something is added', async () => {
    const path = join(home(), 'library.db')
    const library = createLibrary(createLazyLibraryStore(path))
    expect(await library.list()).toEqual([])
    expect(await library.search({ query: 'tides', limit: 3 })).toEqual([])
    expect(await library.remove('x')).toBe(0)
    expect(existsSync(home())).toBe(false)
    await library.add(documentOf('Tides', 'The tides follow the moon.'), '/tides')
    expect(await library.search({ query: 'tides', limit: 3 })).toHaveLength(1)
    expect(isAbsent(path)).toBe(false)
    await library.close()
  })

  it('is not opened once it was closed', async () => {
    const store = createLazyRunStore(join(home(), 'runs.db'))
    const library = createLibrary(createLazyLibraryStore(join(home(), 'library.db')))
    await Promise.all([store.close(), library.close()])
    const closed = { code: 'store_failed', message: expect.stringMatching(/closed/) }
    await expect(store.list()).rejects.toMatchObject(closed)
    await expect(store.create(run, currentOwner())).rejects.toMatchObject(closed)
    await expect(library.list()).rejects.toMatchObject(closed)
    const tides = library.add(documentOf('Tides', 'The tides follow the moon.'), '/tides')
    await expect(tides).rejects.toMatchObject(closed)
    expect(existsSync(home())).toBe(false)
  })
})
