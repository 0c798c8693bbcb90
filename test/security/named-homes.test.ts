import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CommandLine, jsonOf } from '../cli/command.ts'

let cli: CommandLine
beforeEach(() => {
  cli = new CommandLine()
})
afterEach(() => cli.remove())
const run = (args: readonly string[]) => cli.run(args, { env: { SCHOLIUM_HOME: undefined } })

it('commands that continue with a run name its home where that was named, and grant it all that it had', async () => {
  const home = 'my home'
  const waits = await run([
    'ask',
    'What is 2 + 2?',
    '--approve-plan',
    '--web',
    '--home',
    home,
    '--json',
  ])
  const { runId, error } = jsonOf(waits)
  const resume = `scholium resume ${runId} --home "${home}" --web`
  expect(error.hint).toContain(`${resume} --answer approve`)
  expect(waits.stderr).toContain(`${resume} --answer approve`)
  const shown = await run(['runs', 'show', runId, '--home', home])
  expect(shown.stdout).toContain(`To resume it: ${resume}`)
  const refused = await run(['resume', runId, '--home', home, '--answer', 'approve'])
  expect(refused.stderr).toContain(`Nothing was done. Grant it again: ${resume}`)
  const resumed = await run(['resume', runId, '--home', home, '--web', '--answer', 'approve'])
  expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
}, 60_000)

it('a home is listed as trusted, and is not any more once that is undone', async () => {
  await run(['ask', 'What is 2 + 2?', '--approve-plan', '--home', 'made'])
  const home = join(cli.folder, 'made')
  expect(jsonOf(await run(['trust', 'list', '--json']))).toMatchObject([
    { kind: 'home', path: home },
  ])
  expect((await run(['trust', 'remove', 'made'])).stdout).toContain('no longer trusted')
  const resume = ['resume', 'last', '--answer', 'approve', '--home', 'made']
  expect((await run(resume)).exitCode).toBe(2)
  expect((await run(['trust', 'remove', 'made'])).stderr).toContain('scholium trust list')
  const mended = await run(['home', 'trust', 'made', '--yes'])
  expect(mended.exitCode).toBe(0)
  expect(await run(resume)).toMatchObject({ exitCode: 0 })
}, 60_000)
