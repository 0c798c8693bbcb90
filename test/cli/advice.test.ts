import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

describe('advice', () => {
  const cli = new CommandLine()
  let runId: string
  beforeAll(async () => {
    runId = jsonOf(await cli.run(['ask', 'What is 2 + 2?', '--json'])).runId
  })
  afterAll(() => cli.remove())

  it('names the node that was meant by its name alone', async () => {
    const { exitCode, stderr } = await cli.run(['fork', runId, '--at', 'planner'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("Did you mean 'planner[1]'?")
    const mistyped = await cli.run(['fork', runId, '--at', 'planer[1]'])
    expect(mistyped.stderr).toContain("Did you mean 'planner[1]'?")
  })

  it('names every fork that keeps a run', async () => {
    const forks = [1, 2].map(() => cli.run(['fork', runId, '--json']))
    const ids = (await Promise.all(forks)).map((fork) => jsonOf(fork).runId)
    const { exitCode, stderr } = await cli.run(['runs', 'remove', runId])
    expect(exitCode).toBe(1)
    for (const id of ids) expect(stderr).toContain(id)
  })

  it('after an export can be typed as it stands', async () => {
    const env = { npm_lifecycle_event: 'start', npm_package_name: 'scholium' }
    const { stdout } = await cli.run(['export', runId], { env })
    expect(stdout).toContain('To verify it anywhere: npm start -- verify ')
  })
})
