import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'
import { otherUser } from './other-user.ts'

describe.skipIf(otherUser === undefined)(
  'a home that may be read and not written (needs a user without rights)',
  () => {
    const cli = new CommandLine()
    const home = join(cli.folder, 'home')
    const run = (...args: string[]) =>
      cli.run(args, otherUser === undefined ? {} : { uid: otherUser })
    let runId: string

    beforeAll(async () => {
      cli.write('zorb.md', '# Zorb\n\nThe zorb is a mineral that melts at 412 degrees.\n')
      await cli.run(['library', 'add', 'zorb.md'])
      runId = jsonOf(await cli.run(['ask', 'What is zorb?', '--json'])).runId
      chmodSync(cli.folder, 0o755)
      chmodSync(join(home, 'runs.db'), 0o444)
      chmodSync(join(home, 'library.db'), 0o444)
      chmodSync(home, 0o555)
    })
    afterAll(() => {
      chmodSync(home, 0o755)
      cli.remove()
    })

    it.each([
      ['runs', 'list'],
      ['runs', 'show', 'last'],
      ['trace', 'show', 'last'],
      ['library', 'list'],
      ['library', 'search', 'zorb'],
      ['replay', 'last'],
    ])('%s %s works', async (...args) => {
      const { exitCode, stdout, stderr } = await run(...args)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
      expect(stdout).not.toBe('')
    })

    it('what writes says that it is read-only', async () => {
      for (const args of [
        ['ask', 'What is zorb?'],
        ['runs', 'remove', runId],
      ]) {
        const { exitCode, stderr } = await run(...args)
        expect(exitCode).toBe(1)
        expect(stderr).toMatch(/runs\.db could not be used: it is read-only/)
      }
      expect((await run('library', 'add', 'zorb.md', '--json')).exitCode).not.toBe(130)
    })

    it('of which a part still stands in a log next to it is not read without that part', async () => {
      chmodSync(home, 0o755)
      writeFileSync(join(home, 'runs.db-wal'), 'x'.repeat(4_096))
      chmodSync(home, 0o555)
      const { exitCode, stderr } = await run('runs', 'list')
      expect(exitCode).toBe(1)
      expect(stderr).toContain('choose another home with --home')
    })

    it('that never was holds nothing, and is not called read-only', async () => {
      mkdirSync(join(cli.folder, 'shut'), { mode: 0o555 })
      expect((await run('runs', 'list', '--home', 'shut/new')).exitCode).toBe(0)
      const { exitCode, stderr } = await run('ask', 'What is zorb?', '--home', 'shut/new')
      expect(exitCode).toBe(1)
      expect(stderr).toContain('its folder does not exist and cannot be created')
      expect(stderr).not.toMatch(/Earlier records|read-only|resume/)
    })

    it('that may not be looked into is not mistaken for one that is not there', async () => {
      mkdirSync(join(cli.folder, 'closed'), { mode: 0o700 })
      const { exitCode, stderr } = await run('runs', 'list', '--home', 'closed')
      expect(exitCode).toBe(1)
      expect(stderr).toContain('closed/runs.db could not be used')
    })
  },
)
