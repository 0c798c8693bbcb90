import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evaluatedBy } from '../evaluated.ts'
import { CommandLine } from './command.ts'

const cli = new CommandLine()
beforeAll(() => cli.run(['ask', 'What is caffeine?']), 60_000)
afterAll(() => cli.remove())

/** The modules that a command evaluates. */
function evaluated(command: string): Promise<readonly string[]> {
  return evaluatedBy(async (env) => {
    expect((await cli.run(command.split(' '), { env })).exitCode).toBe(0)
  })
}

/** What does work: packages, workflows, the engine, steps, tools, readers of files. */
const atWork =
  /^node_modules\/|^src\/(?:(ask|papers|agents|code)\/\1\.ts|extractive\/|kernel\/(?:run\/run-context|agent\/tool)\.ts|sources\/read-files\.ts)/

describe('a command that only looks', () => {
  it.each(['--help', 'config --help', '-V'])('%s evaluates the commands alone', async (command) => {
    const modules = await evaluated(command)
    expect(modules).toContain('src/cli/main.ts')
    const others = modules.filter(
      (path) =>
        !/^(?:bin|tools\/bundle|src\/cli|src\/kernel|src\/files\/(?:cache|user)-folder)\b/.test(
          path,
        ),
    )
    expect(others).toEqual([])
    expect(modules.length).toBeLessThan(40)
  })

  it.each(['runs list', 'runs show last', 'trace show last', 'library list', 'config'])(
    '%s evaluates no package and nothing that does work',
    async (command) => {
      const modules = await evaluated(command)
      expect(modules).toContain('src/app.ts')
      expect(modules.filter((path) => atWork.test(path))).toEqual([])
      expect(modules.length).toBeLessThan(240)
    },
  )
})

describe('a question that needs no language model', () => {
  it('evaluates no package but zod and the stemmer, and no other workflow', async () => {
    const modules = await evaluated('ask caffeine')
    expect(modules.filter((path) => /^node_modules\/(?!(?:zod|stemmer)\/)/.test(path))).toEqual([])
    const workflows = modules.filter((path) => /^src\/(ask|papers|agents|code)\/\1\.ts$/.test(path))
    expect(workflows).toEqual(['src/ask/ask.ts'])
  })
})
