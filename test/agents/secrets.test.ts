import { describe, expect, it } from 'vitest'
import { agentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { environmentReadBy } from '../../src/agents/run/environment-read.ts'
import { replayRun } from '../../src/kernel/run.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { loadDocument, newWorld, runDocument, testParts } from './run-document.ts'

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

  it('without a value is told of', async () => {
    const { events, result } = await runDocument(await loadDocument('secret'))
    const notices = events.filter(({ type }) => type === 'notice')
    expect(notices).toMatchObject([{ data: { text: 'The secret TOKEN has no value.' } }])
    expect(result.status).toBe('answered')
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
    expect(() => agentInput(given)).toThrow('MY_TOKEN is a secret of secret')
  })

  it('that a file reads and was not given is told of, once', async () => {
    const document = await loadDocument('secret-leaks')
    const withheld = ['MY_TOKEN', 'OTHER_KEY']
    const { events } = await runDocument(document, {}, testParts(), {}, { withheld })
    const texts = events.flatMap(({ type, data }) => (type === 'notice' ? [data.text] : []))
    expect(texts[0]).toContain('To give them: --secret MY_TOKEN --env OTHER_KEY')
    expect(environmentReadBy(document)).toEqual(['MY_TOKEN', 'OTHER_KEY'])
  })

  it('with a secret that is gone lets nothing be done in its place', async () => {
    const world = newWorld()
    const document = await loadDocument('secret')
    const input = agentInput({ document, input: {}, secretNames: ['MY_TOKEN'] })
    const { result } = await runInMemory(agentWorkflow(testParts(world)), input)
    expect(result.failure).toMatchObject({
      message: 'The run began with MY_TOKEN, which has no value now.',
    })
    expect(world.written).toEqual([])
  })
})
