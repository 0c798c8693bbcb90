import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { encodeSnapshot, readSnapshot } from '../../src/tools/sandbox/child/snapshot-file.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'

const setting = process.env.XDG_CACHE_HOME
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-cache-'))
  process.env.XDG_CACHE_HOME = folder
})
afterEach(() => {
  if (setting === undefined) delete process.env.XDG_CACHE_HOME
  else process.env.XDG_CACHE_HOME = setting
  rmSync(folder, { recursive: true, force: true })
})

/** What differs where an interpreter was not started anew: order by hash, chance, names and modules left by others. */
const code = `
import os, random, sys
print(sorted(vars(random.Random(1))), random.random(), list({'a', 'b', 'c'}), len(os.urandom(4)), random.Random().random() < 1)
{'hash': str(hash('text')), 'left': 'mine' in globals(), 'modules': len(sys.modules), 'about': plot.__doc__}
`

async function run() {
  const sandbox = createSandbox({ spareMs: 0 })
  try {
    return await sandbox.run({ language: 'python', code }, new AbortController().signal)
  } finally {
    await sandbox.close()
  }
}

const kept = () => readdirSync(join(folder, 'scholium'))

it('is kept for its user alone, is what others start from, and is given up where it is damaged', async () => {
  const old = join(folder, 'scholium', 'python-0123456789abcdef.snapshot')
  mkdirSync(dirname(old))
  writeFileSync(old, 'of a version that nobody has any more')
  utimesSync(old, 0, 0)

  const first = await run()
  expect(first).toMatchObject({ error: null, value: { left: false } })
  await vi.waitFor(
    () => expect(kept()).toEqual([expect.stringMatching(/^python-(?!0123).{16}\.snapshot$/)]),
    60_000,
  )
  const [path = ''] = kept().map((name) => join(folder, 'scholium', name))
  expect(statSync(path).mode & 0o077).toBe(0)
  expect(await run()).toEqual(first)

  const snapshot = Buffer.from(readSnapshot(path) ?? [])
  const about = 'Simple figures'
  for (let at = snapshot.indexOf(about); at >= 0; at = snapshot.indexOf(about, at + 1)) {
    snapshot.write('Sample', at)
  }
  writeFileSync(path, encodeSnapshot(snapshot))
  expect((await run()).value).toMatchObject({ about: expect.stringMatching(/^Sample/) })

  writeFileSync(path, readFileSync(path).subarray(0, -1_000))
  expect(await run()).toEqual(first)
  expect(kept()).toEqual([])
}, 180_000)
