import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CommandLine, jsonOf, thorough } from './command.ts'
import { startModelServer } from './model-server.ts'

const cli = new CommandLine(thorough)
afterAll(() => cli.remove())
const question = 'What does CRISPR stand for?'

describe('without any run', () => {
  it.each([
    ['runs', 'list'],
    ['runs', 'show', 'last'],
    ['runs', 'remove', 'last'],
    ['library', 'list'],
    ['library', 'search', 'tides'],
    ['library', 'remove', 'tides.md'],
    ['trace', 'stats'],
    ['trace', 'export'],
    ['trace', 'cleanup', '--older-than', '30d'],
    ['replay', 'last'],
    ['fork', 'last'],
    ['export', 'last'],
  ])('%s %s makes no home', async (...args) => {
    await cli.run(args)
    expect(existsSync(join(cli.folder, 'home'))).toBe(false)
  })

  it.each([
    ['runs', 'show', 'last'],
    ['runs', 'remove', 'last'],
    ['fork', 'last'],
    ['resume', 'last'],
    ['replay', 'last'],
    ['export', 'last'],
    ['trace', 'show', 'last'],
    ['trace', 'export', 'last'],
    ['trace', 'compare', 'last', 'last'],
  ])('%s %s says what to do first', async (...args) => {
    const { exitCode, stderr } = await cli.run(args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`There are no runs yet in ${cli.folder}/home.`)
    expect(stderr).toContain('scholium ask "What is CRISPR?"')
  })
})

describe('a family of five', () => {
  let ids: readonly string[] = []
  beforeAll(async () => {
    const made: string[] = []
    const add = async (...args: string[]) => {
      made.push(jsonOf(await cli.run([...args, '--json'])).runId)
      return made.at(-1) as string
    }
    const run = await add('ask', question)
    const first = await add('fork', run, '--at', 'finalizer[1]')
    await add('fork', run, '--at', 'expert[1]')
    await add('fork', first, '--at', 'verify[1]')
    await add('fork', first, '--at', 'finalizer[1]')
    ids = made
  })

  it('is drawn as the tree that it is', async () => {
    const [run, first, second, third, fourth] = ids
    const { stdout } = await cli.run(['runs', 'list'])
    const drawn = stdout.split('\n').slice(1, 6)
    expect(drawn.map((line) => /^[ │├└]*\S+/.exec(line)?.[0])).toEqual([
      run,
      `├ ${first}`,
      `│ ├ ${third}`,
      `│ └ ${fourth}`,
      `└ ${second}`,
    ])
    const starts = drawn.map((line) => line.search(/\d{4}-\d\d-\d\d \d\d:/))
    expect(new Set(starts).size).toBe(1)
  })

  it('stands by itself where its run is not listed', async () => {
    const [, first, second, third, fourth] = ids
    const { stdout } = await cli.run(['runs', 'list', '--limit', '4'])
    const drawn = stdout.split('\n').slice(1, 5)
    expect(stdout).toContain('\n… and 1 more (--limit N)\n')
    for (const line of drawn.slice(0, 2)) expect(line).toContain(`fork of ${ids[0]}: ${question}`)
    expect(drawn[2]).not.toContain('fork of')
    expect(drawn.map((line) => /^[ │├└]*\S+/.exec(line)?.[0])).toEqual([
      second,
      first,
      `├ ${third}`,
      `└ ${fourth}`,
    ])
  })

  it('is shown up to a step, with how to continue from there', async () => {
    const [, first = ''] = ids
    const { stdout, exitCode } = await cli.run(['runs', 'show', first, '--at', 'expert[1]'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^Up to {5}ask\/orchestrator\[\d+\], event \d+ of \d+; next was ask\/expert/m,
    )
    expect(stdout).toContain('researcher[1]')
    expect(stdout).not.toMatch(/^expert\[1\]/m)
    expect(stdout).not.toContain('Sources')
    expect(stdout).toContain(`scholium runs show ${first} --at 'expert[1]' --state`)
    expect(stdout).toContain(`scholium fork ${first} --at 'expert[1]'`)
    expect(stdout).not.toContain('counted there')
    const both = await cli.run(['runs', 'show', first, '--events', '--state'])
    expect(both).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('cannot be combined'),
    })
  })

  it.each([
    ['#1', 'Up to     the beginning, event 1 of 40\n', ''],
    [
      '#40',
      'Up to     ask/finalizer[1], event 36 of 40; next was ask/verify[1]\n',
      " --at 'verify[1]'",
    ],
    [
      '#8',
      'Up to     ask/planner[1], event 7 of 40; next was ask/orchestrator[2]\n',
      " --at 'orchestrator[2]'",
    ],
  ])('is shown up to %s, with commands that work', async (at, upTo, named) => {
    const [run = ''] = ids
    const { stdout } = await cli.run(['runs', 'show', run, '--at', at])
    expect(stdout).toContain(upTo)
    const [, shown = '', forked = ''] = /: scholium (.*)\n.*: scholium (.*)\n/.exec(stdout) ?? []
    expect(shown).toBe(`runs show ${run}${named} --state`)
    expect(forked).toBe(`fork ${run}${named}`)
    const state = await cli.run(shown.replaceAll("'", '').split(' '))
    expect(jsonOf(state)).toMatchObject({ question: { text: question } })
    expect(state.stderr).toContain(`State of ${run} after`)
  })

  it("says which nodes of a fork are its parent's", async () => {
    const [run, , second = ''] = ids
    const { stdout } = await cli.run(['runs', 'show', second])
    expect(stdout).toContain(`Done and counted in ${run}: the first 5 nodes.\n`)
    const shown = jsonOf(await cli.run(['runs', 'show', second, '--json']))
    const shared = shown.timeline.filter(({ isShared }: { isShared?: true }) => isShared)
    expect(shared.at(-1).node).toBe('orchestrator[5]')
  })

  it('tells of a run that is at work that it is, and not to continue with it', async () => {
    const server = await startModelServer({ hangs: 'calls' })
    const env = { OPENAI_BASE_URL: `${server.origin}/v1` }
    const model = ['--model', 'openai-compatible:tiny']
    const { child, outcome } = cli.start(['ask', question, ...model], { env })
    await vi.waitFor(() => expect(server.requests).toContain('POST /v1/chat/completions'), 10_000)
    const { stdout } = await cli.run(['runs', 'show', 'last'])
    child.kill('SIGINT')
    await outcome
    await server.close()
    const { runId } = jsonOf(await cli.run(['runs', 'show', 'last', '--json']))
    await cli.run(['runs', 'remove', runId])
    expect(stdout).toContain('It is still running and has no answer yet.')
    expect(stdout).not.toContain('scholium resume')
  })

  it('says nothing of the extractive engine where a model that failed left no answer', async () => {
    const [run = ''] = ids
    const model = ['--model', 'expert=openai-compatible:down']
    const { exitCode, stdout } = await cli.run(['fork', run, '--at', 'expert[1]', ...model], {
      env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('expert failed: ')
    expect(stdout).not.toContain('extractive engine')
  })

  it('is removed by one command, which is reported to who names a run with forks', async () => {
    const [run = '', first, second, third, fourth] = ids
    const kept = await cli.run(['runs', 'remove', run])
    expect(kept).toMatchObject({ exitCode: 1, stdout: '' })
    const [, command = ''] = /^To remove them too: scholium (.*)$/m.exec(kept.stderr) ?? []
    const named = command.split(' ').slice(2)
    for (const fork of [first, second, third, fourth]) expect(named).toContain(fork)
    expect(named.at(-1)).toBe(run)
    const removed = await cli.run(['runs', 'remove', ...named.toReversed(), '--json'])
    expect(removed.exitCode).toBe(0)
    expect(jsonOf(removed).removed).toEqual(named)
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))).toEqual([])
  })
})
