import { beforeEach, describe, expect, it } from 'vitest'
import { checkAgentInput, createAgentInput } from '../../src/agents/run/agent-input.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const node = (text: string) => parseDocument(`name: one\nnodes:\n  - {name: a, ${text}}`)

describe('a run that cannot come to its end', () => {
  it('names the node that failed and keeps the state before it', async () => {
    const { result, events } = await runDocument(await loadDocument('fails'))
    expect(result).toEqual({
      schema: 'scholium.agent/1',
      status: 'failed',
      stopReason: 'error',
      agent: 'fails',
      state: { x: 1 },
      failure: { code: 'tool_failed', message: 'no luck', retryable: false, node: 'broken' },
      gaps: [{ kind: 'error', detail: 'broken: no luck' }],
    })
    expect(events.slice(-2)).toMatchObject([
      { type: 'notice', key: 'agent/broken[1]/failed', data: { text: 'broken: no luck' } },
      { type: 'run.finished', data: { status: 'failed' } },
    ])
  })

  it('names the conditions when no way leads on', async () => {
    const { result } = await runDocument(await loadDocument('no-way'))
    expect(result).toMatchObject({
      status: 'failed',
      state: { x: 1 },
      failure: {
        code: 'invalid_graph',
        node: 'a',
        message:
          'Node "a" has no next node, because none of its conditions is true: state.x > 1; !x.',
      },
    })
  })

  it('ends at the limit of the file with what it has', async () => {
    const { result } = await runDocument(await loadDocument('endless'))
    expect(result).toMatchObject({
      status: 'partial',
      stopReason: 'limit',
      state: { n: 5 },
      failure: { code: 'limit_reached' },
    })
  })

  it('ends at a limit of the run', async () => {
    const execution = { limits: { maxSteps: 2 } }
    const { result } = await runDocument(await loadDocument('each'), {}, testParts(), execution)
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit' })
  })

  describe('among branches that do no step', () => {
    const branches = `name: slow
nodes:
  - {name: all, type: dynamic_parallel, items: "{{ range(1000) | list }}", item_var: n, fan_in: end,
     steps: [{name: one, run: {type: expression, value: n, output_key: x}}]}
  - {name: end, fan_in: true, uses: core.return, with: {value: done}, goto: __end__}`
    let nowMs: number
    let onNow: () => void
    const clock = {
      ...systemClock,
      now: () => {
        onNow()
        return nowMs++
      },
    }
    beforeEach(() => {
      nowMs = 0
      onNow = () => undefined
    })

    it('ends at a limit of time', async () => {
      const execution = { clock, limits: { maxWallMs: 500 } }
      const { result } = await runDocument(
        await parseDocument(branches),
        {},
        testParts(),
        execution,
      )
      expect(result).toMatchObject({ status: 'partial', failure: { node: 'all' } })
    })

    it('hears what comes from outside', async () => {
      let heardMs = Infinity
      onNow = () => nowMs === 300 && setImmediate(() => (heardMs = nowMs))
      await runDocument(await parseDocument(branches), {}, testParts(), { clock })
      expect(heardMs).toBeLessThan(400)
    })
  })

  it('begins no further item when one fails and it is to fail fast', async () => {
    const world = newWorld()
    const { result } = await runDocument(await loadDocument('each-fails'), {}, testParts(world))
    expect(result).toMatchObject({
      status: 'answered',
      state: { good: [true, false, false], why: expect.stringContaining('was not started') },
    })
    expect(world.read).toEqual(['item 1', 'item 2'])
  })

  it.each([
    ['uses: test.nothing, output: __proto__', 'invalid_input'],
    ['uses: state.set, with: {constructor: 1}', 'invalid_input'],
    ['uses: state.set, with: {__result: 1}', 'invalid_input'],
    ['uses: test.bug', 'internal'],
    ['uses: test.read, with: {text: "{{ state.none }}"}', 'invalid_input'],
    ['uses: state.set, with: {x: "{{ nowhere.x }}"}', 'template_failed'],
    ['run: {type: expression, value: "1 / 0"}', 'template_failed'],
    ['run: "return 1"', 'invalid_configuration'],
    ['uses: test.node, with: {node: nobody}', 'invalid_input'],
  ])('fails for {%s} with %s', async (text, code) => {
    const document = await node(text)
    const { result } = await runDocument(document)
    expect(result).toMatchObject({ status: 'failed', failure: { code, node: 'a' } })
  })

  it('does not use an action that the file switches off', async () => {
    const document = await node('uses: test.needed')
    const { result } = await runDocument({ ...document, features: { reasoning: false } })
    expect(result.failure).toMatchObject({
      code: 'invalid_agent_file',
      message: 'The action test.needed cannot be used: features.reasoning of the file disables it.',
    })
  })

  it('says that a file was begun without the file that it runs', async () => {
    const { result } = await runDocument(await loadDocument('subgraph'))
    expect(result).toMatchObject({
      status: 'failed',
      failure: { code: 'invalid_agent_file', node: 'all' },
    })
  })
})

describe('the input of a run', () => {
  it('is held against the schema of the file before anything runs', async () => {
    const document = await loadDocument('input-schema')
    const check = (input: JsonObject) =>
      checkAgentInput(document, input, new AbortController().signal)
    await expect(check({ n: 0, word: 1 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('word'),
    })
    await expect(check({})).rejects.toThrow(/n/)
    expect((await runDocument(document, { n: 3, other: true })).result.state).toEqual({
      n: 3,
      other: true,
      m: 3,
    })
  })

  it('has no key that a state cannot have', async () => {
    const document = await loadDocument('chain')
    const input = JSON.parse('{"__proto__": {"x": 1}}')
    expect(() => createAgentInput({ document, input })).toThrow(/__proto__/)
  })

  it('brings no file with the secret itself in it', async () => {
    const document = await parseDocument(
      'name: open\nsecrets: {KEY: sk-123456}\nnodes: [{name: a, run: "1"}]',
    )
    expect(() => createAgentInput({ document, input: {} })).toThrow(
      expect.objectContaining({ code: 'invalid_agent_file' }),
    )
  })

  it('wins over the initial state', async () => {
    const { result } = await runDocument(await loadDocument('while'), { n: 40 })
    expect(result.state).toMatchObject({ n: 80 })
  })

  it('a state that grows too large ends the run', async () => {
    const grow = '{a: "{{ (state.a | default([])) + [state.blob] }}", b: "{{ state.a }}"}'
    const step = `{name: s, uses: state.set, with: ${grow}}`
    const loop = `{name: w, type: while_loop, condition: "true", max_iterations: 200, body: [${step}]}`
    const document = await parseDocument(`name: grows\nnodes: [${loop}]`)
    const { result } = await runDocument(document, { blob: 'x'.repeat(900_000) })
    expect(result.failure).toMatchObject({
      code: 'invalid_input',
      message: 'The state has more than 128 million characters.',
    })
  })
})
