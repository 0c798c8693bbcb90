import { afterAll, describe, expect, it } from 'vitest'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { replayRun } from '../../src/kernel/run.ts'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const sandbox = createSandbox({ limits: { wallMs: 1_500 } })
const parts = testParts(newWorld(), { sandbox })
afterAll(() => sandbox.close())

const node = (...lines: string[]) =>
  parseDocument(
    ['name: code', 'nodes:', '  - name: a', ...lines.map((line) => `    ${line}`)].join('\n'),
  )

describe('code of a file', () => {
  it('in four languages gets the state and changes it, and is not run again in a replay', async () => {
    const { result, runId, execution } = await runDocument(await loadDocument('code'), {}, parts)
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

  it('that never ends is ended, and the run goes on with a clear error', async () => {
    const document = await node('on_error: {mode: graceful}', 'run: "while True: pass"')
    const { result } = await runDocument(document, {}, parts)
    expect(result.status).toBe('answered')
    expect(result.state.error).toMatchObject({ message: expect.stringContaining('1.5 s') })
  }, 60_000)

  it('finds nothing of the node before it, nor a secret', async () => {
    const document = await parseDocument(
      [
        'name: apart',
        'secrets: {TOKEN: "$' + '{MY_TOKEN}"}',
        'nodes:',
        '  - {name: one, run: "kept = 1"}',
        "  - {name: two, run: \"return {'names': sorted(name for name in globals() if not name.startswith('__'))}\"}",
      ].join('\n'),
    )
    const environment = { MY_TOKEN: 'sk-correct-horse' }
    const { result } = await runDocument(document, {}, { ...parts, environment })
    expect(result.state).toEqual({ names: ['data', 'plot', 'state', 'variables'] })
  }, 60_000)

  it('in a branch finds its item, in a fan-in the results', async () => {
    const document = await parseDocument(
      [
        'name: branches',
        'nodes:',
        '  - name: all',
        '    type: dynamic_parallel',
        '    items: [1, 2]',
        '    steps: [{name: square, run: "return {\'square\': item * item + index}"}]',
        '    fan_in: join',
        '  - name: join',
        '    fan_in: true',
        "    run: \"return {'sum': sum(r['state']['square'] for r in parallel_results)}\"",
      ].join('\n'),
    )
    const { result } = await runDocument(document, {}, parts)
    expect(result.state).toMatchObject({ sum: 6 })
  }, 60_000)
})
