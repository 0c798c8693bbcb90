import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Script,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'
import { CommandLine, jsonOf, thorough } from './command.ts'
import { startModelServer } from './model-server.ts'

const cli = new CommandLine(thorough)
const model = 'openai-compatible:tiny'
const question = 'What does CRISPR stand for?'
let script: Script = scriptTeam()
let server: ScriptedModel
beforeAll(async () => {
  server = await startScriptedModel((seen) => script(seen))
})
afterAll(async () => {
  await server.close()
  cli.remove()
})

/** Asks a scripted model. */
function ask(team: TeamScript, ...args: string[]) {
  script = scriptTeam(team)
  return cli.run(['ask', question, '--model', model, ...args], {
    env: { OPENAI_BASE_URL: server.url },
  })
}

/** How often a text stands in another. */
const timesIn = (text: string, part: string) => text.split(part).length - 1

describe('a model that does not answer', () => {
  it('is named while it is waited for, and when the time is up', async () => {
    const silent = await startModelServer({ hangs: 'calls' })
    const env = { OPENAI_BASE_URL: `${silent.origin}/v1` }
    const args = ['ask', question, '--model', model, '--max-seconds', '3']
    const { stdout, stderr, exitCode } = await cli.run(args, { env })
    await silent.close()
    expect(exitCode).toBe(3)
    expect(stderr).toContain(`Planning (asking ${model})…`)
    expect(stdout).toContain(`before ${model} answered`)
    expect(stdout).toContain(`scholium doctor --model ${model}`)
  })

  it('because nothing is there is told once on the way and once at the end', async () => {
    const args = ['ask', question, '--model', 'ollama:tiny']
    const gone = await startModelServer()
    await gone.close()
    const env = { OLLAMA_HOST: gone.origin }
    const { stdout, stderr, exitCode } = await cli.run(args, { env })
    expect(exitCode).toBe(1)
    expect(stderr).toContain(`at ${gone.origin}/v1. Trying again in`)
    expect(stderr).not.toMatch(/Checking the claims|model failed|have been paid/)
    expect(timesIn(stderr, 'Failed: planner: ')).toBe(1)
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/; then resume with: scholium resume \S+ /)
    expect(stdout).not.toContain('resume the run')
    const { status, error } = jsonOf(await cli.run([...args, '--json', '--quiet'], { env }))
    expect({ status, error }).toMatchObject({
      status: 'failed',
      error: {
        code: 'model_unavailable',
        message: expect.stringContaining('nothing answers at'),
        hint: expect.stringContaining('ollama serve'),
        retryable: true,
      },
    })
  })
})

describe('a model whose answers cannot be used', () => {
  it('for want of a form is told of once, with the number of times', async () => {
    const { stdout, stderr } = await ask({ planner: { text: 'I would rather not.' } })
    const [first = '', ...others] = stderr.split('\n').filter((line) => /JSON object/.test(line))
    expect(others).toEqual([`5 times: ${first}`])
    expect(stdout).toContain(`scholium doctor --model ${model}`)
    expect((await cli.run(['runs', 'show', 'last'])).stdout).toMatch(
      /\n- The planner's answer was not usable: .*\(5 times\)\n/,
    )
  })

  it('for want of a source is not shown as an answer, and runs show has it', async () => {
    const made = 'It stands for Crisp Radishes In Spring.'
    const { stdout, exitCode } = await ask({
      expert: { json: { expert_answer: made, reasoning_trace: 'I know.' } },
      finalizer: { json: { final_answer: made, final_reasoning_trace: 'I know.' } },
    })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('answer is withheld')
    expect(stdout).not.toContain('Radishes')
    expect(stdout).not.toContain('library add')
    const shown = await cli.run(['runs', 'show', 'last'])
    expect(shown.stdout).toMatch(/\nWithheld: .*\n {2}\| It stands for Crisp Radishes/)
    expect(jsonOf(await cli.run(['runs', 'show', 'last', '--json'])).withheld).toBe(made)
  })
})

describe('runs show', () => {
  it('says how the answer came about, and names the command that shows more', async () => {
    await ask({
      critic_researcher: (_seen, call) => ({
        json: { decision: call === 1 ? 'reject' : 'approve', feedback: 'Look at the year.' },
      }),
    })
    const { stdout } = await cli.run(['runs', 'show', 'last'])
    const story = stdout.slice(stdout.indexOf('How the answer was produced'))
    expect(story).toMatch(
      /^How the answer was produced\n- Planned: \(1\) .+\n- Researched 1 of 1: 1 search, \d+ passages? of \d+ sources?\n- The research was rejected: Look at the year\.\n/,
    )
    expect(story).not.toContain('orchestrator[')
    expect(story).toContain('scholium trace show')
  })
})

describe('a source that cannot be read', () => {
  it('is told on stderr, and where there is no other, no model is asked', async () => {
    const before = server.requests.length
    cli.write('broken.docx', Buffer.from('PK\u0003\u0004broken'))
    const { stdout, stderr, exitCode } = await ask({}, '--source', 'broken.docx')
    expect(exitCode).toBe(3)
    expect(server.requests.length).toBe(before)
    expect(stderr).toMatch(/\nWarning: .*broken\.docx: /)
    expect(stdout).toContain('None of the sources could be read.')
  })
})
