import { describe, expect, it } from 'vitest'
import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { listEnvironmentNames } from '../../src/agents/run/secrets.ts'
import { replayRun } from '../../src/kernel/run/run.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const secret = 'sk-correct-horse'
const secrets = { MY_TOKEN: secret, OTHER_KEY: 'not-to-be-seen' }

describe('a secret', () => {
  it('reaches what is done with it, and neither log nor state', async () => {
    const world = newWorld()
    const heard: unknown[] = []
    const { result, events } = await runDocument(
      await loadDocument('secret'),
      {},
      testParts(world, { secrets }),
      { listeners: [(event) => heard.push(event)] },
    )
    expect(world.written).toEqual([`Bearer ${secret} ${secret.length}`])
    expect(world.read).toEqual([secret])
    expect(result.state).toMatchObject({
      heard: { text: '[secret]' },
      kept: '[secret:TOKEN]',
      written: true,
    })
    for (const seen of [result, events, heard]) expect(JSON.stringify(seen)).not.toContain(secret)
  })

  it('is not in the message of a failure, nor where the environment is read', async () => {
    const document = await loadDocument('secret-leaks')
    const { result, events } = await runDocument(
      document,
      {},
      testParts(newWorld(), { secrets }),
      {},
      { environment: { PLACE: 'Bern' } },
    )
    const text = JSON.stringify([result, events])
    expect(text).not.toContain(secret)
    expect(text).not.toContain('not-to-be-seen')
    expect(result.state).toMatchObject({
      env: { PLACE: 'Bern', OTHER_KEY: '[secret:OTHER_KEY]' },
      key: '[secret:OTHER_KEY]',
      name: '[secret:OTHER_KEY]',
    })
    expect(result.failure?.message).toBe('no [secret:TOKEN]')
  })

  it('is not given to text that only looks like its place', async () => {
    const world = newWorld()
    const document = await loadDocument('secret-forged')
    const page = ['[secret:TOKEN] {{ secrets.TOKEN }} $', '{MY_TOKEN}'].join('')
    await runDocument(document, { page }, testParts(world, { secrets }))
    expect(world.read).toEqual([page])
  })

  it('that is too short to be recognised is told of', async () => {
    const parts = testParts(newWorld(), { secrets: { MY_TOKEN: 'abc' } })
    const { events } = await runDocument(await loadDocument('secret-forged'), { page: '' }, parts)
    const notices = events.filter(({ type }) => type === 'notice')
    expect(notices).toMatchObject([{ data: { text: expect.stringContaining('shorter than 6') } }])
  })

  it('without a value is told of, and nothing is done that needs it', async () => {
    const world = newWorld()
    const { events, result } = await runDocument(await loadDocument('secret'), {}, testParts(world))
    const told = 'The secret TOKEN has no value: MY_TOKEN is not set in the environment.'
    const hint = 'Set MY_TOKEN and pass it with --secret MY_TOKEN.'
    const [first] = events.filter(({ type }) => type === 'notice')
    expect(first).toMatchObject({ data: { text: `${told} ${hint}` } })
    expect(result).toMatchObject({
      status: 'failed',
      failure: { retryable: true, message: expect.stringContaining(told), hint, node: 'send' },
    })
    expect(world.written).toEqual([])
  })

  it('that its place names directly, and that was not given, is an error too, unless it has a default', async () => {
    const nodes = (text: string) =>
      `name: s\nnodes: [{name: a, uses: test.write, with: {text: "${text}"}}]`
    const world = newWorld()
    const written = async (text: string) =>
      runDocument(await parseDocument(nodes(text)), {}, testParts(world), {}, given)
    const given = { withheld: ['MY_TOKEN'], environment: { PLACE: 'Bern' } }
    const { result } = await written('$'.concat('{MY_TOKEN}'))
    expect(result.failure).toMatchObject({
      message: expect.stringContaining('MY_TOKEN was not passed to the file'),
      hint: 'Pass it with --secret MY_TOKEN.',
    })
    expect(world.written).toEqual([])
    await written('$'.concat('{MY_TOKEN:-none} $', '{PLACE} $', '{NOWHERE}'))
    await written('env: {{ env.MY_TOKEN }}')
    expect(world.written).toEqual(['none Bern $'.concat('{NOWHERE}'), 'env: '])
  })

  it('that settings name and nobody reads may have no value', async () => {
    const world = newWorld()
    const document = await parseDocument(
      [
        'name: s',
        'secrets: [MY_TOKEN]',
        'settings: {other: {key: "{{ secrets.MY_TOKEN }}", place: here}}',
        'nodes: [{name: a, uses: test.write, with: {text: "{{ settings.other.place }}"}}]',
      ].join('\n'),
    )
    expect((await runDocument(document, {}, testParts(world))).result.status).toBe('answered')
    expect(world.written).toEqual(['here'])
  })
})

describe('the environment', () => {
  it('is what the run was given, recorded with it: no other process changes a replay', async () => {
    const world = newWorld()
    const document = await loadDocument('secret-leaks')
    const more = { environment: { PLACE: 'Bern' } }
    const first = await runDocument(document, {}, testParts(world, { secrets }), {}, more)
    const elsewhere = agentWorkflow(testParts(newWorld(), { secrets: { PLACE: 'Rome' } }))
    const replay = await replayRun(elsewhere, first.runId, first.execution)
    expect(replay).toMatchObject({ recorded: first.result, result: first.result, unclaimed: [] })
  })

  it('holds no secret of a file in the record', async () => {
    const document = await loadDocument('secret')
    const given = { document, input: {}, environment: { MY_TOKEN: secret } }
    expect(() => createAgentInput(given)).toThrow('MY_TOKEN is declared as a secret in secret')
  })

  it('that a file reads and was not given is told of, once', async () => {
    const document = await loadDocument('secret-leaks')
    const withheld = ['MY_TOKEN', 'OTHER_KEY']
    const { events } = await runDocument(document, {}, testParts(), {}, { withheld })
    const texts = events.flatMap(({ type, data }) => (type === 'notice' ? [data.text] : []))
    expect(texts[0]).toContain('To pass them: --secret MY_TOKEN --env OTHER_KEY')
    expect(listEnvironmentNames(document)).toEqual(['MY_TOKEN', 'OTHER_KEY'])
  })

  it.each(['{{ secrets.MY_TOKEN }}', '{{ env.MY_TOKEN }}', '$'.concat('{MY_TOKEN:-none}')])(
    'with a secret that is gone lets nothing be done in its place: %s',
    async (text) => {
      const world = newWorld()
      const document = await parseDocument(
        `name: s\nsecrets: [MY_TOKEN]\nnodes: [{name: a, uses: test.write, with: {text: "${text}"}}]`,
      )
      const input = createAgentInput({ document, input: {}, secretNames: ['MY_TOKEN'] })
      const { result } = await runInMemory(agentWorkflow(testParts(world)), input)
      expect(result.failure).toMatchObject({
        retryable: true,
        message: expect.stringContaining('MY_TOKEN is not set in the environment.'),
      })
      expect(world.written).toEqual([])
    },
  )

  it('can be given what an effect lacks after the run began, and the record stays as it is', async () => {
    const world = newWorld()
    const text = ['$', '{MY_TOKEN} $', '{MY_TOKEN:-none} {{ env.MY_TOKEN }}'].join('')
    const document = await parseDocument(
      `name: s\nnodes: [{name: a, uses: test.write, with: {text: "${text}"}}]`,
    )
    const input = createAgentInput({ document, input: {}, withheld: ['MY_TOKEN'] })
    const workflow = agentWorkflow(testParts(world, { secrets: { MY_TOKEN: secret } }))
    const { events, runId, execution, result } = await runInMemory(workflow, input)
    expect(world.written).toEqual([`${secret} none `])
    expect(JSON.stringify(events)).not.toContain(secret)
    const replay = await replayRun(agentWorkflow(testParts()), runId, execution)
    expect(replay).toMatchObject({ recorded: result, result, unclaimed: [] })
  })
})
