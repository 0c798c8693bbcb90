import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'

const cli = new CommandLine()
const home = join(cli.folder, 'home')
/** A permissive user: what others may read then, a program let them. */
const umask = process.umask(0)
afterAll(() => {
  process.umask(umask)
  cli.remove()
})

const run = async (args: readonly string[]) => {
  const outcome = await cli.run(args, { isApart: true })
  expect([0, 3], outcome.stderr).toContain(outcome.exitCode)
  return outcome
}

/** The paths of a folder, it with them, that other users of the machine may read or write. */
function openTo(folder: string): readonly string[] {
  const names = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  return names.filter((name) => (lstatSync(join(folder, name)).mode & 0o077) !== 0)
}

describe('what is recorded', () => {
  beforeAll(async () => {
    cli.write('zorb.md', '# Zorb\n\nThe zorb is a mineral that melts at 412 degrees.\n')
    cli.write('paper.md', '# A study of zorbs\n\nWe melted 12 zorbs. They melt at 412 degrees.\n')
    cli.write(
      'keep.yaml',
      'name: keep\nnodes:\n  - {name: a, uses: memory.store, with: {key: k, value: v}}\n',
    )
    cli.write('set.jsonl', '{"id": "1", "question": "What is zorb?", "answer": "a mineral"}\n')
    await run(['library', 'add', 'zorb.md'])
    await run(['ask', 'What is zorb?', '--trace-file', 'out.trace', '--log-file', 'out.log'])
    await run(['run', 'keep.yaml'])
    await run([
      'papers',
      'zorbs',
      '--source',
      'paper.md',
      '--report',
      'out.md',
      '--matrix',
      'out.csv',
    ])
    await run(['export', 'last', 'out.scholium'])
    await run(['trace', 'export', 'out.json'])
    await run(['eval', 'set.jsonl', '--out', 'out-eval'])
  }, 240_000)

  it('is for its user alone in a home that was made', () => {
    const names = readdirSync(home, { recursive: true, encoding: 'utf8' })
    expect(names).toEqual(expect.arrayContaining(['runs.db', 'library.db', 'memory.db', 'papers']))
    expect(openTo(home)).toEqual([])
  })

  it('is so while it is written, in the files next to a database too', async () => {
    const store = openRunStore(join(cli.folder, 'beside', 'runs.db'))
    const names = readdirSync(join(cli.folder, 'beside'))
    expect(names.toSorted()).toEqual(['runs.db', 'runs.db-shm', 'runs.db-wal'])
    expect(openTo(join(cli.folder, 'beside'))).toEqual([])
    await store.close()
  })

  it.each([
    'out.trace',
    'out.log',
    'out.md',
    'out.csv',
    'out.scholium',
    'out.json',
    'out-eval',
    'out-eval/results.jsonl',
    'out-eval/report.html',
  ])('is for its user alone in %s', (name) => {
    expect(lstatSync(join(cli.folder, name)).mode & 0o077).toBe(0)
  })

  it('is so in a home that was there, which is left as it is and told by the doctor', async () => {
    const open = join(cli.folder, 'open')
    mkdirSync(join(open, 'notes'), { recursive: true })
    writeFileSync(join(open, 'notes', 'mine.txt'), 'mine')
    await run(['ask', 'What is 2 + 2?', '--home', open])
    expect(openTo(open).toSorted()).toEqual(['', 'notes', 'notes/mine.txt'])
    const doctor = async (place: string) => {
      const { findings } = jsonOf(await cli.run(['doctor', '--json', '--home', place]))
      return findings.filter(({ text }: { text: string }) => text.includes('can access'))
    }
    expect(await doctor(open)).toMatchObject([
      {
        area: 'home',
        status: 'warning',
        text: expect.stringContaining(`can access ${open}, ${join(open, 'notes')},`),
        hint: `Remove their access: chmod -R go= ${open}`,
      },
    ])
    expect(await doctor(home)).toEqual([])
    chmodSync(join(home, 'runs.db'), 0o640)
    expect(await doctor(home)).toMatchObject([{ text: expect.stringMatching(/runs\.db$/) }])
  }, 120_000)
})
