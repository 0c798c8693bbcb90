import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../kernel/json.ts'
import {
  exactly,
  FileRefused,
  hashWhole,
  insideOf,
  readWhole,
  visibleIn,
  withFile,
  withFolder,
} from './opened.ts'
import { removeFile, replaceFile } from './replace-file.ts'

const ownPlatform = process.platform
let root: string
const at = (way: string) => join(root, way)

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-opened-')))
  mkdirSync(at('work/deep'), { recursive: true })
  mkdirSync(at('outside'))
  writeFileSync(at('work/deep/a.txt'), 'inside')
  writeFileSync(at('outside/a.txt'), 'outside')
})
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: ownPlatform })
  rmSync(root, { recursive: true })
})

/** Puts a link in the place of the folder. */
function swap(): void {
  renameSync(at('work/deep'), at('work/aside'))
  symlinkSync(at('outside'), at('work/deep'))
}

/** Elsewhere than on Linux nothing can be done through a descriptor; what was opened is compared. */
describe.each(['linux', 'darwin'])('on %s', (platform) => {
  beforeEach(() => Object.defineProperty(process, 'platform', { value: platform }))

  it('reads what really lies at a path, where the rule lets it through', async () => {
    symlinkSync('deep', at('work/door'))
    symlinkSync(at('outside/a.txt'), at('work/deep/out.txt'))
    const read = async (way: string, rule = insideOf(at('work'))) =>
      String(await readWhole(at(way), 100, rule))
    expect(await read('work/door/a.txt')).toBe('inside')
    expect(await read('work/door/a.txt', exactly(at('work/deep/a.txt')))).toBe('inside')
    await expect(read('work/door/a.txt', exactly(at('work/door/a.txt')))).rejects.toThrow(
      'it was replaced while it was being opened',
    )
    await expect(read('work/deep/out.txt')).rejects.toThrow(`it is outside ${at('work')}`)
    await expect(read('work/deep/../../outside/a.txt')).rejects.toThrow('it is outside')
    await expect(read('work/none.txt')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(read('work/deep')).rejects.toMatchObject({ kind: 'folder', says: 'is a folder' })
    await expect(readWhole(at('work/deep/a.txt'), 5)).rejects.toMatchObject({ kind: 'too_large' })
  })

  it('tells what is hidden by where it lies, and not by how it is called', async () => {
    mkdirSync(at('work/.git'))
    writeFileSync(at('work/.git/x'), 'hidden')
    symlinkSync('.git/x', at('work/shown.txt'))
    symlinkSync('deep/a.txt', at('work/.shown'))
    const rule = visibleIn(at('work'))
    await expect(readWhole(at('work/shown.txt'), 100, rule)).rejects.toThrow('it is hidden')
    expect(String(await readWhole(at('work/.shown'), 100, rule))).toBe('inside')
    expect(String(await readWhole(at('work/.git/x'), 100, visibleIn(at('work/.git'))))).toBe(
      'hidden',
    )
  })

  it('gives parts of a file and the hash of all', async () => {
    const bytes = Buffer.from('0123456789'.repeat(100_000))
    writeFileSync(at('work/long.txt'), bytes)
    await withFile(at('work/long.txt'), undefined, async (file) => {
      expect(String(await file.read(5, 999_997))).toBe('789')
      expect(await hashWhole(file, 1_000_000)).toBe(sha256(bytes))
      await expect(hashWhole(file, 999_999)).rejects.toThrow('the maximum is 999999')
    })
  })

  it('lists a folder, makes and replaces files, and takes them away', async () => {
    const path = at('work/new/er/b.txt')
    const bytes = new TextEncoder().encode('b')
    await replaceFile({ path, bytes, key: 'k' })
    expect(readFileSync(path, 'utf8')).toBe('b')
    const folder = at('work/new/er')
    const names = await withFolder(folder, exactly(folder), ({ entries }) => entries())
    expect(names.map(({ name }) => name)).toEqual(['b.txt'])
    await removeFile(path)
    expect(readdirSync(folder)).toEqual([])
  })

  it('writes and removes nothing in what took the place of a folder', async () => {
    swap()
    const path = at('work/deep/a.txt')
    const writing = replaceFile({ path, bytes: new Uint8Array(), key: 'k' })
    await expect(writing).rejects.toThrow('it was replaced while it was being opened')
    const deeper = { path: at('work/deep/new/b.txt'), bytes: new Uint8Array(), key: 'k' }
    await expect(replaceFile(deeper)).rejects.toThrow('it was replaced while it was being opened')
    await expect(removeFile(path)).rejects.toThrow('it was replaced while it was being opened')
    expect(readdirSync(at('outside'))).toEqual(['a.txt'])
    expect(readFileSync(at('outside/a.txt'), 'utf8')).toBe('outside')
  })

  it('does nothing but in the folder itself', async () => {
    await withFolder(at('work'), undefined, async ({ at: inside, path }) => {
      expect(path).toBe(at('work'))
      for (const name of ['', '.', '..', '../outside', 'deep/a.txt', 'a\0'])
        expect(() => inside(name)).toThrow(FileRefused)
      expect(existsSync(inside('deep'))).toBe(true)
    })
    await expect(withFolder(at('work/deep/a.txt'), undefined, async () => {})).rejects.toThrow(
      'it is not a folder',
    )
  })

  it('says what failed by the names that people know', async () => {
    const failed = withFolder(at('work'), undefined, async ({ at: inside }) =>
      unlinkSync(inside('none.txt')),
    )
    const error = await failed.catch((failure) => failure)
    expect(error.message).toBe(`ENOENT: no such file or directory, unlink '${at('work/none.txt')}'`)
    expect(error.path).toBe(at('work/none.txt'))
  })
})

/** What only a descriptor can do: what was opened stays what it is. */
describe.runIf(ownPlatform === 'linux')('a folder that is swapped while it is held', () => {
  it('is the one that was opened', async () => {
    await withFolder(at('work/deep'), exactly(at('work/deep')), async (folder) => {
      swap()
      writeFileSync(folder.at('b.txt'), 'b')
      renameSync(folder.at('b.txt'), folder.at('c.txt'))
      expect(readFileSync(folder.at('a.txt'), 'utf8')).toBe('inside')
    })
    expect(readdirSync(at('work/aside'))).toEqual(['a.txt', 'c.txt'])
    expect(readdirSync(at('outside'))).toEqual(['a.txt'])
  })

  it('gives the file that was opened, though it is replaced and gone', async () => {
    const path = at('work/deep/a.txt')
    await withFile(path, exactly(path), async (file) => {
      unlinkSync(path)
      linkSync(at('outside/a.txt'), path)
      expect(String(await file.read(100))).toBe('inside')
    })
  })

  it('needs no right to list it for what is named in it', async () => {
    chmodSync(at('work/deep'), 0o100)
    const path = at('work/deep/a.txt')
    expect(String(await readWhole(path, 100, exactly(path)))).toBe('inside')
    chmodSync(at('work/deep'), 0o700)
  })
})

/** A folder that is swapped between two looks, where only these can be compared. */
it('compares what was opened with what lies there where it cannot be held', async () => {
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  const path = at('work/deep')
  const listing = withFolder(path, exactly(path), async ({ entries }) => {
    swap()
    return entries()
  })
  await expect(listing).rejects.toThrow('it was replaced while it was being opened')
})
