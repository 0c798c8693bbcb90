import { mkdtemp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Document } from './document.ts'
import { type FileStamp, KnownFiles } from './known-files.ts'
import { readPaths } from './read-files.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scholium-known-'))
})
afterEach(() => rm(folder, { recursive: true }))

const hourMs = 3_600_000
const inAnHour = { now: () => Date.now() + hourMs, sleep: async () => {} }

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}

async function readText(known: KnownFiles, path: string) {
  const [outcome] = await Array.fromAsync(readPaths([{ path }], { known }))
  return outcome?.ok === true ? outcome.document : undefined
}

describe('KnownFiles', () => {
  it('gives the document of a file that is still the same', async () => {
    const known = new KnownFiles(inAnHour)
    const path = await write('a.txt', 'The first text.')
    const first = await readText(known, path)
    expect(first?.text).toBe('The first text.')
    expect(await readText(known, path)).toBe(first)
  })

  it('has a file read again that was changed, also with the same length and time', async () => {
    const known = new KnownFiles(inAnHour)
    const path = await write('a.txt', 'The first text.')
    await readText(known, path)
    const { atime, mtime } = await stat(path)
    await write('a.txt', 'The other text.')
    await utimes(path, atime, mtime)
    expect((await readText(known, path))?.text).toBe('The other text.')
  })

  it('has a file read again in whose place another was put', async () => {
    const known = new KnownFiles(inAnHour)
    const path = await write('a.txt', 'The first text.')
    await readText(known, path)
    await rename(await write('b.txt', 'The other text.'), path)
    expect((await readText(known, path))?.text).toBe('The other text.')
  })

  it('does not trust a file that was changed a moment ago', async () => {
    const known = new KnownFiles({ ...inAnHour, now: Date.now })
    const path = await write('a.txt', 'The first text.')
    const first = await readText(known, path)
    expect(await readText(known, path)).not.toBe(first)
  })

  it('tells again of a file that is gone or gave nothing', async () => {
    const known = new KnownFiles(inAnHour)
    const path = await write('a.txt', 'The first text.')
    await readText(known, path)
    await rm(path)
    const [gone] = await Array.fromAsync(readPaths([{ path }], { known }))
    expect(gone).toMatchObject({ ok: false, unreadable: { reason: 'not_found' } })
    const empty = await write('b.txt', '')
    for (const _ of [1, 2]) {
      const [outcome] = await Array.fromAsync(readPaths([{ path: empty }], { known }))
      expect(outcome).toMatchObject({ ok: false, unreadable: { reason: 'empty' } })
    }
  })

  it('keeps the last used within its bound', () => {
    const known = new KnownFiles(inAnHour)
    const stamp = 'as it was' as FileStamp
    const document = { text: 'x'.repeat(900_000) } as Document
    const outcome = { ok: true, path: 'a', document } as const
    const names = Array.from({ length: 20 }, (_, number) => `${number}`)
    for (const name of names) {
      known.keep(name, stamp, outcome)
      expect(known.find('0', stamp)).toBe(outcome)
    }
    const kept = names.filter((name) => known.find(name, stamp) !== undefined)
    expect(kept).toEqual(['0', ...names.slice(-16)])
  })

  it('keeps no very long text', () => {
    const known = new KnownFiles(inAnHour)
    const stamp = 'as it was' as FileStamp
    const document = { text: 'x'.repeat(1_000_001) } as Document
    known.keep('a', stamp, { ok: true, path: 'a', document })
    expect(known.find('a', stamp)).toBeUndefined()
  })
})
