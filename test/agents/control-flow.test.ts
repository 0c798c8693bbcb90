import { describe, expect, it } from 'vitest'
import { loadSubgraphs } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { replayRun } from '../../src/kernel/run/run.ts'
import { loadDocument, runDocument, testParts } from './run-document.ts'

const environment = { PLACE: 'Bern' }

/** The last state of a document that comes to its end. */
async function stateOf(name: string, input: JsonObject = {}): Promise<JsonObject> {
  const parts = testParts()
  const document = await loadDocument(name)
  const more = { environment }
  const { result, runId, execution } = await runDocument(document, input, parts, {}, more)
  expect(result).toMatchObject({ schema: 'scholium.agent/1', status: 'answered', agent: name })
  const replay = await replayRun(agentWorkflow(parts), runId, execution)
  expect(replay).toMatchObject({ result, recorded: result, unclaimed: [] })
  return result.state
}

describe('a document', () => {
  it('runs to its end, a step and a node an event each', async () => {
    const { result, events } = await runDocument(await loadDocument('three-nodes'), { n: 5 })
    expect(result).toEqual({
      schema: 'scholium.agent/1',
      status: 'answered',
      stopReason: 'finished',
      agent: 'three-nodes',
      gaps: [],
      state: { n: 5, twice: 10, text: 'Hello, 10', raw: 10, heard: 'HELLO, 10', length: 9 },
    })
    expect(events.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'run.started ',
      'node.done agent/double[1]',
      'node.done agent/greet[1]',
      'step.done agent/read[1]/test.read/call',
      'node.done agent/read[1]',
      'run.finished ',
    ])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['chain', {}, { a: 1, b: 2, c: [1, 2] }],
    ['edges-when', { n: 1, flag: 'yes' }, { seen: true, way: 'bare' }],
    ['edges-when', { n: 1, flag: 'no' }, { way: 'negated' }],
    ['edges-when', { n: 11, flag: true }, { way: 'large' }],
    ['edges-condition', { n: 4 }, { x: 4, kind: 'even' }],
    ['edges-condition', { n: 5 }, { kind: 'odd' }],
    ['goto', { score: 0.9 }, { grade: 'good' }],
    ['goto', { score: 0.5 }, { grade: 'fair' }],
    ['goto', { score: 0 }, { grade: 'poor' }],
    ['goto-result', { text: 'four' }, { size: 'long', ignored: 1 }],
    ['goto-result', { text: 'a' }, { size: 'short' }],
    ['switch', { color: 'red' }, { picked: 'red', does: 'stops' }],
    ['switch', { color: 'blue' }, { does: 'waits' }],
    ['switch', { color: 'constructor' }, { does: 'waits' }],
    ['parallel-some', { n: 2 }, { who: ['a', 'b'] }],
    ['parallel-some', { n: 1 }, { who: ['a'] }],
    ['parallel-some', { n: 0 }, { who: [] }],
    ['steps', {}, { a: 2, b: 20, sum: 22, seen: 22 }],
    ['while', {}, { n: 64, last: { text: '64!', length: 3 } }],
    ['while', { n: 99 }, { n: 99 }],
    ['while-most', {}, { n: 3 }],
    ['each', {}, { texts: ['one-0/one', 'two-1/two', 'three-2/three'], kept: 3 }],
    ['each', { words: [] }, { texts: [], kept: 0 }],
    ['each-action', { first: 'a' }, { heard: ['a', 'b', 'c'] }],
    ['old-form', {}, { x: 4, heard: '44' }],
    ['fallback', {}, { why: 'broken', where: 'risky', last: true }],
    ['graceful', {}, { code: 'tool_failed' }],
    ['soft-failure', {}, { said: 'not today' }],
    ['loop-back', {}, { n: 3, more: false }],
    [
      'late',
      { word: 'ab' },
      {
        texts: ['1 of ab', '2 of ab'],
        heard: [
          { text: 'xab', length: 3 },
          { text: 'yab', length: 3 },
        ],
        shouted: 'abab',
      },
    ],
    ['taint', {}, { before: false, after: true }],
    ['start-rules', { text: 'a longer one' }, { began: 'long' }],
    ['start-rules', { text: 'short' }, { began: 'short' }],
    ['nested-parallel', {}, { found: ['plain', 'one 2 and two 2'], n: 1 }],
    ['taint-failure', {}, { before: false, after: true }],
    ['alike-names', {}, { a: 1, ways: 1 }],
  ])('%s with %j', async (name, input, expected) => {
    expect(await stateOf(name, input)).toMatchObject(expected)
  })

  it('gives an action a text where it wants one, whatever its template gives', async () => {
    const { number, truth, map } = await stateOf('texts')
    expect([number, truth, map]).toEqual(['5', 'True', '{"a":[1,"b"]}'])
  })

  it('fills in templates of all kinds', async () => {
    const { list: _list, text: _text, ...state } = await stateOf('templates')
    expect(state).toEqual({
      native: [3, 1, 2],
      missing: null,
      fallback: 'none',
      loop: '3+1+2',
      sorted: [1, 2, 3],
      split: ['a', 'b', 'c'],
      slice: [1, 2],
      json: '{"a":1,"b":2}',
      inline: 'many',
      named: 'Bern',
      otherwise: 'here',
      env: 'Bern',
      model: 'm-km',
      deep: { inside: [3] },
    })
  })

  it('reads all conditions by one rule, and says which one cannot be read', async () => {
    const { result, events } = await runDocument(await loadDocument('conditions'))
    const ran = Object.keys(result.state).filter((key) => key.startsWith('ran_'))
    expect(ran).toEqual(['ran_yes', 'ran_true'])
    const notices = events.filter((event) => event.type === 'notice')
    expect(notices).toMatchObject([
      { key: 'agent/broken[1]/condition', data: { level: 'warning' } },
    ])
  })

  it('keeps results by each form of output', async () => {
    expect(await stateOf('outputs')).toEqual({
      whole: { text: 'abc', length: 3 },
      size: 4,
      as: 'len 4',
      name: 'abcd',
      text: 'merged',
      length: 6,
      seven: 7,
      result: '',
    })
  })

  it('isolates parallel branches, which meet in parallel_results', async () => {
    const state = await stateOf('parallel')
    expect(state).toMatchObject({
      shared: 'before',
      n: 3,
      ways: ['left', 'middle', 'broken'],
      good: 2,
      texts: ['left', 'middle!', 'before'],
      error: 'no such thing',
    })
    expect(state).not.toHaveProperty('own')
    expect(state.parallel_results).toMatchObject([
      { branch: 'left', success: true, state: { own: 4 }, error: null, timing_ms: 0 },
      { branch: 'middle', success: true },
      {
        branch: 'broken',
        success: false,
        error_type: 'tool_failed',
        failure: { code: 'tool_failed' },
      },
    ])
  })

  it('keeps no results of branches inside of results, and nothing of the runner itself', async () => {
    const { parallel_results: results } = await stateOf('nested-parallel')
    for (const { state } of results as readonly { readonly state: JsonObject }[])
      expect(state).not.toHaveProperty('parallel_results')
    const tainted = await stateOf('taint')
    expect(JSON.stringify(tainted)).not.toContain('__')
  })

  it('ends with what core.return gives', async () => {
    const { result } = await runDocument(await loadDocument('return'))
    expect(result).toMatchObject({ status: 'answered', output: { answer: 4 }, state: { x: 4 } })
  })

  it('tries again after waits that grow', async () => {
    const { result, events } = await runDocument(await loadDocument('retry'))
    expect(result).toMatchObject({ status: 'answered', state: { after: 2, done: true } })
    const waits = events.flatMap(({ key, data }) =>
      key.includes('/wait') && 'input' in data ? [data.input] : [],
    )
    expect(waits).toEqual([{ delayMs: 2_000 }, { delayMs: 6_000 }])
  })

  it('that runs itself ends', async () => {
    const document = await loadDocument('runs-itself')
    const files = { 'runs-itself.yaml': document }
    const { result } = await runDocument(document, {}, testParts(), {}, { subgraphs: files })
    expect(result.status).toBe('answered')
    expect(JSON.stringify(result.state)).toContain('Agent files are nested 8 deep')
  })

  it('runs another file for each item', async () => {
    const document = await loadDocument('subgraph')
    const files = await loadSubgraphs(document, (path) => loadDocument(path.replace('.yaml', '')))
    const { result } = await runDocument(document, {}, testParts(), {}, { subgraphs: files })
    expect(result).toMatchObject({ status: 'answered', state: { products: [10, 20, 30] } })
  })
})
