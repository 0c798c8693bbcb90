import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { McpWorld, question, revisions } from './mcp-client.ts'

let world: McpWorld
beforeEach(() => {
  world = new McpWorld()
})
afterEach(() => world.close())

describe.each(Object.entries(revisions))('a call of revision %s', (_revision, options) => {
  it('that is cancelled leaves a run that can be resumed without a repeated step', async () => {
    await world.start([], options)
    const isHanging = world.hang()
    const control = new AbortController()
    const told: string[] = []
    const call = world.attempt(
      'ask',
      { question },
      { signal: control.signal, onprogress: ({ message = '' }) => told.push(message) },
    )
    call.catch(() => {})
    await isHanging
    control.abort()
    await expect(call).rejects.toThrow()
    const runId = /^Run (\S+)$/.exec(told[0] ?? '')?.[1] ?? ''
    await expect
      .poll(async () => (await world.call('get_run', { run: runId })).data, { timeout: 30_000 })
      .toMatchObject({
        status: 'interrupted',
        next: expect.stringContaining(`"resume": "${runId}"`),
      })

    world.script = scriptTeam()
    const done = new Map(world.model.answered)
    const papers = await world.attempt('papers', { resume: runId })
    expect(papers).toMatchObject({
      isError: true,
      text: expect.stringContaining('not a run of papers'),
    })
    expect((await world.call('ask', { resume: runId })).data).toMatchObject({
      runId,
      status: 'answered',
    })
    for (const [hash, times] of done) expect(world.model.answered.get(hash)).toBe(times)
  })
})

describe('scholium mcp', () => {
  it('executes as many runs at once as the operator allows', async () => {
    await world.start(['--max-runs', '1'])
    const isHanging = world.hang()
    const control = new AbortController()
    const first = world.attempt('ask', { question }, { signal: control.signal })
    first.catch(() => {})
    await isHanging
    expect(await world.attempt('ask', { question: 'And zinc?' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('1 runs already. Try again later.'),
    })
    expect((await world.call('search_library', { query: 'mineral' })).data.passages).toHaveLength(1)
    control.abort()
  })

  it.each(['its client closes stdin', 'it is told to'])('leaves in order when %s', async (how) => {
    await world.start()
    const isHanging = world.hang()
    const lost = world.attempt('ask', { question })
    lost.catch(() => {})
    await isHanging
    const { _process: child } = world.transport as unknown as {
      _process: import('node:child_process').ChildProcess
    }
    const exited = once(child, 'exit')
    if (how === 'it is told to') child.kill('SIGTERM')
    else child.stdin?.end()
    expect(await exited).toEqual([0, null])
    await world.start()
    expect((await world.call('get_run', { run: 'last' })).data).toMatchObject({
      status: 'interrupted',
    })
  })

  it('cuts long answers, and gives the whole as a resource', async () => {
    const fact = 'Glimmerstone is a mineral that melts at 412 degrees Celsius [1].'
    const long = Array.from({ length: 600 }, (_, index) => `${fact} Line ${index}.`).join('\n\n')
    world.script = scriptTeam({
      expert: { json: { expert_answer: long, reasoning_trace: 'Found.' } },
      finalizer: { json: { final_answer: long, final_reasoning_trace: 'Found.' } },
    })
    await world.start()
    const { text, data } = await world.call('ask', { question })
    expect(data).toMatchObject({ isShortened: true })
    expect(text.length).toBeLessThan(50_000)
    expect(JSON.stringify(data).length).toBeLessThan(100_000)
    const { contents } = await world.client.readResource({ uri: data.uri })
    expect(JSON.stringify(contents).length).toBeGreaterThan(long.length)
  })
})
