import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../repo/source-file.ts'
import { CommandLine } from './command.ts'

const cli = new CommandLine()
beforeAll(() => cli.run(['ask', 'What is caffeine?']), 60_000)
afterAll(() => cli.remove())

/** The files that a command loads, by their paths in the checkout. */
async function loadedBy(command: string): Promise<readonly string[]> {
  const list = join(cli.folder, 'loaded.json')
  const code = `
    import { writeFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    process.on('exit', () => writeFileSync(${JSON.stringify(list)}, JSON.stringify(loaded)))`
  const hook = `--import=data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  const { exitCode } = await cli.run(command.split(' '), { env: { NODE_OPTIONS: hook } })
  expect(exitCode).toBe(0)
  const urls = JSON.parse(readFileSync(list, 'utf8')) as string[]
  const top = pathToFileURL(join(root, '/')).href
  return urls.filter((url) => url.startsWith(top)).map((url) => url.slice(top.length))
}

/** What does work: packages, workflows, the engine, steps, tools, readers of files. */
const atWork =
  /^node_modules\/|^src\/(?:workflows\/(\w+)\/\1\.ts|extractive\/|kernel\/(?:run-context|tool)\.ts|sources\/read-files\.ts)/

describe('a command that only looks', () => {
  it('loads the commands alone for help', async () => {
    const loaded = await loadedBy('--help')
    expect(
      loaded.filter(
        (path) => !/^(?:bin|src\/surfaces\/cli|src\/kernel|src\/tools\/cache-folder)\b/.test(path),
      ),
    ).toEqual([])
    expect(loaded.length).toBeLessThan(40)
  })

  it.each(['runs list', 'runs show last', 'trace show last', 'library list', 'config'])(
    '%s loads no package and nothing that does work',
    async (command) => {
      const loaded = await loadedBy(command)
      expect(loaded).toContain('src/app.ts')
      expect(loaded.filter((path) => atWork.test(path))).toEqual([])
      expect(loaded.length).toBeLessThan(220)
    },
  )
})
