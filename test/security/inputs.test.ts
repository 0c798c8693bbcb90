import { spawn } from 'node:child_process'
import { closeSync, ftruncateSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
import { CommandLine } from '../cli/command.ts'
import { root } from '../repo/source-file.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())
const at = (name: string) => join(cli.folder, name)

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const agent =
  'name: a\nnodes: [{name: a, uses: core.return, with: {value: "{{ state.a }}"}, goto: __end__}]\n'

/** A file with nothing in it that has this size. */
function hole(name: string, sizeBytes: number): void {
  const file = openSync(at(name), 'w')
  ftruncateSync(file, sizeBytes)
  closeSync(file)
}

beforeAll(() => {
  cli.write('a.yaml', agent)
  cli.write('deep.json', `{"a": ${nested(100_000)}}`)
  cli.write('deep.yaml', `name: ${nested(100_000)}\n`)
  cli.write('large.yaml', `${agent}# ${'x'.repeat(2_000_000)}\n`)
  cli.write('deep.bib', `@article{a, title=${'{'.repeat(200_000)}${'}'.repeat(200_000)}}`)
  cli.write(
    'long.jsonl',
    `{"question": "${'a '.repeat(10_000_000)}"}\n{"question": "What is it?"}\n`,
  )
  hole('hole.json', 2 ** 32)
  hole('hole.scholium', 2 ** 33)
})

/** Too much of something, and what is said of it: a new case is one line. */
const cases: readonly (readonly [args: readonly string[], exitCode: number, says: RegExp])[] = [
  [['run', 'a.yaml', '--input', '@deep.json'], 2, /nested deeper than 500 levels/],
  [['run', 'a.yaml', '--input', `{"a": ${nested(10_000)}}`], 2, /nested deeper than 500 levels/],
  [['run', 'a.yaml', '--input', '@hole.json'], 2, /is longer than 64 MB/],
  [['run', 'a.yaml', `a=${nested(10_000)}`], 0, /\[{10000}\]{10000}/],
  [['run', 'deep.yaml'], 2, /nested/],
  [['validate', 'large.yaml'], 2, /larger than 1 MB/],
  [['ask', '@hole.json'], 2, /is longer than 1 MB/],
  [['ask', 'a '.repeat(60_000)], 3, /Run /],
  [['references', 'deep.bib'], 3, /more than 100000 characters/],
  [['verify', 'hole.scholium'], 1, /at most 4 GiB|is not a bundle/],
  [['eval', 'long.jsonl', '--limit', '1'], 1, /failed 1/],
]

describe('too much', () => {
  it.each(cases.map((one) => [one[0].join(' ').slice(0, 60), ...one] as const))(
    'is refused in words: %s',
    async (_short, args, exitCode, says) => {
      const outcome = await cli.run(args)
      const said = outcome.stdout + outcome.stderr
      expect(said).toMatch(says)
      expect(said).not.toMatch(/bug in Scholium|call stack|string length/)
      expect(outcome.exitCode).toBe(exitCode)
    },
  )

  it.each([
    [['ask', '-'], /The question on stdin is longer than 1 MB/],
    [['run', 'a.yaml', '--input', '-'], /The input on stdin is longer than 64 MB/],
    [['code', '-p', 'Say hello.'], /The piped input is longer than 1 MB/],
  ] as const)('on a standard input without end is refused by %j', async (args, says) => {
    const input = openSync('/dev/zero', 'r')
    const child = spawn(process.execPath, [join(root, 'bin/scholium.js'), ...args], {
      cwd: cli.folder,
      env: { ...process.env, SCHOLIUM_HOME: at('home') },
      stdio: [input, 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr?.on('data', (chunk) => (said += chunk))
    const exitCode = await new Promise((resolve) => child.once('close', resolve))
    closeSync(input)
    expect(said).toMatch(says)
    expect(exitCode).toBe(2)
  })

  it('in files of a project is refused, with the name of the file', async () => {
    const other = new CommandLine()
    other.write('.env', `A=${'x'.repeat(1_000_000)}\n`)
    other.write('scholium.yaml', `models: ${nested(50_000)}\n`)
    const { exitCode, stdout, stderr } = await other.run(['config'])
    expect(exitCode).toBe(2)
    expect(stdout + stderr).toMatch(/scholium\.yaml.*nested too deeply/s)
    expect(stdout + stderr).toMatch(/\.env.*larger than 256 KB/s)
    other.remove()
  })

  it('of a question is refused, and the next is answered', async () => {
    const app = createApp({ home: at('home'), folder: cli.folder, environment: {} })
    await expect(app.ask({ question: 'a '.repeat(25_000_000) })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('the maximum is 200000'),
    })
    expect((await app.ask({ question: 'What is CRISPR?' })).status).toBe('answered')
    await app.close()
  })
})
