import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine } from '../cli/command.ts'

/** What is compiled is run: who could write into the folder where Node keeps it could run code as this user. */
describe('the folder of compiled code', () => {
  let cli: CommandLine
  let caches: string
  let folder: string
  let shared: string
  beforeEach(() => {
    cli = new CommandLine()
    caches = join(cli.folder, 'caches')
    folder = join(caches, 'scholium')
    shared = join(cli.folder, 'tmp')
    mkdirSync(caches, { mode: 0o700 })
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
  })
  afterEach(() => cli.remove())

  const nobody = 65_534
  const isRoot = process.getuid?.() === 0
  const withMode = (path: string, mode: number) => {
    mkdirSync(path)
    chmodSync(path, mode)
  }
  /** A way in which the folder may stand there. A new one is a new row. */
  it.each<[string, boolean, () => void]>([
    ['does not exist', true, () => {}],
    ['is for this user alone', true, () => withMode(folder, 0o700)],
    ['can be read by others', true, () => withMode(folder, 0o755)],
    ['can be written by a group', false, () => withMode(folder, 0o770)],
    ['can be written by all', false, () => withMode(folder, 0o777)],
    [
      'is a link',
      false,
      () => {
        withMode(join(cli.folder, 'elsewhere'), 0o700)
        symlinkSync(join(cli.folder, 'elsewhere'), folder)
      },
    ],
    ['is a file', false, () => writeFileSync(folder, '')],
    ['lies where all may put things in its place', false, () => chmodSync(caches, 0o777)],
    ['lies where all may put things, each their own', true, () => chmodSync(caches, 0o1777)],
    ...(isRoot
      ? ([
          [
            'is of another user',
            false,
            () => {
              withMode(folder, 0o700)
              chownSync(folder, nobody, nobody)
            },
          ],
          ['lies in a folder of another user', false, () => chownSync(caches, nobody, nobody)],
        ] as [string, boolean, () => void][])
      : []),
  ])('that %s is used: %s', async (_how, isUsed, prepare) => {
    prepare()
    const env = { XDG_CACHE_HOME: caches, TMPDIR: shared, NODE_COMPILE_CACHE: undefined }
    const { exitCode } = await cli.run(['--help'], { env, isApart: true })
    expect(exitCode).toBe(0)
    expect(readdirSync(shared)).toEqual([])
    expect(existsSync(join(folder, 'compiled'))).toBe(isUsed)
    if (isUsed) expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('is none where there is no folder of the user', async () => {
    const env = { HOME: '', XDG_CACHE_HOME: 'relative', TMPDIR: shared }
    const { exitCode } = await cli.run(['--help'], { env, isApart: true })
    expect(exitCode).toBe(0)
    expect(readdirSync(shared)).toEqual([])
    expect(readdirSync(cli.folder).toSorted()).toEqual(['caches', 'tmp'])
  })
  it.runIf(process.platform === 'linux')('is none where no folder can be made', async () => {
    const env = { XDG_CACHE_HOME: '/proc/none', TMPDIR: shared }
    const { exitCode } = await cli.run(['--help'], { env, isApart: true })
    expect(exitCode).toBe(0)
  })

  it.runIf(isRoot)('is none for a user that the system does not know', async () => {
    const env = { HOME: undefined, XDG_CACHE_HOME: undefined, TMPDIR: shared }
    const { exitCode } = await cli.run(['--help'], { env, uid: 54_321 })
    expect(exitCode).toBe(0)
  })
})
