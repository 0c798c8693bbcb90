import { describe, expect, it } from 'vitest'
import type { Json } from '../kernel/json.ts'
import {
  applyPatch,
  type Channel,
  type Channels,
  initialState,
  listTargets,
  type State,
  setFields,
} from './graph.ts'
import {
  append,
  defineGraph,
  end,
  type GraphDeclaration,
  pictureOf,
  replace,
  type Stage,
  stage,
  sum,
  toMermaid,
} from './index.ts'

type Count = { readonly count: number; readonly path: readonly string[] }
const channels = { count: sum(), path: append<string>() }
const nothing = async () => ({})

function declaration(changes: Partial<GraphDeclaration<Count>> = {}): GraphDeclaration<Count> {
  return {
    name: 'walk',
    channels,
    start: 'a',
    nodes: { a: nothing, b: nothing },
    edges: { a: { targets: ['b', end], route: () => end }, b: 'a' },
    ...changes,
  }
}

describe('channels', () => {
  it('replace, append or sum what they are given', () => {
    const state = { word: 'old', ...initialState<Count>(channels, {}) }
    const all = { word: replace('new'), ...channels }
    const first = applyPatch(all, state, { word: 'b', count: 2, path: ['x'] })
    expect(applyPatch(all, first, { count: -5, path: ['y', 'z'] })).toEqual({
      word: 'b',
      count: -3,
      path: ['x', 'y', 'z'],
    })
    expect(state).toEqual({ word: 'old', count: 0, path: [] })
  })

  it('of a stage take its fields one by one, and keep the others', () => {
    type Staged = { readonly walk: Stage<Count> }
    const staged: Channels<Staged> = { walk: stage<Count>(channels) }
    const first = initialState<Staged>(staged, { walk: { path: ['a'] } })
    expect(first).toEqual({ walk: { count: 0, path: ['a'] } })
    const second = applyPatch<Staged>(staged, first, { walk: { path: ['b'] } })
    expect(second).toEqual({ walk: { count: 0, path: ['a', 'b'] } })
    expect(setFields<Staged>(staged, second, { walk: { path: ['c'] } })).toEqual({
      walk: { count: 0, path: ['c'] },
    })
    const unknown = { walk: { steps: 1 } } as never
    expect(() => applyPatch<Staged>(staged, first, unknown)).toThrow('value for "steps"')
  })

  it('begin with their initial value, which the input takes the place of', () => {
    expect(initialState<Count>(channels, { count: 7 })).toEqual({ count: 7, path: [] })
    expect([sum().initial, append().initial, replace('x').initial]).toEqual([0, [], 'x'])
  })

  it('leave a field that a patch leaves out, or gives as undefined', () => {
    const state = { count: 1, path: ['x'] }
    expect(applyPatch<Count>(channels, state, { path: undefined } as never)).toEqual(state)
  })

  it('take other fields where a graph allows them, each as one channel says', () => {
    const open = append<string>() as unknown as Channel<Json>
    const state = { count: 1, path: ['x'] } as State
    const first = applyPatch<State>(channels as never, state, { found: ['a'], count: 2 }, open)
    expect(applyPatch<State>(channels as never, first, { found: ['b'] }, open)).toEqual({
      count: 3,
      path: ['x'],
      found: ['a', 'b'],
    })
  })

  it('refuse a field that the state does not have', () => {
    expect(() =>
      applyPatch<Count>(channels, { count: 1, path: [] }, { cuont: 1 } as never),
    ).toThrow(
      expect.objectContaining({
        code: 'invalid_graph',
        message: expect.stringContaining('"cuont"'),
      }),
    )
  })
})

describe('defineGraph', () => {
  it('allows 100 steps unless told otherwise', () => {
    expect(defineGraph(declaration()).maxVisits).toBe(100)
    expect(defineGraph(declaration({ maxVisits: 3 })).maxVisits).toBe(3)
  })

  it.each<[string, Partial<GraphDeclaration<Count>>, string]>([
    ['a start that is no node', { start: 'x' }, 'it starts at "x", which is not a node'],
    [
      'an edge to nowhere',
      { edges: { a: 'x', b: 'a' } },
      'the edge from "a" leads to "x", which is not a node',
    ],
    [
      'a conditional edge to nowhere',
      { edges: { a: { targets: ['b', 'x'], route: () => 'b' }, b: end } },
      'the edge from "a" leads to "x", which is not a node',
    ],
    ['a node without a way on', { edges: { a: 'b' } }, 'node "b" has no outgoing edge'],
    [
      'an edge from nowhere',
      { edges: { a: 'b', b: end, c: 'a' } },
      'an edge starts at "c", which is not a node',
    ],
    ['a node that nothing leads to', { edges: { a: end, b: end } }, 'node "b" cannot be reached'],
    [
      'a name that every object has',
      { edges: { a: 'toString', b: 'a' } },
      '"toString", which is not a node',
    ],
  ])('refuses %s', (_what, changes, text) => {
    expect(() => defineGraph(declaration(changes))).toThrow(
      expect.objectContaining({ code: 'invalid_graph', message: expect.stringContaining(text) }),
    )
  })

  it('says all that is wrong at once', () => {
    expect(() => defineGraph(declaration({ start: 'x', edges: { a: 'y' } }))).toThrow(
      /"x".*"b" has no outgoing edge.*"y"/,
    )
  })
})

describe('a drawing of a graph', () => {
  const graph = defineGraph(declaration())

  it('is data', () => {
    expect(JSON.parse(JSON.stringify(pictureOf(graph)))).toEqual({
      name: 'walk',
      start: 'a',
      nodes: ['a', 'b'],
      edges: [
        { from: 'a', to: 'b', isConditional: true },
        { from: 'a', to: '__end__', isConditional: true },
        { from: 'b', to: 'a', isConditional: false },
      ],
    })
  })

  it('is Mermaid', () => {
    expect(toMermaid(graph)).toBe(`flowchart TD
  begin((start))
  a[a]
  b[b]
  stop((end))
  begin --> a
  a -.-> b
  a -.-> stop
  b --> a
`)
  })

  it('has every target of an edge', () => {
    expect(listTargets('b')).toEqual(['b'])
    expect(listTargets({ targets: ['a', 'b'], route: () => 'a' })).toEqual(['a', 'b'])
  })
})
