import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, type Outcome } from './command.ts'
import { otherUser } from './other-user.ts'
import { canMount, SmallDisk } from './small-disk.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

/** What went wrong, told in few lines, without a stack and without a word about a mistake of ours. */
function expectPlainError({ exitCode, stderr }: Outcome, code: number): void {
  expect(exitCode).toBe(code)
  const lines = stderr.slice(stderr.indexOf('Error:')).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(3)
  expect(stderr).toContain('Error: ')
  expect(stderr).not.toMatch(/\n\s+at |bug in Scholium|ENOENT|EACCES|SQLITE|errcode/)
}

describe.skipIf(!canMount)('on a disk without room (needs to mount a file system)', () => {
  const disk = new SmallDisk()
  const home = join(disk.folder, 'home')
  const log = join(home, 'runs.db')
  afterAll(() => disk.remove())

  /** Takes what room is left. */
  const fill = () => spawnSync('dd', ['if=/dev/zero', `of=${join(disk.folder, 'filler')}`, 'bs=1k'])
  /** Leaves a part of the log where only a database that is opened again finds it. */
  const dieWithOpenLog = () =>
    spawnSync(process.execPath, [
      '--no-warnings',
      '-e',
      `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(log)}).exec('UPDATE runs SET title = title'); process.kill(process.pid, 'SIGKILL')`,
    ])
  const dieAndLoseIndex = () => {
    dieWithOpenLog()
    rmSync(`${log}-shm`)
  }

  it.each([4, 16, 64, 120, 400, 500, 600])(
    'of %i KB in all, a question ends with what to do, and nothing is lost',
    async (kilobytes) => {
      disk.mount(kilobytes)
      const asked = await cli.run(['ask', 'What is CRISPR?', '--home', home])
      expectPlainError(asked, 1)
      expect(asked.stderr).toMatch(/the disk is full\.\nFree some space/)
      expect(asked.stdout).toBe('')
      const id = /scholium resume (\S+)/.exec(asked.stderr)?.[1]
      disk.resize(50_000)
      const again = id === undefined ? ['ask', 'What is CRISPR?'] : ['resume', id]
      const resumed = await cli.run([...again, '--home', home, '--json'])
      expect(jsonOf(resumed)).toMatchObject({ status: 'answered', ...(id && { runId: id }) })
    },
  )

  it('earlier runs are still there once there is room again', async () => {
    disk.mount(8_000)
    const first = jsonOf(await cli.run(['ask', 'What is 2 + 2?', '--home', home, '--json']))
    fill()
    expectPlainError(await cli.run(['ask', 'What is CRISPR?', '--home', home]), 1)
    rmSync(join(disk.folder, 'filler'))
    const shown = await cli.run(['runs', 'show', first.runId, '--home', home, '--json'])
    expect(shown.exitCode).toBe(0)
    expect(jsonOf(shown)).toMatchObject({ answer: { answer: first.answer } })
  })

  describe.each([
    ['whose log was closed, on a full disk', () => {}, fill],
    ['whose log was left open by a process that died, on a full disk', dieWithOpenLog, fill],
    ['whose file next to such a log is lost, on a full disk', dieAndLoseIndex, fill],
    ['whose log was closed, on a read-only disk', () => {}, () => disk.protect()],
    ['whose log was left open, on a read-only disk', dieWithOpenLog, () => disk.protect()],
  ])('of a home %s', (_state, leave, shut) => {
    beforeAll(async () => {
      disk.mount(8_000)
      cli.write('zorb.md', '# Zorb\n\nThe zorb is a mineral that melts at 412 degrees.\n')
      await cli.run(['library', 'add', 'zorb.md', '--home', home])
      await cli.run(['ask', 'What is zorb?', '--home', home])
      leave()
      shut()
    })
    afterAll(() => disk.unmount())

    it.each([
      ['runs list', 'What is zorb?'],
      ['runs show last', 'mineral'],
      ['trace show last', 'researcher'],
      ['trace stats', '1 run'],
      ['references last', 'Zorb'],
      ['replay last', 'identical: yes'],
      ['export last full.scholium', '1 source'],
      ['library list', 'zorb.md'],
      ['library search zorb', '412 degrees'],
    ])('%s works', async (command, told) => {
      rmSync(join(cli.folder, 'full.scholium'), { force: true })
      const outcome = await cli.run([...command.split(' '), '--home', home])
      expect(outcome).toMatchObject({ exitCode: 0, stderr: '' })
      expect(outcome.stdout).toContain(told)
    })
  })

  it('files are not added, and the doctor says why', async () => {
    disk.mount(64)
    const samples = fileURLToPath(new URL('../../samples/library', import.meta.url))
    const added = await cli.run(['library', 'add', samples, '--home', home])
    expectPlainError(added, 1)
    expect(added.stderr).toContain('the disk is full')
    fill()
    const { exitCode, stdout } = await cli.run(['doctor', '--home', home])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/✗ .*is not writable: the disk is full\n +Free some space/)
  })
})

describe.skipIf(otherUser === undefined)('in a home without rights (needs such a user)', () => {
  const home = join(cli.folder, 'locked')
  beforeEach(() => {
    mkdirSync(home, { recursive: true })
    chmodSync(home, 0o555)
    chmodSync(cli.folder, 0o755)
  })

  it.each(['', 'deeper'])('a question is refused with what to do: %s', async (below) => {
    const call = otherUser === undefined ? {} : { uid: otherUser }
    const asked = await cli.run(['ask', 'What is 2 + 2?', '--home', join(home, below)], call)
    expectPlainError(asked, 1)
    expect(asked.stderr).toMatch(/choose another home with --home/)
  })
})

describe('where a home cannot be', () => {
  it.each([
    ['in a file', ['--home', 'file'], 2, 'is a file, not a folder'],
    ['below a file', ['--home', 'file/below'], 1, 'choose another home with --home'],
    ['in nothing', ['--home', ''], 2, 'Invalid value for --home: ""'],
  ])('%s, a question is refused with what to do', async (_where, args, code, text) => {
    cli.write('file', 'x')
    const asked = await cli.run(['ask', 'What is 2 + 2?', ...args])
    expectPlainError(asked, code)
    expect(asked.stderr).toContain(text)
    const listed = await cli.run(['library', 'list', ...args])
    expectPlainError(listed, code)
  })

  it('in /proc, a question is refused with what to do, and an empty library is listed', async () => {
    const asked = await cli.run(['ask', 'What is 2 + 2?', '--home', '/proc/scholium'])
    expectPlainError(asked, 1)
    expect(asked.stderr).toContain('choose another home with --home')
    expect((await cli.run(['library', 'list', '--home', '/proc/scholium'])).exitCode).toBe(0)
  })

  it('the project has a file of that name: it is no home, and is not written over', async () => {
    cli.write('.scholium', 'mine')
    const env = { SCHOLIUM_HOME: '', XDG_DATA_HOME: join(cli.folder, 'data') }
    expect(await cli.run(['ask', 'What is 2 + 2?'], { env })).toMatchObject({ exitCode: 0 })
    expect(readFileSync(join(cli.folder, '.scholium'), 'utf8')).toBe('mine')
    rmSync(join(cli.folder, '.scholium'))
  })

  it('because HOME is empty, it can be named', async () => {
    const empty = new CommandLine()
    const env = { HOME: '', XDG_DATA_HOME: 'relative', SCHOLIUM_HOME: undefined }
    const asked = await empty.run(['ask', 'What is 2 + 2?'], { env })
    expectPlainError(asked, 2)
    expect(asked.stderr).toContain('--home or SCHOLIUM_HOME')
    expect(existsSync(join(empty.folder, 'relative'))).toBe(false)
    const named = await empty.run(['ask', 'What is 2 + 2?', '--home', 'h'], { env })
    expect(named.exitCode).toBe(0)
    empty.remove()
  })

  it('HOME is not set at all: the system is asked', async () => {
    const env = {
      HOME: undefined,
      XDG_DATA_HOME: join(cli.folder, 'data'),
      SCHOLIUM_HOME: undefined,
    }
    const other = new CommandLine()
    expect((await other.run(['ask', 'What is 2 + 2?'], { env })).exitCode).toBe(0)
    expect(existsSync(join(cli.folder, 'data', 'scholium', 'runs.db'))).toBe(true)
    other.remove()
  })
})
