import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
let model: ScriptedModel
let runId = ''
const code = 'plot.line([1, 2], [1, 4], title="Squares")\nplot.bar(["a"], [2])\nsum([1, 4, 9])'
const script = scriptTeam({
  planner: { json: { research_steps: [], expert_steps: ['Draw it.'] } },
  expert: ({ lastRole }) =>
    lastRole === 'tool'
      ? { json: { expert_answer: 'It is 14.', reasoning_trace: 'Ran Python.' } }
      : { toolCalls: [{ name: 'python', input: { code } }] },
  finalizer: { json: { final_answer: 'It is 14.', final_reasoning_trace: 'As it says.' } },
})

beforeAll(async () => {
  model = await startScriptedModel(script)
  const args = ['ask', 'What is the sum?', '--model', 'openai-compatible:scripted', '--json']
  const asked = await cli.run(args, { env: { OPENAI_BASE_URL: model.url } })
  runId = jsonOf(asked).runId
}, 120_000)
afterAll(async () => {
  await model.close()
  cli.remove()
})

describe('figures of an answer', () => {
  it('are named in the text, with the command that saves them', async () => {
    const { stdout } = await cli.run(['runs', 'show', runId])
    expect(stdout).toContain('\nFigures\nFigure 1: 640×400\nFigure 2: 640×400\n')
    expect(stdout).toContain(`runs show ${runId} --figures DIR`)
  })

  it('are written into a folder, and over no file', async () => {
    const args = ['runs', 'show', 'last', '--figures', 'new/drawings']
    const written = await cli.run(args)
    expect(written).toMatchObject({ exitCode: 0, stderr: '' })
    const [first, second] = ['new/drawings/figure-1.svg', 'new/drawings/figure-2.svg']
    expect(written.stdout).toBe(`Written: ${first}\nWritten: ${second}\n`)
    expect(readFileSync(join(cli.folder, first), 'utf8')).toMatch(/^<svg .*Squares.*<\/svg>$/s)

    cli.write(second, 'mine')
    cli.write('figure-2.svg', 'mine')
    const again = await cli.run(args)
    expect(again).toMatchObject({ exitCode: 2, stdout: '' })
    expect(again.stderr).toContain('figure-1.svg already exists; nothing was written.')
    await cli.run(['runs', 'show', 'last', '--figures', '.'])
    expect(readdirSync(cli.folder)).not.toContain('figure-1.svg')
    expect(readFileSync(join(cli.folder, second), 'utf8')).toBe('mine')
  })

  it('are listed as JSON where they were written', async () => {
    const { written } = jsonOf(await cli.run(['runs', 'show', runId, '--figures', 'b', '--json']))
    expect(written).toEqual([
      expect.stringMatching(/b.figure-1\.svg$/),
      expect.stringMatching(/b.figure-2\.svg$/),
    ])
  })

  it.each([
    [['--figures', 'stones.md'], /stones\.md/],
    [['--figures', 'c', '--state'], /--state and --figures cannot be combined/],
    [['--figures', 'c', '--at', 'expert[1]'], /--figures and --at cannot be combined/],
    [['--figures', ''], /Invalid value for --figures: ""/],
  ])('cannot be had with %j', async (options, problem) => {
    cli.write('stones.md', 'Not a folder.')
    const { exitCode, stderr } = await cli.run(['runs', 'show', runId, ...options])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(problem)
  })

  it('are said to be none where there are none', async () => {
    const asked = jsonOf(await cli.run(['ask', 'What does CRISPR stand for?', '--json']))
    const shown = await cli.run(['runs', 'show', asked.runId, '--figures', 'd'])
    expect(shown.exitCode).toBe(2)
    expect(shown.stderr).toContain(`The answer of run ${asked.runId} has no figures.`)
  })
})
