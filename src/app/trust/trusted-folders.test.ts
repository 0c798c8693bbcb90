import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isTrusted, type TrustedFolder, trust, trustedFolders, untrust } from './trusted-folders.ts'

let root: string
let environment: { readonly XDG_CONFIG_HOME: string }
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scholium-trust-'))
  environment = { XDG_CONFIG_HOME: join(root, 'config') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const folder = () => join(root, 'config/scholium/trusted')
const files = () => readdirSync(folder()).map((name) => join(folder(), name))
/** The file of the only entry. */
const file = () => files()[0] as string
const instructions = (name = 'a'): TrustedFolder => ({
  kind: 'instructions',
  path: join(root, name),
})
const home = (name = 'a', log = 7): TrustedFolder => ({ kind: 'home', path: join(root, name), log })
const kinds = [
  ['instructions', instructions],
  ['a home', home],
] as const

/** What makes an entry say nothing. */
const spoilt: readonly (readonly [what: string, spoil: () => void])[] = [
  ['others may write it', () => chmodSync(file(), 0o602)],
  ['a group may write it', () => chmodSync(file(), 0o620)],
  ['others may write its folder', () => chmodSync(folder(), 0o702)],
  ['a group may write its folder', () => chmodSync(folder(), 0o720)],
  ['it is empty', () => writeFileSync(file(), '')],
  ['it holds more', () => writeFileSync(file(), '{}', { flag: 'a' })],
  [
    'it is the text of another entry under its name',
    () => {
      const name = file()
      trust(environment, instructions('other'))
      const other = files().find((path) => path !== name) as string
      renameSync(other, name)
    },
  ],
  [
    'it is a link to a copy of itself',
    () => {
      copyFileSync(file(), join(root, 'copy'))
      const name = file()
      rmSync(name)
      symlinkSync(join(root, 'copy'), name)
    },
  ],
  [
    'its folder is a link',
    () => {
      renameSync(folder(), join(root, 'elsewhere'))
      symlinkSync(join(root, 'elsewhere'), folder())
    },
  ],
  [
    'it is a pipe that nobody writes to',
    () => {
      const name = file()
      rmSync(name)
      execFileSync('mkfifo', [name])
    },
  ],
  [
    'it is a folder',
    () => {
      const name = file()
      rmSync(name)
      mkdirSync(name)
    },
  ],
]

describe.each(kinds)('trust in %s', (_kind, entry) => {
  it('is kept once, in a file that a person can read and delete', () => {
    expect(trust(environment, entry())).toBeUndefined()
    expect(trust(environment, entry())).toBeUndefined()
    expect(isTrusted(environment, entry())).toBe(true)
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(entry())
    expect(files()).toHaveLength(1)
    expect([statSync(file()).mode & 0o777, statSync(folder()).mode & 0o777]).toEqual([0o600, 0o700])
    rmSync(file())
    expect(isTrusted(environment, entry())).toBe(false)
  })

  it.each(spoilt)('is not believed where %s, and nothing is written over it', (_what, spoil) => {
    trust(environment, entry())
    spoil()
    const before = files()
    expect(isTrusted(environment, entry())).toBe(false)
    expect(trust(environment, entry())).toMatch(
      /\/trusted\b.* writable by others; (?:make|remove) it/,
    )
    expect(files()).toEqual(before)
    expect(isTrusted(environment, entry())).toBe(false)
  })

  it.skipIf(process.getuid?.() !== 0).each([
    ['it is', () => chownSync(file(), 65_534, 65_534)],
    ['its folder is', () => chownSync(folder(), 65_534, 65_534)],
  ])("is not believed where %s another user's (needs root)", (_what, spoil) => {
    trust(environment, entry())
    spoil()
    expect(isTrusted(environment, entry())).toBe(false)
    expect(trust(environment, entry())).toContain('writable by others')
  })

  it('says why it cannot be kept', () => {
    writeFileSync(join(root, 'config'), '')
    expect(trust(environment, entry())).toContain('ENOTDIR')
    expect(isTrusted(environment, entry())).toBe(false)
  })

  it('is kept by each of several processes at once, which forget what is gone', async () => {
    mkdirSync(join(root, 'a'))
    trust(environment, entry())
    const own = join(folder(), 'note.txt')
    writeFileSync(own, '{"path": "/gone"}')
    const gone = Array.from({ length: 998 }, (_, index) => entry(`gone-${index}`))
    for (const one of gone) trust(environment, one)
    const module = new URL('trusted-folders.ts', import.meta.url).href
    const kept = [1, 2, 3, 4].map((index) => entry(`kept-${index}`))
    for (const { path } of kept) mkdirSync(path)
    const said = await Promise.all(
      kept.map((one) =>
        promisify(execFile)(process.execPath, [
          '--input-type=module',
          '--eval',
          `import { trust } from ${JSON.stringify(module)}
          console.log(trust(${JSON.stringify(environment)}, ${JSON.stringify(one)}))`,
        ]),
      ),
    )
    expect(said.map(({ stdout }) => stdout.trim())).toEqual(kept.map(() => 'undefined'))
    expect([entry(), ...kept].map((one) => isTrusted(environment, one))).toEqual(
      Array(5).fill(true),
    )
    expect(gone.filter((one) => isTrusted(environment, one))).toEqual([])
    expect(files()).toContain(own)
  })
})

it('in one folder, log or kind is none in another', () => {
  trust(environment, instructions('a'))
  trust(environment, home('b', 7))
  const others = [
    instructions('b'),
    home('a', 7),
    home('b', 8),
    instructions('a/b'),
    home('b/..', 7),
  ]
  expect(others.filter((one) => isTrusted(environment, one))).toEqual([])
})

it('trust is listed, and taken back for one folder in all its kinds', () => {
  for (const entry of [instructions('b'), instructions(), home()]) trust(environment, entry)
  writeFileSync(join(folder(), 'other.json'), '{}')
  expect(trustedFolders(environment).map(({ path }) => path)).toEqual([
    join(root, 'a'),
    join(root, 'a'),
    join(root, 'b'),
  ])
  expect(untrust(environment, join(root, 'a'))).toHaveLength(2)
  expect([instructions(), home()].some((entry) => isTrusted(environment, entry))).toBe(false)
  expect(trustedFolders(environment)).toEqual([instructions('b')])
  expect(untrust(environment, join(root, 'a'))).toEqual([])
})
