import { afterAll, describe, expect, it } from 'vitest'
import { scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

const question = 'Who discovered penicillin?'

describe('ask --depth with the built-in engine', () => {
  it.each(['quick', 'standard', 'thorough'])(
    'answers with citations at depth %s',
    async (depth) => {
      const answer = jsonOf(await cli.run(['ask', question, '--depth', depth, '--json']))
      expect(answer).toMatchObject({ status: 'answered', coverage: { altered: 0, notFound: 0 } })
      expect(answer.answer).toContain('Alexander Fleming')
      const { stdout } = await cli.run(['runs', 'show', 'last', '--events'])
      expect(stdout).toContain(`"depth":"${depth}"`)
    },
  )

  it('asks fewer models the less deep it is', async () => {
    const calls: number[] = []
    for (const depth of ['quick', 'standard', 'thorough'])
      calls.push(
        jsonOf(await cli.run(['ask', question, '--depth', depth, '--json'])).usage.modelCalls,
      )
    expect(calls).toEqual(calls.toSorted((one, other) => one - other))
    expect(new Set(calls).size).toBe(3)
  })

  it('calculates at depth quick', async () => {
    const { stdout } = await cli.run(['ask', 'What is 12 * 34?', '--depth', 'quick'])
    expect(stdout).toContain('12 * 34 = 408.')
  })

  it('takes the depth from the environment, and the command line is stronger', async () => {
    const env = { SCHOLIUM_DEPTH: 'quick' }
    const { stderr } = await cli.run(['ask', question], { env })
    expect(stderr).not.toContain('Plan:')
    const deeper = await cli.run(['ask', question, '--depth', 'standard'], { env })
    expect(deeper.stderr).toContain('Plan:')
  })

  it('tells how a quick answer came about', async () => {
    await cli.run(['ask', question, '--depth', 'quick'])
    const { stdout } = await cli.run(['runs', 'show', 'last'])
    expect(stdout).toContain('Researched 1 of 1:')
  })
})

describe('what a depth does not have', () => {
  it.each([
    ['--approve-plan', 'At depth "quick" there is no plan to approve.'],
    ['--sequential', 'At depth "quick" there is only one research step.'],
  ])('is a usage error: %s at depth quick', async (option, message) => {
    const { exitCode, stderr } = await cli.run(['ask', question, '--depth', 'quick', option])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it('names the depths for one that is none', async () => {
    const { exitCode, stderr } = await cli.run(['ask', question, '--depth', 'deep'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('quick, standard, thorough')
  })

  it('refuses a fork that would leave depth quick half-way', async () => {
    await cli.run(['ask', question, '--depth', 'quick'])
    const fork = ['fork', 'last', '--at', 'researcher[1]', '--set', 'question.depth="standard"']
    const { exitCode, stderr } = await cli.run(fork)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('only before the work begins')
  })
})

describe('ask --estimate', () => {
  const home = { env: { SCHOLIUM_HOME: `${cli.folder}/estimates` } }
  const estimate = async (...more: readonly string[]) =>
    jsonOf(await cli.run(['ask', question, '--estimate', '--json', ...more], home))

  it('is rough without earlier questions, exact with those of the same depth, and asks nothing', async () => {
    expect(await estimate('--depth', 'quick')).toMatchObject({ depth: 'quick', earlierRuns: 0 })
    const runs = await cli.run(['runs', 'list', '--json'], home)
    expect(jsonOf(runs)).toEqual([])
    const asked = jsonOf(await cli.run(['ask', question, '--depth', 'quick', '--json'], home))
    const { modelCalls } = asked.usage
    expect(await estimate('--depth', 'quick')).toEqual({
      depth: 'quick',
      modelCalls: { from: modelCalls, to: modelCalls },
      tokens: { from: 0, to: 0 },
      costUsd: { from: 0, to: 0 },
      earlierRuns: 1,
    })
    expect(await estimate()).toMatchObject({ depth: 'standard', earlierRuns: 0 })
  })

  it('takes the prices of now for earlier questions whose models had none', async () => {
    const model = await startScriptedModel(scriptTeam())
    const named = ['--model', 'openai-compatible:scripted', '--depth', 'quick']
    const env = { SCHOLIUM_HOME: `${cli.folder}/unpriced`, OPENAI_BASE_URL: model.url }
    const asked = jsonOf(await cli.run(['ask', question, ...named, '--json'], { env }))
    await model.close()
    expect(asked).toMatchObject({ status: 'answered', costUsd: null })
    const args = ['ask', question, ...named, '--estimate', '--json']
    expect(jsonOf(await cli.run(args, { env }))).toMatchObject({ costUsd: null, earlierRuns: 1 })
    const price = '{inputUsdPerMTok: 1000000, outputUsdPerMTok: 0}'
    cli.write('now.yaml', `prices: {"openai-compatible:scripted": ${price}}\n`)
    const { costUsd } = jsonOf(await cli.run([...args, '--config', 'now.yaml'], { env }))
    expect(costUsd.to).toBeCloseTo(asked.usage.inputTokens)
  })

  it('has dollars where the price is known, and says that a limit is below them before it asks', async () => {
    cli.write(
      'own.yaml',
      'prices: {"openai-compatible:priced": {inputUsdPerMTok: 1, outputUsdPerMTok: 2}}\n',
    )
    const model = ['--model', 'openai-compatible:priced', '--config', 'own.yaml']
    model.push('--max-cost-usd', '0.01')
    const env = { ...home.env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    const { stdout } = await cli.run(['ask', question, '--estimate', ...model], { env })
    expect(stdout).toMatch(/^Cost +\$[\d.]+ to \$[\d.]+$/m)
    const { stderr } = await cli.run(['ask', question, '--max-seconds', '5', ...model], { env })
    expect(stderr).toContain('The limit of $0.0100 may be too low: the expected cost is $')
  })
})
