import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

describe('help', () => {
  it('is printed without a command, and names every command that is not hidden', async () => {
    const { exitCode, stdout, stderr } = await cli.run([])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    for (const name of [
      'ask QUESTION',
      'library add',
      'runs show',
      'resume RUN',
      'replay RUN',
      'doctor',
      'models',
      'config',
    ]) {
      expect(stdout).toContain(name)
    }
    expect(stdout).not.toMatch(/^ {2}start /m)
  })

  it.each([
    'ask',
    'library add',
    'library search',
    'runs list',
    'runs show',
    'resume',
    'replay',
    'doctor',
    'models',
    'config init',
    'start',
  ])('of %s says what it does, with its options and an example', async (name) => {
    const { exitCode, stdout } = await cli.run([...name.split(' '), '--help'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^Usage: scholium /)
    expect(stdout).toContain('--json')
    expect(stdout).toMatch(new RegExp(`Examples\n(?:.*\n)?  scholium ${name}`))
    expect(await cli.run(['help', ...name.split(' ')])).toMatchObject({ stdout })
  })

  it('stands as it can be typed in a clone that was started by npm', async () => {
    const env = { npm_lifecycle_event: 'start', npm_package_name: 'scholium' }
    expect((await cli.run(['ask', '-h'], { env })).stdout).toContain(
      'npm start -- ask @question.txt',
    )
    expect((await cli.run(['replay'], { env })).stderr).toContain('See: npm start -- replay --help')
  })

  it('names the folder for npm where the person stands outside of it', async () => {
    const env = {
      npm_lifecycle_event: 'start',
      npm_package_name: 'scholium',
      npm_package_json: '/opt/my tools/scholium/package.json',
    }
    const start = 'npm --prefix "/opt/my tools/scholium" start --'
    const { stdout } = await cli.run(['ask', '-h'], { env })
    expect(stdout).toContain(`Usage: ${start} ask QUESTION`)
    expect(stdout).toContain(`${start} ask @question.txt`)
  })

  it('says of the models of a run that there is that they stay', async () => {
    for (const command of ['fork', 'replay', 'resume'])
      expect((await cli.run([command, '-h'])).stdout).toMatch(
        /Default:\s+the\s+models\s+of\s+the\s+run/,
      )
    expect((await cli.run(['fork', '-h'])).stdout).toContain("--at 'expert[1]'")
    expect((await cli.run(['ask', '-h'])).stdout).toContain('--model ollama:llama3.2')
  })

  it('has no colours in a pipe, and the version alone', async () => {
    expect((await cli.run([], { env: { FORCE_COLOR: '3' } })).stdout).not.toContain('\u001b')
    expect((await cli.run(['ask', '--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('wrong usage', () => {
  it.each([
    [['librarry'], 'Unknown command "librarry".\nDid you mean: scholium library\n'],
    [
      ['library'],
      '"library" needs a subcommand: add, list, search, remove.\nSee: scholium library --help\n',
    ],
    [
      ['runs', 'shwo'],
      'Unknown command "runs shwo": list, show, remove.\nDid you mean: scholium runs show\n',
    ],
    [['Why is the sky blue?'], 'To ask a question: scholium ask "Why is the sky blue?"'],
    [['ask', 'x', '--quite'], 'Unknown option --quite.\nDid you mean --quiet?\n'],
    [['replay'], 'replay needs RUN.'],
    [['replay', 'a', 'b'], 'Unexpected argument "b" for replay.'],
    [['runs', 'list', '--source', 'x'], '--source is not an option of runs list.'],
    [['ask', 'x', '--output-format', 'xml'], 'Invalid value for --output-format: "xml".'],
    [['ask', 'x', '--max-steps', 'few'], 'Invalid value for --max-steps: "few".'],
    [['ask', 'x', '--retry-limit', '-1'], 'Invalid value for --retry-limit: "-1".'],
    [['ask', 'x', '--model', 'critik=y'], 'Did you mean critic?'],
    [['ask', 'x', '--model', 'gpt'], 'Unknown model "gpt".'],
    [['ask'], 'No question was given.'],
    [['ask', ''], 'The question is empty.'],
    [['ask', '  ', '\t'], 'The question is empty.'],
    [
      ['ask', '@missing.txt'],
      'The question file missing.txt cannot be read: there is no such file.',
    ],
    [['ask', '@.'], 'it is a folder'],
    [['ask', 'x', '--source', 'missing.pdf'], 'missing.pdf'],
    [['library', 'add', 'missing'], 'missing'],
    [['library', 'search', ' '], 'No query was given.'],
    [['library', 'remove', 'abcdef0123'], 'There is no source "abcdef0123" in the library.'],
    [['runs', 'show', 'none'], 'There is no run "none".'],
    [['resume', 'none'], 'There is no run "none".'],
    [['replay', 'none'], 'There is no run "none".'],
    [['runs', 'remove', 'none'], 'There is no run "none".'],
  ])(
    '%j ends with 2, says so in at most three lines, and prints nothing on stdout',
    async (args, text) => {
      const { exitCode, stdout, stderr } = await cli.run(args)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain(text)
      expect(stderr).toMatch(/^Error: .+\n(?:.+\n){0,2}$/)
    },
  )

  it('takes an option as the command has it, wherever it stands', async () => {
    expect((await cli.run(['--user', 'init', 'config'])).stderr).toContain(
      'not an option of config',
    )
    expect((await cli.run(['--user', 'ana', 'runs', 'list'])).stderr).toContain(
      '--user is not an option of runs list.',
    )
    expect((await cli.run(['--user', 'ana', 'trace', 'stats'])).exitCode).toBe(0)
    const first = await cli.run(['config', '--user', 'init'])
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect((await cli.run(['config', 'init', '--user'])).stderr).toContain('already')
    expect((await cli.run(['ask', 'x', '--user'])).stderr).toContain('--user needs a value.')
  })

  it('is one JSON object where JSON was asked for', async () => {
    const outcome = await cli.run(['ask', ' ', '--json'])
    expect(outcome.exitCode).toBe(2)
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'scholium.error/1',
      error: { code: 'invalid_input', message: 'The question is empty.', hint: expect.any(String) },
    })
    const contradicting = await cli.run(['ask', 'x', '--json', '--output-format', 'text'])
    expect(contradicting.stderr).toContain('--json and --output-format text cannot be combined.')
    expect(jsonOf(await cli.run(['askk', '--output-format', 'stream-json']))).toMatchObject({
      type: 'error',
    })
  })

  it('shows the stack to who asks for it', async () => {
    expect((await cli.run(['askk'], { env: { SCHOLIUM_DEBUG: '1' } })).stderr).toContain('at ')
  })
})
