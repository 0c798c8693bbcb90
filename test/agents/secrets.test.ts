import { describe, expect, it } from 'vitest'
import { loadDocument, newWorld, runDocument, testParts } from './run-document.ts'

const secret = 'sk-correct-horse'
const environment = { MY_TOKEN: secret, OTHER_KEY: 'not-to-be-seen', PLACE: 'Bern' }

describe('a secret', () => {
  it('reaches what is done with it, and neither log nor state', async () => {
    const world = newWorld()
    const heard: unknown[] = []
    const { result, events } = await runDocument(
      await loadDocument('secret'),
      {},
      testParts(world, { environment }),
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

  it('is not in the message of a failure, nor where a name of the environment sounds like one', async () => {
    const document = await loadDocument('secret-leaks')
    const { result, events } = await runDocument(
      document,
      {},
      testParts(newWorld(), { environment }),
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
    await runDocument(document, { page }, testParts(world, { environment }))
    expect(world.read).toEqual([page])
  })

  it('that is too short to be recognised is told of', async () => {
    const parts = testParts(newWorld(), { environment: { MY_TOKEN: 'abc' } })
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
