import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTemplates } from '../templates/templates.ts'
import type { AgentNode } from './agent-document.ts'
import type { DocumentChecks, KnownAction } from './checks.ts'
import { formatProblem } from './problem.ts'
import { readAgentDocument } from './read-document.ts'

const known: readonly KnownAction[] = [
  {
    name: 'reason.cot',
    needs: 'reasoning',
    params: z.strictObject({
      problem: z.string(),
      model: z.string().optional(),
      temperature: z.number().optional(),
      examples: z.array(z.strictObject({ q: z.string() })).optional(),
    }),
  },
  { name: 'state.set', params: z.looseObject({}) },
  { name: 'core.switch', params: z.looseObject({}) },
  { name: 'core.return', params: z.looseObject({}) },
  {
    name: 'reflection.loop',
    params: z.looseObject({}),
    lateParams: ['prompt'],
  },
]

const checks: DocumentChecks = {
  actions: new Map(known.map((action) => [action.name, action])),
  refused: new Map([['reason.dspy.cot', 'DSPy, a Python library']]),
  templates: await createTemplates(),
}

const read = (text: string, isStrict = false) =>
  readAgentDocument(text, { path: 'a.yaml', checks, isStrict })

async function documentOf(text: string) {
  const outcome = await read(text)
  if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
  return outcome.document
}

async function nodesOf(text: string): Promise<Readonly<Record<string, AgentNode>>> {
  const { nodes } = await documentOf(text)
  return Object.fromEntries(nodes.map((node) => [node.name, node]))
}

const found = async (text: string) =>
  (await read(text)).problems.map(({ code, line, path }) => `${code} ${line} ${path.join('.')}`)

/** A document with these nodes, the first one in line 3. */
const withNodes = (...lines: string[]) => ['name: a', 'nodes:', ...lines].join('\n')
const nop = '  - {name: z, run: "return {}"}'

describe('a problem of an agent file', () => {
  it.each([
    ['MISSING_FIELD 1 name', 'nodes:\n  - {name: a, run: "return {}"}'],
    ['MISSING_FIELD 1 nodes', 'name: a'],
    ['INVALID_TYPE 1 ', '- a'],
    ['UNKNOWN_KEY 4 naem', `${withNodes(nop)}\nnaem: 1`],
    ['UNKNOWN_KEY 3 nodes.0.usess', withNodes('  - {name: b, usess: state.set}')],
    [
      'UNKNOWN_KEY 3 nodes.0.on_error.mod',
      withNodes('  - {name: b, run: x, on_error: {mod: raise}}'),
    ],
    ['UNKNOWN_KEY 4 settings.llm.modle', `${withNodes(nop)}\nsettings: {llm: {modle: x}}`],
    ['UNKNOWN_KEY 4 settings.agnets', `${withNodes(nop)}\nsettings: {agnets: {}}`],
    ['INVALID_TYPE 3 nodes.0.name', withNodes('  - {name: 1, run: x}')],
    ['INVALID_TYPE 3 nodes.0.name', withNodes('  - {name: __end__, run: x}')],
    ['INVALID_TYPE 3 nodes.0.type', withNodes('  - {name: b, type: loop}')],
    ['INVALID_TYPE 3 nodes.0.goto', withNodes('  - {name: b, run: x, goto: 7}')],
    [
      'INVALID_TYPE 3 nodes.0.retry.max_retries',
      withNodes('  - {name: b, run: x, retry: {max_retries: x}}'),
    ],
    ['CONFLICTING_KEYS 3 nodes.0.action', withNodes('  - {name: b, uses: a, action: b}')],
    ['CONFLICTING_KEYS 3 nodes.0.script', withNodes('  - {name: b, run: a, script: b}')],
    [
      'CONFLICTING_KEYS 3 nodes.0.params',
      withNodes('  - {name: b, uses: state.set, with: {}, params: {}}'),
    ],
    [
      'CONFLICTING_KEYS 3 nodes.0.inputs',
      withNodes('  - {name: b, uses: state.set, with: {}, inputs: {}}'),
    ],
    ['INVALID_TYPE 3 nodes.0.interrupt', withNodes('  - {name: b, run: x, interrupt: always}')],
    [
      'CONFLICTING_KEYS 3 nodes.0.steps.0.outputs',
      withNodes('  - {name: b, steps: [{run: x, output: y, outputs: z}]}'),
    ],
    [
      'NOT_SUPPORTED 3 nodes.0.subgraph',
      withNodes(
        '  - {name: b, type: dynamic_parallel, items: [1], fan_in: b, subgraph: "s3://b/c.yaml"}',
      ),
    ],
    [
      'NOT_SUPPORTED 3 nodes.0.subgraph',
      withNodes(
        '  - {name: b, type: dynamic_parallel, items: [1], fan_in: b, subgraph: "{{ state.f }}"}',
      ),
    ],
    [
      'CONFLICTING_KEYS 4 edges.0',
      `${withNodes(nop)}\nedges: [{from: z, to: __end__, when: x, condition: y}]`,
    ],
    ['DUPLICATE_NODE 4 nodes.1.name', withNodes(nop, nop)],
    ['GOTO_UNDEFINED 3 nodes.0.goto', withNodes('  - {name: b, run: x, goto: c}')],
    ['GOTO_UNDEFINED 3 nodes.0.next.0.to', withNodes('  - {name: b, run: x, next: [{to: c}]}')],
    ['FALLBACK_UNDEFINED 3 nodes.0.fallback', withNodes('  - {name: b, run: x, fallback: c}')],
    [
      'INTERRUPT_UNDEFINED 4 config.interrupt_before.0',
      `${withNodes(nop)}\nconfig: {interrupt_before: [y]}`,
    ],
    ['EDGE_FROM_UNDEFINED 4 edges.0.from', `${withNodes(nop)}\nedges: [{from: y, to: z}]`],
    ['EDGE_TO_UNDEFINED 4 edges.0.to', `${withNodes(nop)}\nedges: [{from: z, to: y}]`],
    [
      'PARALLEL_FAN_IN_UNDEFINED 4 edges.0',
      `${withNodes(nop)}\nedges: [{from: __start__, to: z, type: parallel}]`,
    ],
    [
      'PARALLEL_FAN_IN_UNDEFINED 4 edges.0.fan_in',
      `${withNodes(nop)}\nedges: [{from: __start__, to: z, parallel: true, fan_in: y}]`,
    ],
    ['NOT_SUPPORTED 3 nodes.0.streams', withNodes('  - {name: b, run: x, streams: {stdout: s}}')],
    [
      'NOT_SUPPORTED 4 settings.error_handling',
      `${withNodes(nop)}\nsettings: {error_handling: {mode: retry}}`,
    ],
    [
      'UNREACHABLE_RULE 3 nodes.0.goto.0',
      withNodes('  - {name: b, run: x, goto: [{to: b}, {if: x, to: __end__}]}'),
    ],
    [
      'DYN_PARALLEL_MISSING_ITEMS 3 nodes.0.items',
      withNodes('  - {name: b, type: dynamic_parallel, fan_in: z, action: {uses: state.set}}', nop),
    ],
    [
      'DYN_PARALLEL_MISSING_FAN_IN 3 nodes.0',
      withNodes('  - {name: b, type: dynamic_parallel, items: [1], action: {uses: state.set}}'),
    ],
    [
      'DYN_PARALLEL_FAN_IN_UNDEFINED 3 nodes.0.fan_in',
      withNodes(
        '  - {name: b, type: dynamic_parallel, items: [1], fan_in: y, action: {uses: state.set}}',
      ),
    ],
    [
      'DYN_PARALLEL_MODE 3 nodes.0',
      withNodes('  - {name: b, type: dynamic_parallel, items: [1], fan_in: z}', nop),
    ],
    [
      'DYN_PARALLEL_MODE 3 nodes.0',
      withNodes(
        '  - {name: b, type: dynamic_parallel, items: [1], fan_in: z, steps: [{run: x}], subgraph: b.yaml}',
        nop,
      ),
    ],
    [
      'WHILE_LOOP_MISSING_CONDITION 3 nodes.0.condition',
      withNodes('  - {name: b, type: while_loop, max_iterations: 1, body: [{run: x}]}'),
    ],
    [
      'WHILE_LOOP_MAX_ITERATIONS 3 nodes.0.max_iterations',
      withNodes('  - {name: b, type: while_loop, condition: x, body: [{run: x}]}'),
    ],
    [
      'WHILE_LOOP_MAX_ITERATIONS 3 nodes.0.max_iterations',
      withNodes(
        '  - {name: b, type: while_loop, condition: x, max_iterations: 1001, body: [{run: x}]}',
      ),
    ],
    [
      'WHILE_LOOP_MISSING_BODY 3 nodes.0.body',
      withNodes('  - {name: b, type: while_loop, condition: x, max_iterations: 1}'),
    ],
    [
      'WHILE_LOOP_NESTED 3 nodes.0.body.0',
      withNodes(
        '  - {name: b, type: while_loop, condition: x, max_iterations: 1, body: [{type: while_loop}]}',
      ),
    ],
    [
      'INVALID_CONDITION 3 nodes.0.condition',
      withNodes('  - {name: b, run: x, condition: "state.x <"}'),
    ],
    [
      'INVALID_CONDITION 4 edges.0.when',
      `${withNodes(nop)}\nedges: [{from: z, to: __end__, when: "state.x ="}]`,
    ],
    [
      'INVALID_TEMPLATE 3 nodes.0.with.x',
      withNodes('  - {name: b, uses: state.set, with: {x: "{{ state.x"}}'),
    ],
    ['UNKNOWN_ACTION 3 nodes.0.uses', withNodes('  - {name: b, uses: reason.cto}')],
    ['UNKNOWN_ACTION 3 nodes.0.uses', withNodes('  - {name: b, uses: reason.dspy.cot}')],
    [
      'UNKNOWN_ACTION 3 nodes.0.with.executor.action',
      withNodes('  - {name: b, uses: state.set, with: {executor: {action: nope.x, with: {}}}}'),
    ],
    ['INVALID_PARAMS 3 nodes.0.with.problem', withNodes('  - {name: b, uses: reason.cot}')],
    [
      'INVALID_PARAMS 3 nodes.0.params.problm',
      withNodes('  - {name: b, action: reason.cot, params: {problem: x, problm: y}}'),
    ],
    [
      'INVALID_PARAMS 3 nodes.0.with.examples.0.q',
      withNodes('  - {name: b, uses: reason.cot, with: {problem: x, examples: [{q: 1}]}}'),
    ],
    ['NO_END 3 nodes', withNodes('  - {name: b, run: x, goto: b}')],
  ])('is found: %s', async (problem, text) => {
    const outcome = await read(text)
    expect(outcome.ok).toBe(false)
    expect(await found(text)).toContain(problem)
  })

  it.each([
    ['IGNORED_KEY 4 semantic_probes', `${withNodes(nop)}\nsemantic_probes: [{for_each: entity}]`],
    [
      'IGNORED_KEY 4 extraction_schema.entity_types',
      `${withNodes(nop)}\nextraction_schema: {entity_types: [Person]}`,
    ],
    [
      'IGNORED_KEY 4 edges.0.parallel_strategy',
      `${withNodes(nop)}\nedges: [{from: z, to: __end__, parallel_strategy: remote}]`,
    ],
    ['IGNORED_KEY 3 nodes.0.prompt', withNodes('  - {name: b, run: "return {}", prompt: Hello}')],
    [
      'IGNORED_KEY 4 settings.parallel.streams',
      `${withNodes(nop)}\nsettings: {parallel: {streams: {}}}`,
    ],
    ['IGNORED_KEY 4 endpoint', `${withNodes(nop)}\nendpoint: {path: /a}`],
    ['IGNORED_KEY 4 settings.other', `${withNodes(nop)}\nsettings: {other: 1}`],
    [
      'IGNORED_KEY 4 edges.0.stream_mode',
      `${withNodes(nop)}\nedges: [{from: z, to: __end__, stream_mode: x}]`,
    ],
    ['SECRET_IN_FILE 4 secrets.key', `${withNodes(nop)}\nsecrets: {key: abc}`],
    ['EMPTY_NODE 3 nodes.0', withNodes('  - {name: b}', nop)],
    [
      'UNREFERENCED_NODE 4 nodes.1',
      withNodes('  - {name: b, run: "return {}", goto: __end__}', nop),
    ],
    [
      'UNREACHABLE 4 nodes.1',
      withNodes(
        '  - {name: b, run: "return {}", goto: __end__}',
        '  - {name: c, run: "return {}", goto: c}',
      ),
    ],
    [
      'IMPLICIT_CHAIN 3 nodes.0',
      `${withNodes('  - {name: b, run: "return {}"}', nop)}\nedges: [{from: z, to: __end__}]`,
    ],
    [
      'UNREACHABLE_RULE 4 edges.1',
      `${withNodes(nop)}\nedges: [{from: z, to: __end__}, {from: z, to: z}]`,
    ],
    ['DEAD_STATE_KEY 4 state_schema.gone', `${withNodes(nop)}\nstate_schema: {gone: str}`],
    ['DEAD_STATE_KEY 4 initial_state.gone', `${withNodes(nop)}\ninitial_state: {gone: 1}`],
    [
      'DEAD_STATE_KEY 3 nodes.0.with.x',
      `${withNodes('  - {name: b, uses: state.set, with: {x: "{{ state.qq }}"}}')}\nstate_schema: {x: str}`,
    ],
    [
      'INVALID_TEMPLATE 3 nodes.0.with.x',
      withNodes('  - {name: b, uses: state.set, with: {x: "{{ stat.q }}"}}'),
    ],
  ])('is a warning: %s; strict, it is an error', async (problem, text) => {
    expect(await read(text)).toMatchObject({ ok: true })
    expect(await found(text)).toContain(problem)
    expect(await read(text, true)).toMatchObject({ ok: false, problems: [{ severity: 'error' }] })
  })

  it('says what to do, in one line with its place', async () => {
    const { problems } = await read(withNodes('  - {name: fetch, run: "return {}", goto: fetsh}'))
    expect(problems.map(formatProblem)).toContain(
      'a.yaml:3:43: error GOTO_UNDEFINED: goto of "fetch" leads to "fetsh", which is not a node (Did you mean "fetch"?)',
    )
  })

  it('does not hide another', async () => {
    const text = `${withNodes('  - {name: b, uses: nope.x, goto: c}', '  - {name: d, run: 1}')}\nnaem: 1`
    const codes = (await read(text)).problems.map(({ code }) => code)
    expect(codes).toEqual(['UNKNOWN_ACTION', 'GOTO_UNDEFINED', 'INVALID_TYPE', 'UNKNOWN_KEY'])
  })

  it('is not seen in parameters that are templates', async () => {
    const text = withNodes(
      '  - {name: b, uses: reason.cot, with: {problem: "{{ state.q }}", temperature: "{{ state.t }}", examples: "{{ state.e }}"}}',
      '  - {name: c, uses: reflection.loop, with: {prompt: "{{ output }}"}}',
    )
    expect(await found(text)).toEqual([])
  })

  it('is an action that the file switches off', async () => {
    const text = `${withNodes('  - {name: b, uses: reason.cot, with: {problem: x}}')}\nfeatures: {reasoning: false}`
    expect(await found(text)).toEqual(['UNKNOWN_ACTION 3 nodes.0.uses'])
  })

  it('is counted when there are too many to show', async () => {
    const nodes = Array.from({ length: 2_000 }, (_, index) => `  - {name: n${index}, uses: nope.x}`)
    const { problems } = await read(withNodes(...nodes))
    expect(problems).toHaveLength(201)
    expect(problems.at(-1)).toMatchObject({ code: 'TOO_MANY', severity: 'error' })
    expect(problems.at(-1)?.message).toBe('1800 more problems follow')
  })
})

describe('a document', () => {
  it('is the same in both syntaxes', async () => {
    const one = await nodesOf(
      withNodes(
        '  - {name: b, uses: reason.cot, with: {problem: p}, output: {x: "{{ result.answer }}"}}',
      ),
    )
    const other = await nodesOf(
      withNodes('  - {name: b, action: reason.cot, params: {problem: p}, outputs: {x: answer}}'),
    )
    const { paramsPath: _one, place: _place, ...rest } = one.b as AgentNode & { kind: 'action' }
    expect(rest).toMatchObject({ kind: 'action', action: 'reason.cot', params: { problem: 'p' } })
    expect(other.b).toMatchObject(rest)
  })

  it('has its values, with settings.llm over llm and secrets by name', async () => {
    const document = await documentOf(
      `${withNodes(nop)}\nversion: 2\ninitial_state: {n: 1}\nllm: {model: a, temperature: 1}\nsettings: {llm: {model: b}, agents: {ed: {model: c}}}\nsecrets: [MY_KEY]\nconfig: {max_steps: 7, interrupt_after: [z]}`,
    )
    expect(document).toMatchObject({
      name: 'a',
      version: '2',
      initialState: { n: 1 },
      settings: { llm: { model: 'b', temperature: 1 }, agents: { ed: { model: 'c' } } },
      secrets: { MY_KEY: `\${MY_KEY}` },
      maxSteps: 7,
      interruptAfter: ['z'],
      file: 'a.yaml',
    })
  })

  it('has one form for work of one thing', async () => {
    const nodes = await nodesOf(
      withNodes(
        '  - {name: code, run: "-- lua\\nreturn {}", retry: 2, cache: {ttl: 60}, condition: "!done"}',
        '  - {name: sum, run: {type: expression, value: 1 + 1, output_key: n}}',
        '  - {name: all, fan_in: true, on_error: {mode: retry, fallback: __end__}}',
      ),
    )
    expect(nodes).toMatchObject({
      code: {
        kind: 'code',
        language: 'lua',
        condition: { text: '!done' },
        onError: { retries: 2, delayMs: 1_000 },
        cache: { ttlSeconds: 60 },
      },
      sum: { kind: 'expression', expression: '1 + 1', outputKey: 'n' },
      all: {
        kind: 'steps',
        steps: [],
        isFanIn: true,
        onError: { retries: 3, fallback: '__end__' },
      },
    })
  })

  it('has one form for steps and loops', async () => {
    const { rows, loop } = await nodesOf(
      withNodes(
        '  - {name: rows, steps: [{run: {type: prolog, code: "a."}}, {name: s, uses: state.set, output: k}]}',
        `  - {name: loop, type: while_loop, condition: state.n < 3, max_iterations: 5, body: [{run: "return {'n': 3}"}]}`,
      ),
    )
    expect(rows).toMatchObject({
      kind: 'steps',
      steps: [
        { kind: 'code', language: 'prolog', name: 'step_1', output: { kind: 'merge' } },
        { name: 's', output: { kind: 'key', key: 'k' }, path: ['nodes', '0', 'steps', '1'] },
      ],
    })
    expect(loop).toMatchObject({
      kind: 'while',
      loopCondition: { text: 'state.n < 3', isNegated: false },
      maxIterations: 5,
      body: [{ kind: 'code', language: 'python' }],
    })
    expect(loop).not.toHaveProperty('condition')
  })

  it('takes values of aliases from keys that begin with x-, and tells of what is wrong there once', async () => {
    const text = 'name: a\nx-set: &set {uses: state.sett, with: {x: 1}}\nnodes:'
    const wrong = `${text}\n  - {name: a, <<: *set}\n  - {name: b, with: {x: &t "{{ 1 +"}, uses: state.set}\n  - {name: c, with: {x: *t}, uses: state.set}`
    expect(await found(wrong)).toEqual([
      'UNKNOWN_ACTION 2 nodes.0.uses',
      'INVALID_TEMPLATE 5 nodes.2.with.x',
    ])
    const { a } = await nodesOf(`${text.replace('sett', 'set')}\n  - {name: a, <<: *set}`)
    expect(a).toMatchObject({ action: 'state.set', params: { x: 1 } })
  })

  it('does an action and then the code next to it', async () => {
    const { a } = await nodesOf(
      withNodes('  - {name: a, uses: state.set, with: {x: 1}, output: r, run: "return {}"}'),
    )
    expect(a).toMatchObject({
      kind: 'steps',
      steps: [
        { kind: 'action', action: 'state.set', output: { kind: 'key', key: 'r' } },
        { kind: 'code', output: { kind: 'merge' } },
      ],
    })
  })

  it('has one list of the nodes that it waits at', async () => {
    const nodes = withNodes(
      '  - {name: a, run: x, interrupt: after}',
      '  - {name: b, run: x, interrupt: before}',
    )
    const { interruptAfter, interruptBefore } = await documentOf(
      `${nodes}\nconfig: {interrupt_after: [b, a]}`,
    )
    expect([interruptBefore, interruptAfter]).toEqual([['b'], ['b', 'a']])
  })

  it('lets branches over a list continue by an edge where an output takes their results', async () => {
    const branches =
      'type: dynamic_parallel, items: [1], output: ys, parallel_config: {max_concurrency: 3, fail_fast: true}'
    const { each } = await nodesOf(
      `${withNodes(`  - {name: each, ${branches}, steps: [{run: x}]}`, nop, '  - {name: y, run: x}')}\nedges: [{from: each, to: y}]`,
    )
    expect(each).toMatchObject({
      maxConcurrency: 3,
      isFailFast: true,
      route: { kind: 'to', target: 'y' },
    })
  })

  it('has one form for branches over a list', async () => {
    const { each, sub } = await nodesOf(
      withNodes(
        '  - {name: each, type: dynamic_parallel, items: "{{ state.xs }}", item_var: x, max_concurrency: 2, fan_in: all, action: {uses: state.set, with: {y: "{{ x }}"}}, output: ys}',
        '  - {name: all, fan_in: true, run: "return {}", goto: [{if: state.more, to: sub}, {to: __end__}]}',
        '  - {name: sub, type: dynamic_parallel, items: [1], fan_in: all, subgraph: ./parts/b.yaml, input: {q: 1}}',
      ),
    )
    expect(each).toMatchObject({
      kind: 'each',
      itemVar: 'x',
      indexVar: 'index',
      maxConcurrency: 2,
      isFailFast: false,
      output: 'ys',
      branch: { kind: 'steps', steps: [{ kind: 'action', action: 'state.set' }] },
      route: { kind: 'to', target: 'all' },
    })
    expect(sub).toMatchObject({
      branch: { kind: 'subgraph', path: 'parts/b.yaml', input: { q: 1 } },
      place: { line: 5, column: 5 },
    })
  })
})

describe('10,000 nodes', () => {
  it('are a document like any other', async () => {
    const nodes = Array.from(
      { length: 10_000 },
      (_, index) => `  - {name: n${index}, run: "return {}"}`,
    )
    expect((await documentOf(withNodes(...nodes))).nodes).toHaveLength(10_000)
  })
})
