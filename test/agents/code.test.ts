import { afterAll, describe, expect, it } from 'vitest'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { replayRun } from '../../src/kernel/run/run.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { withOneSession } from './one-session.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const sandbox = createSandbox({ limits: { wallMs: 4_000 } })
const fresh = testParts(newWorld(), { sandbox })
const parts = testParts(newWorld(), { sandbox: withOneSession(sandbox) })
afterAll(() => sandbox.close())

const node = (...lines: string[]) =>
  parseDocument(
    ['name: code', 'nodes:', '  - name: a', ...lines.map((line) => `    ${line}`)].join('\n'),
  )

describe('code of a file', () => {
  it('in four languages gets the state and changes it, and is not run again in a replay', async () => {
    const { result, runId, execution } = await runDocument(await loadDocument('code'), {}, fresh)
    expect(result).toMatchObject({
      status: 'answered',
      state: { n: 3, python: 12, lua: 6, prolog: 30, javascript: 48, list: [48] },
    })
    const without = agentWorkflow(testParts())
    const replay = await replayRun(without, runId, execution)
    expect(replay.result).toEqual(replay.recorded)
  }, 60_000)

  it('that fails names its node, language and line', async () => {
    const { result } = await runDocument(await loadDocument('code-fails'), {}, parts)
    expect(result).toMatchObject({
      status: 'failed',
      failure: {
        code: 'tool_failed',
        node: 'broken',
        message: "Python, line 2: NameError: name 'missing' is not defined",
        details: { language: 'python', line: 2, type: 'NameError' },
      },
    })
  }, 60_000)

  it('finds nothing of the node before it, nor a secret', async () => {
    const document = await parseDocument(
      [
        'name: apart',
        'secrets: {TOKEN: "$' + '{MY_TOKEN}"}',
        'nodes:',
        '  - {name: one, run: "_kept = 1"}',
        "  - {name: two, run: \"return {'names': sorted(name for name in globals() if not name.startswith('__'))}\"}",
      ].join('\n'),
    )
    const secrets = { MY_TOKEN: 'sk-correct-horse' }
    const { result } = await runDocument(document, {}, { ...fresh, secrets })
    expect(result.state).toEqual({ names: ['data', 'datetime', 'json', 'state', 'variables'] })
  }, 60_000)

  it('stands in a parameter, too, on a state of its own', async () => {
    const { result } = await runDocument(await loadDocument('code-in-action'), {}, parts)
    expect(result.state.rounds).toEqual([10, 20])
  }, 60_000)

  it('without a return gives the variables it made', async () => {
    const { result } = await runDocument(await loadDocument('code-variables'), {}, parts)
    expect(result.state).toEqual({ n: 2, total: 6, pair: [1, 2] })
  }, 60_000)

  it('keeps what it assigns to the state, and finds json without an import', async () => {
    const { result } = await runDocument(await loadDocument('code-assigns'), { seen: ['a'] }, parts)
    expect(result.state).toEqual({
      seen: ['a', 'b'],
      computed: 'yes',
      text: '["a"]',
      gave: 1,
      quality: 0.5,
      feedback: 'fine',
      whole: { other: 2 },
    })
  }, 60_000)

  it('gives whole numbers beyond 2^53 as their digits, in all languages', async () => {
    const document = await parseDocument(
      [
        'name: large',
        'nodes:',
        "  - {name: p, run: \"return {'p': [2**70, -2**53, 2**53 - 1], 'q': chr(0xd800) + 'é'}\"}",
        '  - {name: j, language: javascript, run: "return {j: [2n ** 70n, 1]}"}',
        '  - {name: l, language: lua, run: "return {l = math.maxinteger}"}',
        '  - {name: r, language: prolog, run: "X is 2 ** 70, return(r, X)."}',
      ].join('\n'),
    )
    const { result } = await runDocument(document, {}, parts)
    const digits = String(2n ** 70n)
    expect(result.state).toEqual({
      p: [digits, String(-(2n ** 53n)), 2 ** 53 - 1],
      q: '\\ud800é',
      j: [digits, 1],
      l: String(2n ** 63n - 1n),
      r: digits,
    })
  }, 60_000)

  it('says what of it a state cannot hold', async () => {
    const document = await node('run: "return {\'when\': {1, 2}}"')
    const { result } = await runDocument(document, {}, parts)
    expect(result.failure?.message).toContain("the result['when'] is a set")
    const lines = ['language: javascript', 'run: "const a = {}; a.a = a; return a"']
    const circular = await runDocument(await node(...lines), {}, parts)
    expect(circular.result.failure?.message).toContain('holds itself')
    const endless = await node("run: \"return {'x': [1, float('nan')]}\"")
    const other = await runDocument(endless, {}, parts)
    expect(other.result.failure?.message).toBe(
      "Python: the result['x'][1] is nan, which a state cannot hold",
    )
  }, 60_000)

  it.each([
    ['javascript', 'return {x: [1, NaN]}', "JavaScript: the result['x'][1] is NaN"],
    ['javascript', 'return {x: -Infinity}', "JavaScript: the result['x'] is -Infinity"],
    ['javascript', 'return {m: new Map([[1, 2]])}', "JavaScript: the result['m'] is a Map"],
    ['javascript', 'return [new Set([1])]', 'JavaScript: the result[0] is a Set'],
    ['javascript', 'return {f: () => 1}', "JavaScript: the result['f'] is a function"],
    ['javascript', '({e: new TypeError("x")})', "JavaScript: the result['e'] is an Error"],
    ['lua', 'return {f = print}', "Lua: the result['f'] is a function"],
    ['lua', 'return {1, {2, 1 / 0}}', 'Lua: the result[2][2] is inf'],
    ['lua', 'return {[{}] = 1}', 'Lua: a key of the result is a table'],
    ['python', 'return {"f": print}', "Python: the result['f'] is a builtin_function_or_method"],
  ])(
    'refuses what is none of JSON, in %s: %s',
    async (language, code, message) => {
      const document = await node(`language: ${language}`, `run: ${JSON.stringify(code)}`)
      const { result } = await runDocument(document, {}, parts)
      expect(result.failure?.message).toBe(`${message}, which a state cannot hold`)
    },
    60_000,
  )

  it('takes what JavaScript and Lua write as JSON themselves', async () => {
    const document = await parseDocument(
      [
        'name: plain',
        'nodes:',
        '  - {name: j, language: javascript, run: "class P { n = 1 }; return {d: new Date(0), p: new P(), u: undefined}"}',
        '  - {name: l, language: lua, run: "return {t = {[true] = 1}}"}',
      ].join('\n'),
    )
    const { result } = await runDocument(document, {}, parts)
    const state = { d: '1970-01-01T00:00:00.000Z', p: { n: 1 }, t: { true: 1 } }
    expect(result.state).toEqual(state)
  }, 60_000)

  it('finds parallel_results as they are where they are none of branches', async () => {
    const document = await node(
      "run: \"return {'got': [parallel_results, state['parallel_results']]}\"",
    )
    const { result } = await runDocument(document, { parallel_results: 5 }, parts)
    expect(result).toMatchObject({ state: { got: [5, 5] } })
  }, 60_000)

  it('reads results of branches that an output holds, where an edge leads on from them', async () => {
    const document = await loadDocument('each-output')
    const { result } = await runDocument(document, { most: 2 }, parts)
    expect(result.state.seen).toEqual([
      [0, 'one', 3],
      [1, 'two!', 4],
    ])
  }, 60_000)

  it('in a branch finds its item, in a fan-in the results', async () => {
    const document = await loadDocument('code-branches')
    const { result } = await runDocument(document, {}, parts)
    expect(result.state).toMatchObject({ sum: 6, again: [1, 5], lua: 6, attributes: [true, true] })
  }, 60_000)

  // Last, since it ends its interpreter.
  it('that never ends is ended, and the run continues with a clear error', async () => {
    const document = await node('on_error: {mode: graceful}', 'run: "while True: pass"')
    const { result } = await runDocument(document, {}, parts)
    expect(result.status).toBe('answered')
    expect(result.state.error).toMatchObject({ message: expect.stringContaining('4 s') })
  }, 60_000)
})
