import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { McpWorld, question, revisions } from './mcp-client.ts'

describe.each(Object.entries(revisions))('a client of revision %s', (revision, options) => {
  const world = new McpWorld()
  beforeAll(() => world.start([], options))
  afterAll(() => world.close())

  it('finds tools with schemas for what they take and give, and whether they only read', async () => {
    expect(world.client.getNegotiatedProtocolVersion()).toBe(revision)
    expect(world.client.getInstructions()).toContain('cites a source')
    const { tools } = await world.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'ask',
      'papers',
      'get_run',
      'search_library',
      'read_source',
      'verify_text',
      'references',
    ])
    for (const { description = '', inputSchema, outputSchema, annotations } of tools) {
      expect(description.length).toBeGreaterThan(100)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean')
      expect(annotations?.openWorldHint).toBe(false)
    }
  })

  it('gets an answer with numbers, verdicts and links, and hears of its progress', async () => {
    const told: string[] = []
    const onprogress = ({ message = '' }) => told.push(message)
    const { text, data, links } = await world.attempt('ask', { question }, { onprogress })
    const { runId, sources } = data
    expect(data).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('412 degrees Celsius [1]'),
      claims: [{ verdict: 'verbatim', citations: [1], quote: expect.stringContaining('412') }],
      missing: [],
      isShortened: false,
    })
    expect(data).not.toHaveProperty('isExtractive')
    expect(text).toContain(`[1] Glimmerstone, ${sources[0].uri}`)
    expect(text).toContain('Claims: 1 · checked 1 · supported 1 (1 verbatim)')
    expect(text).toContain(`Run ${runId} · answered`)
    expect(links).toEqual([`scholium://runs/${runId}`, sources[0].uri])
    expect(told).toEqual(
      expect.arrayContaining([`Run ${runId}`, 'Researching.', 'Writing the answer.']),
    )
    expect((await world.call('get_run', { run: runId })).data).toEqual(data)
  })

  it('reads what is cited, and has its own text checked against it', async () => {
    const { data: run } = await world.call('ask', { question: `${question} Once more.` })
    const [{ uri }] = run.sources
    const { data: read } = await world.call('read_source', { source: uri, maxChars: 100 })
    expect(read).toMatchObject({ title: 'Glimmerstone', start: 0, totalChars: 77, uri })
    const rest = await world.call('read_source', { source: uri, start: 16 })
    expect(rest.data.text).toMatch(/^Glimmerstone is a mineral/)
    const text = 'Glimmerstone is a mineral that melts at 900 degrees Celsius [1]. It sings [2].'
    const { data: check, text: told } = await world.call('verify_text', { text, run: run.runId })
    expect(check).toMatchObject({
      claims: [
        { verdict: 'altered', citations: ['1'], reason: expect.stringContaining('900') },
        { verdict: 'not_found', citations: ['2'] },
      ],
      references: [
        { label: '1', title: 'Glimmerstone', uri, reason: '' },
        { label: '2', reason: 'It is not defined in this document.' },
      ],
      failures: { references: 1, claims: 2 },
    })
    expect(told).toMatch(/^Claims: 2 · .*altered 1/)
    const { data: list } = await world.call('references', { from: run.runId, format: 'csl' })
    expect(JSON.parse(list.text)).toMatchObject([{ title: 'Glimmerstone' }])
  })

  it('opens no file because a text names it', async () => {
    world.write('private.md', '# Private\n\nThe password is swordfish.\n')
    const text = 'The password is swordfish [1].\n\n## Sources\n\n[1] Private — private.md'
    const { data } = await world.call('verify_text', { text })
    expect(data).toMatchObject({
      claims: [{ verdict: 'unavailable' }],
      references: [{ label: '1', reason: expect.stringContaining('not among the files') }],
    })
  })

  it('finds the card on which its answers are shown', async () => {
    const { tools } = await world.client.listTools()
    const uri = 'ui://scholium/answer.html'
    for (const { name, _meta } of tools)
      expect(_meta).toEqual(
        ['ask', 'papers', 'get_run'].includes(name)
          ? expect.objectContaining({ ui: { resourceUri: uri } })
          : undefined,
      )
    const { contents } = await world.client.readResource({ uri })
    expect(contents).toMatchObject([{ mimeType: 'text/html;profile=mcp-app' }])
    expect(JSON.stringify(contents)).toContain('<!doctype html>')
  })

  it('searches the files of the operator', async () => {
    const { data, links } = await world.call('search_library', { query: 'melts mineral', limit: 1 })
    expect(data.passages).toMatchObject([
      { title: 'Glimmerstone', uri: links[0], text: expect.stringContaining('412') },
    ])
    expect((await world.call('search_library', { query: 'zebras' })).data).toEqual({ passages: [] })
  })

  it('lists and reads resources, completes ids, and offers prompts', async () => {
    const { data } = await world.call('ask', { question: `${question} And again.` })
    const { client } = world
    const { resources } = await client.listResources()
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: data.uri, description: 'ask, answered' }),
    )
    const { contents } = await client.readResource({ uri: data.uri })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.any(String) }])
    expect(JSON.stringify(contents)).toContain('412 degrees Celsius [1]')
    const source = await client.readResource({ uri: data.sources[0].uri })
    expect(source.contents[0]).toMatchObject({ text: expect.stringMatching(/^# Glimmerstone\n/) })
    await expect(client.readResource({ uri: 'scholium://runs/none' })).rejects.toThrow('no run')
    const ref = { type: 'ref/resource', uri: 'scholium://runs/{id}' } as const
    const argument = { name: 'id', value: data.runId.slice(0, 12) }
    expect((await client.complete({ ref, argument })).completion.values).toContain(data.runId)
    const { prompts } = await client.listPrompts()
    for (const { name, arguments: [first] = [] } of prompts) {
      const { messages } = await client.getPrompt({
        name,
        arguments: { [first?.name ?? '']: 'glimmer?' },
      })
      expect(JSON.stringify(messages)).toContain('glimmer?')
    }
  })
})

describe('a request that cannot be done', () => {
  const world = new McpWorld()
  beforeAll(() => world.start(['--max-cost-usd', '1']))
  afterAll(() => world.close())

  it.each([
    ['ask', {}, '"question" is missing. Give "question", or "resume"'],
    ['ask', { question, web: true }, 'does not use the web. The operator can allow it'],
    ['ask', { question, continue: 'none' }, 'There is no run "none"'],
    ['get_run', { run: 'none' }, 'There is no run "none"'],
    ['references', { from: '../../etc/passwd' }, 'There is no run'],
    ['read_source', { source: '0'.repeat(64) }, 'There is no such source. Take the address'],
  ])('%s %j says why, and what to do', async (name, given, said) => {
    expect(await world.attempt(name, given)).toMatchObject({
      isError: true,
      text: expect.stringContaining(said),
    })
  })

  it.each([
    ['ask', { question, model: 'openai:gpt-5' }],
    ['ask', { question, sources: ['/etc'] }],
    ['ask', { question: 'x'.repeat(20_001) }],
    ['papers', { topic: 'minerals', mcpArxiv: 'server' }],
    ['read_source', { source: '../glimmerstone.md' }],
    ['verify_text', { text: 'x'.repeat(200_001) }],
  ])('%s with more than the operator allows is refused', async (name, given) => {
    const { isError, text } = await world.attempt(name, given)
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/invalid/i),
    })
    expect(world.model.requests).toEqual([])
  })
})
