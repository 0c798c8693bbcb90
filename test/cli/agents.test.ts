import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, linesOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

cli.write(
  'count.yaml',
  `name: count
initial_state: {n: 3, who: nobody}
nodes:
  - {name: add, run: {type: expression, value: "state.n + 1", output_key: n}}
  - {name: save, uses: file.write, with: {path: out.txt, content: "{{ state.who }} has {{ state.n }}"}, output: saved}
`,
)
cli.write(
  'broken.yaml',
  `name: broken
nodes:
  - name: a
    uses: file.raed
    with: {path: x}
  - name: b
    uses: a2a.send
    goto: nowhere
`,
)
cli.write(
  'returns.yaml',
  'name: returns\nnodes:\n  - {name: a, uses: core.return, with: {value: done}}\n',
)
cli.write('over.yaml', 'initial_state: {n: 40}\n')
cli.write('input.json', '{"n": 7, "who": "Ann"}')
cli.write('asks.yaml', 'name: asks\nnodes:\n  - {name: a, uses: llm.call, with: {prompt: hello}}\n')
cli.write(
  'fails.yaml',
  'name: fails\nnodes:\n  - name: a\n    uses: http.get\n    with: {url: "https://example.org/"}\n',
)

const saved = () => readFileSync(join(cli.folder, 'out.txt'), 'utf8')

describe('scholium run', () => {
  it('prints the last state for people, and what it does on stderr', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['run', 'count.yaml', 'n=5', 'who=Ann'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('n: 6\nwho: Ann\n')
    expect(stderr).toMatch(/^Run \d{8}-\w{6}\nadd …\nsave …\nsave: file.write/)
    expect(saved()).toBe('Ann has 6')
  })

  it('prints one object for programs, with what the run used', async () => {
    const outcome = await cli.run(['run', 'count.yaml', '--input', '@input.json', '--json', '-q'])
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'scholium.agent/1',
      workflow: 'agent',
      agent: 'count',
      status: 'answered',
      stopReason: 'finished',
      state: { n: 8, who: 'Ann', saved: { success: true } },
      usage: { modelCalls: 0, toolCalls: 1 },
      costUsd: 0,
      models: { default: 'extractive', critic: 'extractive' },
    })
    expect(outcome.stderr).toBe('')
  })

  it('prints only what core.return gave', async () => {
    expect((await cli.run(['run', 'returns.yaml'])).stdout).toBe('done\n')
  })

  it('takes input as JSON, from stdin and as KEY=VALUE, the last of a key', async () => {
    const args = ['run', 'count.yaml', '--json', '-i', '{"n": 1, "who": "Bob"}', '-i', '-', 'n=20']
    const outcome = await cli.run(args, { stdin: '{"n": 10}' })
    expect(jsonOf(outcome).state).toMatchObject({ n: 21, who: 'Bob' })
  })

  it('streams events, the result last', async () => {
    const lines = linesOf(await cli.run(['run', 'count.yaml', '--stream']))
    expect(lines.map(({ type }) => type)).toContain('node.done')
    expect(lines.at(-1)).toMatchObject({ type: 'result', state: { n: 4 } })
  })

  it('lays overlays over the file', async () => {
    const { state } = jsonOf(await cli.run(['run', 'count.yaml', '-f', 'over.yaml', '--json']))
    expect(state).toMatchObject({ n: 41 })
  })

  it('writes in the workspace that it is given, and continues there', async () => {
    mkdirSync(join(cli.folder, 'work'), { recursive: true })
    const args = ['run', 'count.yaml', '--workspace', 'work', '--interrupt-before', 'save']
    expect((await cli.run(args)).exitCode).toBe(3)
    expect(existsSync(join(cli.folder, 'work/out.txt'))).toBe(false)
    expect((await cli.run(['resume', 'last', '--answer', 'approve'])).exitCode).toBe(0)
    expect(readFileSync(join(cli.folder, 'work/out.txt'), 'utf8')).toBe('nobody has 4')
  })

  it('waits at a node, says how to continue, and takes another state', async () => {
    const waiting = await cli.run(['run', 'count.yaml', '--interrupt-after', 'add'])
    expect(waiting).toMatchObject({ exitCode: 3, stdout: '' })
    expect(waiting.stderr).toMatch(/waiting after add[\s\S]*scholium resume \S+ --answer approve/)
    const resumed = await cli.run(['resume', 'last', '--answer', '{"n": 99}'])
    expect(resumed.stdout).toContain('n: 99\n')
    const stopped = await cli.run(['run', 'count.yaml', '--interrupt-after', 'add', '-q'])
    expect(stopped.exitCode).toBe(3)
    const no = await cli.run(['resume', 'last', '--answer', 'stop'])
    expect(no).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('The user stopped') })
  })

  it('says what to do where the web or a model is missing, once', async () => {
    const web = await cli.run(['run', 'fails.yaml'])
    expect(web.exitCode).toBe(1)
    expect(web.stderr).toContain('Run the file with --web.')
    const model = await cli.run(['run', 'asks.yaml'])
    expect(model.exitCode).toBe(1)
    expect(model.stderr).toContain('--model')
    expect(model.stderr.match(/needs a language model/g)).toHaveLength(1)
  })

  it.each([
    [['run', 'count.yaml', '--interrupt-before', 'sav'], 'Did you mean "save"?'],
    [['run', 'missing.yaml'], 'missing.yaml cannot be read: there is no such file.'],
    [['run', 'cuont.yaml'], 'Did you mean count.yaml?'],
    [['run', 'count.yaml', 'five'], 'Invalid input "five".'],
    [['run', 'count.yaml', '--input', '[1]'], 'Invalid input'],
    [['run', 'count.yaml', '--input', '{"n": }'], 'The input is not valid JSON'],
    [['run', 'count.yaml', '--workspace', 'nowhere'], 'There is no file or folder'],
    [['run', 'count.yaml', '--web', '--allow-origin', 'files'], 'not an origin'],
    [['run', 'broken.yaml'], 'broken.yaml:4:11: error UNKNOWN_ACTION'],
    [['run', 'count.yaml', '--overlai', 'x'], 'Did you mean --overlay?'],
  ])('%j ends with 2 and says why', async (args, text) => {
    const { exitCode, stdout, stderr } = await cli.run(args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(text)
  })
})

describe('scholium validate', () => {
  it('names each problem with its place and what to do', async () => {
    const { exitCode, stdout } = await cli.run(['validate', 'count.yaml', 'broken.yaml'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('count.yaml: valid\n')
    expect(stdout).toMatch(/^broken.yaml:4:11 error UNKNOWN_ACTION .*\n {4}Did you mean file.read/m)
    expect(stdout).toMatch(/error UNKNOWN_ACTION .*a2a.send.*would need/)
    expect(stdout).toMatch(/error GOTO_UNDEFINED/)
  })

  it('gives the same to programs, and takes warnings for errors where asked', async () => {
    cli.write('warn.yaml', 'name: w\ninitial_state: {a: 1}\nnodes: [{name: x, run: "return {}"}]\n')
    const report = jsonOf(await cli.run(['validate', 'warn.yaml', '--json']))
    expect(report).toMatchObject({ schema: 'scholium.validate/1', isValid: true })
    expect(report.files[0].problems).toMatchObject([{ code: 'DEAD_STATE_KEY', line: 2 }])
    expect((await cli.run(['validate', 'warn.yaml', '--strict'])).exitCode).toBe(2)
  })
})

describe('scholium inspect', () => {
  it('draws a file in three forms', async () => {
    const { stdout } = await cli.run(['inspect', 'count.yaml'])
    expect(stdout).toMatch(/^flowchart TD[\s\S]*file\.write/)
    expect((await cli.run(['inspect', 'count.yaml', '--format', 'dot'])).stdout).toMatch(/^digraph/)
    const data = jsonOf(await cli.run(['inspect', 'count.yaml', '--json']))
    expect(data).toMatchObject({ document: { name: 'count' }, picture: { start: 'add' } })
  })
})

describe('scholium actions', () => {
  it('lists families and tells of one action all that there is', async () => {
    expect((await cli.run(['actions', 'file'])).stdout).toMatch(
      /^ACTION[\s\S]*file\.read[\s\S]*file\.write/,
    )
    expect((await cli.run(['actions', 'file.read'])).stdout).toContain('path (text, required)')
    expect((await cli.run(['actions', 'file.raed'])).stderr).toContain('Did you mean file.read?')
  })
})

describe('what goes for every run', () => {
  it('goes for a run of an agent file: list, show, replay, fork, export, verify, trace', async () => {
    await cli.run(['run', 'count.yaml', 'who=Cy'])
    expect((await cli.run(['runs', 'list', '--limit', '1'])).stdout).toContain('count {"who":"Cy"}')
    const shown = await cli.run(['runs', 'show', 'last'])
    expect(shown.stdout).toMatch(/Agent {5}count[\s\S]*who: Cy[\s\S]*save\[1\] .* 1 tool call/)
    const replayed = jsonOf(await cli.run(['replay', 'last', '--json']))
    expect(replayed).toMatchObject({ isIdentical: true, modelCalls: 0 })
    const args = ['fork', 'last', '--at', 'save[1]', '--set', 'n=50', '--set', 'more=1', '--json']
    expect(jsonOf(await cli.run(args)).state).toMatchObject({ n: 50, who: 'Cy', more: 1 })
    expect(saved()).toBe('Cy has 50')
    expect((await cli.run(['export', 'last', 'run.scholium'])).exitCode).toBe(0)
    const verified = jsonOf(await cli.run(['verify', 'run.scholium', '--json']))
    expect(verified).toMatchObject({ isSound: true, run: { workflow: 'agent' } })
    expect((await cli.run(['trace', 'show', 'last'])).stdout).toContain('save[1]')
  })

  it('says of what is for questions alone that this is none', async () => {
    await cli.run(['run', 'returns.yaml'])
    const references = await cli.run(['references', 'last'])
    expect(references.exitCode).toBe(2)
    expect(references.stderr).toContain('ran an agent file')
    const continued = await cli.run(['ask', '--continue', 'last', 'and?'])
    expect(continued.stderr).toContain('--continue needs a run of "ask"')
    const fork = await cli.run(['fork', 'last', '--question', 'x'])
    expect(fork.stderr).toContain('has no question')
  })

  it('checks the files that are there where another is not, and takes a new key in a fork', async () => {
    const { exitCode, stdout } = await cli.run(['validate', 'nowhere.yaml', 'count.yaml'])
    expect(exitCode).toBe(2)
    expect(stdout).toContain('nowhere.yaml cannot be read: there is no such file.')
    expect(stdout).toContain('count.yaml: valid\n')
    const waiting = await cli.run(['run', 'count.yaml', '--interrupt-before', 'save', '--json'])
    expect(jsonOf(waiting)).toMatchObject({
      error: { ways: [0, 1, 2].map(() => expect.stringContaining(' --answer ')) },
    })
    await cli.run(['run', 'count.yaml'])
    const fork = await cli.run(['fork', 'last', '--set', 'new.key=1', '--json'])
    expect(jsonOf(fork)).toMatchObject({ state: { new: { key: 1 } } })
    const other = await cli.run(['fork', 'last', '--set', 'parallel_results=5'])
    expect(other.stderr).toContain('"parallel_results" must be a list, not a number.')
  })

  it('keeps secrets of the environment from files, unless they are let', async () => {
    cli.write(
      'secret.yaml',
      'name: s\nsecrets: [MY_API_KEY]\nnodes:\n  - {name: a, uses: file.write, with: {path: s.txt, content: "{{ secrets.MY_API_KEY }}"}}\n',
    )
    const env = { MY_API_KEY: 'sk-very-secret-1' }
    const kept = () => readFileSync(join(cli.folder, 's.txt'), 'utf8')
    const without = await cli.run(['run', 'secret.yaml'], { env })
    expect(without.stderr).toContain('To pass them: --secret MY_API_KEY')
    expect(without.stderr).toContain('The secret MY_API_KEY has no value')
    expect(without.stderr).toContain('Pass it with --secret MY_API_KEY.')
    expect(without.exitCode).not.toBe(0)
    const plain = await cli.run(['run', 'secret.yaml', '--env', 'MY_API_KEY'], { env })
    expect(plain.stderr).toContain('MY_API_KEY is declared as a secret in s.')
    expect(existsSync(join(cli.folder, 's.txt'))).toBe(false)
    const misspelt = await cli.run(['run', 'secret.yaml', '--secret', 'MY_APIKEY'], { env })
    expect(misspelt.stderr).toContain('Did you mean --secret MY_API_KEY?')
    expect((await cli.run(['resume', 'last', '--secret', 'MY_API_KEY'], { env })).exitCode).toBe(0)
    expect(kept()).toBe('sk-very-secret-1')
    // A fork in a shell without it overwrites nothing.
    const fork = await cli.run(['fork', 'last'], { env: {} })
    expect(fork.stderr).toContain('Pass it with --secret MY_API_KEY.')
    expect(fork.exitCode).not.toBe(0)
    expect(kept()).toBe('sk-very-secret-1')
    await cli.run(['run', 'secret.yaml', '--secret', 'MY_API_KEY'], { env })
    expect(kept()).toBe('sk-very-secret-1')
    expect((await cli.run(['runs', 'show', 'last', '--events'], { env })).stdout).not.toContain(
      'sk-very',
    )
  })

  it('gives a file what of the environment it is told to, and nothing else', async () => {
    const text = `name: e\nnodes:\n  - {name: a, uses: core.return, with: {value: "\${DB_PASS:-none} \${PLACE:-nowhere} {{ env.PLACE }}"}}\n`
    cli.write('env.yaml', text)
    const env = { DB_PASS: 'hidden-word', PLACE: 'Bern' }
    const without = await cli.run(['run', 'env.yaml', '--json'], { env })
    expect(jsonOf(without).output).toBe('none nowhere ')
    expect(without.stderr).toContain('DB_PASS, PLACE. To pass them: --env DB_PASS --env PLACE')
    const given = jsonOf(await cli.run(['run', 'env.yaml', '--env', 'PLACE', '--json'], { env }))
    expect(given.output).toBe('none Bern Bern')
    const elsewhere = { env: { PLACE: 'Rome' } }
    const replayed = jsonOf(await cli.run(['replay', 'last', '--json'], elsewhere))
    expect(replayed).toMatchObject({ isIdentical: true, unclaimed: [] })
  })
})
