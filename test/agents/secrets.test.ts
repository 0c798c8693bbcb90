import { describe, expect, it } from 'vitest'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

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

  it('without a value is told of, and nothing is done that needs it', async () => {
    const world = newWorld()
    const { events, result } = await runDocument(await loadDocument('secret'), {}, testParts(world))
    const told = 'The secret TOKEN has no value: MY_TOKEN is not set in the environment.'
    const hint = 'Set MY_TOKEN and give it with --secret MY_TOKEN.'
    const [first] = events.filter(({ type }) => type === 'notice')
    expect(first).toMatchObject({ data: { text: `${told} ${hint}` } })
    expect(result).toMatchObject({
      status: 'failed',
      failure: { retryable: true, message: expect.stringContaining(told), hint, node: 'send' },
    })
    expect(world.written).toEqual([])
  })

  it('that a file was not given does nothing under its own name either, unless it has a default', async () => {
    const nodes = (text: string) =>
      `name: s\nnodes: [{name: a, uses: test.write, with: {text: "${text}"}}]`
    const world = newWorld()
    const parts = testParts(world, { withheld: ['MY_TOKEN'], environment: { PLACE: 'Bern' } })
    for (const text of ['$'.concat('{MY_TOKEN}'), 'x {{ env.MY_TOKEN }}']) {
      const { result } = await runDocument(await parseDocument(nodes(text)), {}, parts)
      expect(result.failure).toMatchObject({
        message: expect.stringContaining('the file was not given MY_TOKEN'),
        hint: 'Give it with --secret MY_TOKEN.',
      })
    }
    expect(world.written).toEqual([])
    await runDocument(await parseDocument(nodes('$'.concat('{MY_TOKEN:-none}'))), {}, parts)
    expect(world.written).toEqual(['none'])
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
