import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { brokenProject, call, mending, type Replies } from './session-world.ts'

let cli: CommandLine
let model: ScriptedModel
let replies: Replies
let given = 0

beforeEach(async () => {
  cli = new CommandLine()
  mkdirSync(join(cli.folder, 'work'))
  for (const [path, text] of Object.entries(brokenProject)) cli.write(`work/${path}`, text)
  given = 0
  model = await startScriptedModel((seen) =>
    typeof replies === 'function' ? replies(seen) : (replies[given++] ?? { text: 'nothing more' }),
  )
})
afterEach(async () => {
  await model.close()
  cli.remove()
})

const run = (args: readonly string[], stdin = '') =>
  cli.run(['code', '--workspace', 'work', '--model', 'openai-compatible:scripted', ...args], {
    stdin,
    env: { OPENAI_BASE_URL: model.url },
  })
const text = (path: string) => readFileSync(join(cli.folder, 'work', path), 'utf8')

describe('scholium code -p', () => {
  it('says without a language model that there is none, how to name one, and begins no session', async () => {
    const { exitCode, stderr } = await cli.run(['code', '--workspace', 'work', '-p', 'Mend it.'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is not a language model')
    expect(stderr).toContain('scholium code --model')
    expect((await cli.run(['runs', 'list', '--json'])).stdout).not.toContain('"code"')
  })

  it('fixes a project where it may, prints the answer, and can be shown, replayed and resumed', async () => {
    replies = mending
    const outcome = await run(['-p', 'Mend it.', '--allow', 'edit', '--allow', 'bash:node *'])
    expect(outcome.exitCode, outcome.stderr).toBe(0)
    expect(outcome.stdout).toBe('Mended add in add.mjs; the check passes.\n')
    expect(outcome.stderr).toContain('Changed: add.mjs')
    expect(text('add.mjs')).toContain('a + b')
    const listed = jsonOf(await cli.run(['runs', 'list', '--json']))
    expect(listed[0]).toMatchObject({ workflow: 'code', status: 'answered', title: 'Mend it.' })
    expect((await cli.run(['runs', 'show', 'last'])).stdout).toContain('Mended add')
    expect((await cli.run(['replay', 'last'])).stdout).toContain('identical: yes')
    replies = (seen) => ({ text: `then: ${seen.lastText}` })
    const last = ['--workspace', 'work', '--resume', 'last']
    const other = [...last, '--model', 'openai-compatible:other', '--allow', 'write']
    const next = await cli.run(['code', '-p', 'and now?', '--json', ...other], {
      env: { OPENAI_BASE_URL: model.url },
    })
    expect(model.requests.at(-1)?.model).toBe('other')
    expect(jsonOf(next)).toMatchObject({ answer: 'then: and now?', status: 'answered' })
  }, 60_000)

  it('puts what is piped in behind the task', async () => {
    replies = (seen) => ({ text: seen.lastText })
    const outcome = await run(['-p', 'Review this.', '-q'], 'diff of mine\n')
    expect(outcome.stdout).toBe('Review this.\n\ndiff of mine\n')
    const alone = await run(['-q'], 'a whole task\n')
    expect(alone.stdout).toBe('a whole task\n')
  }, 60_000)

  it('lists what was refused and how to let it through, and ends with 3', async () => {
    replies = [call('bash', { command: 'touch made.txt' }), { text: 'I would touch made.txt.' }]
    const outcome = await run(['-p', 'make it', '--json'])
    expect(outcome.exitCode).toBe(3)
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'scholium.code/1',
      status: 'partial',
      refused: [{ toolName: 'bash' }],
    })
    expect(outcome.stderr).toMatch(/^· bash touch made\.txt\n {2}It changes something, and/m)
    expect(outcome.stderr).toContain('Not done: run')
    expect(outcome.stderr).toMatch(/To allow it: .*--resume \S+ -p "continue" --allow "bash:touch/)
  }, 60_000)

  it.each([
    ["touch 'a b'", `--allow "bash:touch 'a b'"`],
    [`touch '"'`, undefined],
    ["touch '$(id)'", undefined],
    ["touch 'a`id`'", undefined],
    ["touch 'a\nid'", undefined],
    ["touch 'a'; touch '$HOME'", undefined],
  ])(
    'has nothing to paste that a shell would take otherwise: %j',
    async (command, allow) => {
      replies = [call('bash', { command }), { text: 'I would do it.' }]
      const { exitCode, stderr } = await run(['-p', 'make it'])
      expect(exitCode).toBe(3)
      if (allow === undefined) expect(stderr).not.toContain('--allow')
      else expect(stderr).toContain(allow)
    },
    60_000,
  )

  it('prints every event and then the result as lines of JSON', async () => {
    replies = [{ text: 'hello' }]
    const outcome = await run(['-p', 'hi', '--output-format', 'stream-json'])
    const lines = outcome.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ type: 'run.started' })
    expect(lines.some(({ type }) => type === 'delta')).toBe(true)
    expect(lines.at(-1)).toMatchObject({ type: 'result', answer: 'hello' })
  }, 60_000)

  it('is interrupted by Ctrl-C with one JSON object that says how to continue', async () => {
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    replies = () => {
      isAsked()
      return { text: 'late', delayMs: 20_000 }
    }
    const args = ['code', '--workspace', 'work', '--model', 'openai-compatible:scripted', '--json']
    const granted = ['--web', '--home', 'there', '--allow', 'edit:a b']
    const { child, outcome } = cli.start([...args, ...granted, '-p', 'Talk.'], {
      env: { OPENAI_BASE_URL: model.url },
    })
    await asked
    child.kill('SIGINT')
    const ended = await outcome
    expect(ended.exitCode).toBe(130)
    const { runId, schema, error } = jsonOf(ended)
    expect({ schema, error }).toMatchObject({
      schema: 'scholium.error/1',
      error: {
        code: 'cancelled',
        hint: `Continue with: scholium code --resume ${runId} --home there --web --allow "edit:a b" -p TASK`,
      },
    })
    expect(ended.stderr).toContain(`Interrupted. Continue with: `)
  })

  it('says with 3 that it reached its iterations or a limit, with 1 that the model failed, with 2 what is wrong', async () => {
    replies = () => call('list', { path: '.' })
    const looping = await run(['-p', 'loop', '--iterations', '2', '--verbosity', 'detailed'])
    expect(looping.exitCode).toBe(3)
    expect(looping.stdout).toContain('2 of 2 model calls')
    const limited = await run(['-p', 'loop', '--max-steps', '3', '--json'])
    expect(limited.exitCode).toBe(3)
    expect(jsonOf(limited)).toMatchObject({
      status: 'partial',
      stopReason: 'limit',
      failure: {
        hint: expect.stringMatching(/: scholium code --resume \S+ --max-steps 6 -p "continue"$/),
      },
    })
    replies = [{ status: 400, body: { error: { message: 'no' } } }]
    given = 0
    expect((await run(['-p', 'x'])).exitCode).toBe(1)
    expect((await run([])).stderr).toContain('No task was given.')
    expect((await run(['-p', 'x', '--allow', '*'])).exitCode).toBe(2)
    const mistyped = await run(['-p', 'x', '--deny', 'Edit'])
    expect([mistyped.exitCode, mistyped.stderr]).toEqual([
      2,
      expect.stringContaining('There is no tool "Edit"; did you mean edit?'),
    ])
    expect((await run(['-p', 'x', '--resume', 'nosuch'])).exitCode).toBe(2)
  }, 60_000)

  it.each(['/undo', '/frob', '!echo hi'])('takes %s for no task', async (line) => {
    const { exitCode, stderr } = await run(['-p', line])
    expect([exitCode, model.requests]).toEqual([2, []])
    expect(stderr).toContain(`"${line}" is a command, not a task.`)
  })

  it('takes a task that begins with a path', async () => {
    replies = (seen) => ({ text: seen.lastText })
    expect((await run(['-p', '/src/a.ts fails', '-q'])).stdout).toBe('/src/a.ts fails\n')
  })
})
