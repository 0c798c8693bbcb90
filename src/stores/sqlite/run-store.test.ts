import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeRunStore } from '../../../test/contracts/run-store.ts'
import type { NewEvent } from '../../kernel/run/event.ts'
import { currentOwner } from '../process-owner.ts'
import { openDatabase } from './database.ts'
import { openRunStore, SqliteRunStore } from './run-store.ts'

describeRunStore('the log in SQLite', openRunStore, import.meta.resolve('./run-store.ts'))

const notice = { level: 'info', component: '', text: '' } as const
const step: NewEvent = { key: 'k', type: 'notice', data: notice, ts: 1 }
const large = (letter: string): NewEvent => ({ ...step, output: letter.repeat(10_000) })

const refusal = (hint: RegExp) => ({ code: 'store_failed', hint: expect.stringMatching(hint) })

let folder = ''
let path = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scholium-log-'))
  path = join(folder, 'runs.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A run with one event, and the connection on which its store works. */
async function start() {
  const db = openDatabase(path)
  const store = new SqliteRunStore(db, path)
  const run = { runId: 'a', workflow: 'ask', title: '', createdAt: 1 }
  const lease = await store.create(run, currentOwner())
  await store.append(lease, [large('x')], [], 'full')
  return { db, store, lease }
}

describe('an append', () => {
  it('waits for the disk where asked to, and only there', async () => {
    const { db, store, lease } = await start()
    for (const [durability, level] of [
      ['normal', 1],
      ['full', 2],
      ['full', 2],
      ['normal', 1],
    ] as const) {
      await store.append(lease, [step], [], durability)
      expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: level })
    }
    await store.close()
  })
})

describe('the log in SQLite, when it cannot be written', () => {
  it('keeps what it has on a full disk, nothing of what did not fit, and continues once there is space', async () => {
    const { db, store, lease } = await start()
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number }
    db.exec(`PRAGMA max_page_count = ${pages + 4}`)
    const batch = [step, large('y'), large('z')]
    await expect(store.append(lease, batch, [], 'normal')).rejects.toMatchObject(refusal(/space/))
    await expect(store.append(lease, batch, [], 'full')).rejects.toMatchObject(refusal(/space/))
    expect(await Array.fromAsync(store.events('a'))).toHaveLength(1)
    db.exec(`PRAGMA max_page_count = ${pages + 1_000}`)
    expect((await store.append(lease, batch, [], 'normal')).map(({ seq }) => seq)).toEqual([
      2, 3, 4,
    ])
    expect(await store.output('a', 1)).toBe('x'.repeat(10_000))
    await store.close()
  })

  it('undoes what a batch had written before it failed', async () => {
    const { db, store, lease } = await start()
    db.exec(`CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.events WHEN NEW.key = 'bad'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`)
    const batch = [step, { ...step, key: 'bad' }, step]
    await expect(store.append(lease, batch, [], 'full')).rejects.toMatchObject(refusal(/cause/))
    expect(await Array.fromAsync(store.events('a'))).toHaveLength(1)
    expect((await store.append(lease, [step], [], 'full'))[0]?.seq).toBe(2)
    await store.close()
  })

  it('says that the file is read-only', async () => {
    const { db, store, lease } = await start()
    db.exec('PRAGMA query_only = ON')
    await expect(store.append(lease, [step], [], 'normal')).rejects.toMatchObject(
      refusal(/writable/),
    )
    expect((await store.get('a')).lastSeq).toBe(1)
    await store.close()
  })

  it('lets its process continue later with a run that it could not be told to have ended', async () => {
    const { db, store, lease } = await start()
    db.exec('PRAGMA query_only = ON')
    await expect(store.release(lease, 'interrupted')).rejects.toMatchObject(refusal(/writable/))
    const [same, other] = [openRunStore(path), openRunStore(join(folder, 'other.db'))]
    expect(await same.get('a')).toMatchObject({ status: 'interrupted', epoch: 1 })
    expect((await same.acquire('a', currentOwner())).epoch).toBe(2)
    await expect(same.acquire('a', currentOwner())).rejects.toMatchObject({ code: 'run_busy' })
    const run = { runId: 'a', workflow: 'ask', title: '', createdAt: 1 }
    await other.create(run, currentOwner())
    await expect(other.acquire('a', currentOwner())).rejects.toMatchObject({ code: 'run_busy' })
    await Promise.all([store.close(), same.close(), other.close()])
  })

  it('waits for another process that writes, then says that it is locked and that trying again may help', async () => {
    const { db, store, lease } = await start()
    const other = openDatabase(path)
    other.exec('BEGIN IMMEDIATE')
    db.exec('PRAGMA busy_timeout = 50')
    const failing = store.append(lease, [step], [], 'full')
    await expect(failing).rejects.toMatchObject({ ...refusal(/try again/i), retryable: true })
    other.exec('ROLLBACK')
    expect((await store.append(lease, [step], [], 'full'))[0]?.seq).toBe(2)
    other.close()
    await store.close()
  })
})

describe('the log in SQLite, when its file is not as it was', () => {
  it('says that the file is damaged, and reads what is not', async () => {
    const { store, lease } = await start()
    for (let count = 0; count < 50; count++) await store.append(lease, [large('y')], [], 'normal')
    await store.close()
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(200_000, 0xff), 0, 200_000, 300_000)
    await file.close()
    const damaged = openRunStore(path)
    await expect(Array.fromAsync(damaged.events('a'))).rejects.toMatchObject(refusal(/copy/))
    expect(await damaged.output('a', 1)).toBe('x'.repeat(10_000))
    await damaged.close()
  })

  it('names the event whose row or large output is damaged', async () => {
    const { db, store, lease } = await start()
    await store.append(lease, [{ ...step, output: 'y'.repeat(20_000) }], [], 'normal')
    db.exec("DELETE FROM blobs; UPDATE events SET output = '{' WHERE seq = 1")
    for (const seq of [1, 2]) {
      const message = expect.stringContaining(`Event ${seq} of run a`)
      await expect(store.output('a', seq)).rejects.toMatchObject({ ...refusal(/copy/), message })
    }
    await store.close()
  })

  it('makes the folder that it shall be in', async () => {
    const store = openRunStore(join(folder, 'new', 'deeper', 'runs.db'))
    expect(await store.list()).toEqual([])
    await store.close()
  })

  it('refuses a file that is no database, one whose folder is a file, and one of a newer version', async () => {
    await writeFile(
      path,
      'This is a text, and it is longer than the header of a database. '.repeat(20),
    )
    expect(() => openRunStore(path)).toThrow(expect.objectContaining(refusal(/move/i)))
    for (const inside of [join(path, 'runs.db'), join(path, 'deeper', 'runs.db'), folder]) {
      expect(() => openRunStore(inside)).toThrow(expect.objectContaining(refusal(/folder/)))
    }
    const newer = join(folder, 'newer.db')
    const db = openDatabase(newer)
    db.exec('PRAGMA user_version = 99')
    db.close()
    expect(() => openRunStore(newer)).toThrow(expect.objectContaining(refusal(/Update/)))
  })
})
