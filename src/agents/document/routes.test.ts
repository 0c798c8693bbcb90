import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTemplates } from '../templates/templates.ts'
import type { AgentDocument } from './agent-document.ts'
import { formatProblem } from './problem.ts'
import { readAgentDocument } from './read-document.ts'

const anything = z.looseObject({})
const names = ['core.switch', 'core.return']
const checks = {
  actions: new Map(names.map((name) => [name, { name, params: anything }])),
  refused: new Map<string, string>(),
  templates: await createTemplates(),
}

async function documentOf(
  nodes: Readonly<Record<string, string>>,
  edges = '',
): Promise<AgentDocument> {
  const lines = Object.entries(nodes).map(([name, rest]) => `  - {name: ${name}, ${rest}}`)
  const text = ['name: r', 'nodes:', ...lines, ...(edges === '' ? [] : [`edges: [${edges}]`])]
  const outcome = await readAgentDocument(text.join('\n'), { path: 'r.yaml', checks })
  if (!outcome.ok) throw new Error(outcome.problems.map(formatProblem).join('\n'))
  return outcome.document
}

const run = 'run: "return {}"'
const routeOf = ({ nodes }: AgentDocument, name: string) =>
  nodes.find((node) => node.name === name)?.route
const to = (target: string) => ({ kind: 'to', target })

describe('the way from node to node', () => {
  it('is the order of the list where nothing else is said', async () => {
    const document = await documentOf({ a: run, b: run })
    expect(document.start).toEqual(to('a'))
    expect(['a', 'b'].map((name) => routeOf(document, name))).toEqual([to('b'), to('__end__')])
  })

  it('begins where an edge from __start__ leads', async () => {
    const { start, nodes } = await documentOf({ a: run, b: run }, '{to: b, type: entry}')
    expect(start).toEqual(to('b'))
    expect(nodes.map(({ name, isReachable }) => [name, isReachable])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  it('follows goto before next, next before edges, edges before the list', async () => {
    const document = await documentOf(
      { a: `${run}, goto: d, next: c`, b: `${run}, next: d`, c: run, d: run },
      '{from: __start__, to: a}, {from: a, to: b}, {from: b, to: c}, {from: c, to: __end__}, {from: d, type: finish}',
    )
    const targets = ['a', 'b', 'c', 'd'].map((name) => routeOf(document, name))
    expect(targets).toEqual([to('d'), to('d'), to('__end__'), to('__end__')])
  })

  it('follows the first rule of a goto that holds, else the last', async () => {
    const document = await documentOf({
      a: `${run}, goto: [{if: "state.x > 1", to: b}, {if: true, to: a}]`,
      b: `${run}, next: [{condition: "!done", to: a}, {condition: done, to: __end__}]`,
    })
    expect(routeOf(document, 'a')).toMatchObject({
      kind: 'rules',
      rules: [{ condition: { text: 'state.x > 1', isNegated: false }, to: 'b' }],
      otherwise: 'a',
    })
    expect(routeOf(document, 'b')).not.toHaveProperty('otherwise')
  })

  it('asks conditions of edges before it takes the one without', async () => {
    const document = await documentOf(
      { a: run, b: run },
      '{from: a, to: __end__}, {from: a, to: b, condition: {type: expression, value: state.ok}, when: false}, {from: a, to: a, when: "state.again"}, {from: b, to: __end__, when: true}',
    )
    expect(routeOf(document, 'a')).toMatchObject({
      rules: [
        { condition: { text: 'state.ok', isNegated: true }, to: 'b' },
        { condition: { text: 'state.again', isNegated: false }, to: 'a' },
      ],
      otherwise: '__end__',
    })
    expect(routeOf(document, 'b')).toEqual(to('__end__'))
  })

  it('goes to the target of a switch', async () => {
    const document = await documentOf({
      a: 'uses: core.switch, edges: {"true": b, default: __end__}',
      b: run,
    })
    const targets = { true: 'b' }
    expect(routeOf(document, 'a')).toEqual({ kind: 'switch', targets, otherwise: '__end__' })
  })

  it('ends after core.return, whatever stands next in the list', async () => {
    const document = await documentOf(
      { a: 'action: core.return', b: run },
      '{from: __start__, to: b}, {from: b, to: a}',
    )
    expect(routeOf(document, 'a')).toEqual(to('__end__'))
  })

  it.each([
    [
      'an edge for each',
      '{from: a, to: b, type: parallel, fan_in: j}, {from: a, to: c, parallel: true, fan_in: j}',
    ],
    ['one edge with a list', '{from: a, to: [b, c], fan_in: j}'],
  ])(
    'splits into branches by %s; what is in a branch comes together at its end',
    async (_form, edges) => {
      const nodes = { a: run, b: run, c: run, d: run, j: `${run}, fan_in: true`, z: run }
      const document = await documentOf(nodes, `${edges}, {from: c, to: d}`)
      expect(routeOf(document, 'a')).toEqual({
        kind: 'parallel',
        branches: [{ node: 'b' }, { node: 'c' }],
        join: 'j',
      })
      const routes = ['b', 'c', 'd', 'j', 'z'].map((name) => routeOf(document, name))
      expect(routes).toEqual([to('j'), to('d'), to('j'), to('z'), to('__end__')])
    },
  )

  it('brings branches within a branch together at their own end, in whatever order they stand', async () => {
    const nodes = { a: run, b: run, c: run, d: run, e: run, inner: run, outer: run }
    const edges = '{from: a, to: [b, c], fan_in: outer}, {from: b, to: [d, e], fan_in: inner}'
    const other = Object.fromEntries(Object.entries(nodes).toReversed())
    for (const written of [nodes, other]) {
      const document = await documentOf(
        written,
        `{from: __start__, to: a}, ${edges}, {from: outer, to: __end__}`,
      )
      const routes = ['c', 'd', 'e', 'inner'].map((name) => routeOf(document, name))
      expect(routes).toEqual([to('outer'), to('inner'), to('inner'), to('outer')])
    }
  })

  it.each([
    [
      'different ends',
      '{from: a, to: b, type: parallel, fan_in: j}, {from: a, to: c, type: parallel, fan_in: z}',
    ],
    ['a plain edge beside them', '{from: a, to: b, type: parallel, fan_in: j}, {from: a, to: c}'],
  ])('cannot split into branches with %s', async (_what, edges) => {
    const nodes = { a: run, b: run, c: run, j: run, z: run }
    await expect(documentOf(nodes, edges)).rejects.toThrow('PARALLEL_FAN_IN_MIXED')
  })
})
