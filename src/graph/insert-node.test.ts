import { describe, expect, it } from 'vitest'
import { foldState } from './fold-state.ts'
import {
  append,
  defineGraph,
  end,
  type Graph,
  insertNode,
  type NodeInsertion,
  pictureOf,
  replace,
} from './index.ts'

type Walk = { readonly path: readonly string[] }

const visit = (name: string) => async () => ({ path: [name] })

/** a → b, or the end. */
const walk = defineGraph<Walk>({
  name: 'walk',
  channels: { path: append<string>() },
  start: 'a',
  nodes: { a: visit('a'), b: visit('b') },
  edges: {
    a: { targets: ['b', end], route: ({ path }) => (path.length < 3 ? 'b' : end) },
    b: 'a',
  },
})

const drawn = (graph: Graph<Walk>) => {
  const { start, edges } = pictureOf(graph)
  return [start, ...edges.map(({ from, to }) => `${from} ${to}`)]
}

describe('insertNode', () => {
  it('puts a node after another, from where it leads on as that did', () => {
    const longer = insertNode(walk, { name: 'x', node: visit('x'), after: 'a' })
    expect(drawn(longer)).toEqual(['a', 'a x', 'b a', 'x b', 'x __end__'])
    expect(drawn(walk)).toEqual(['a', 'a b', 'a __end__', 'b a'])
  })

  it('puts a node before another, the first one too, with all that led there', () => {
    const before = insertNode(walk, { name: 'x', node: visit('x'), before: 'b' })
    expect(drawn(before)).toEqual(['a', 'a x', 'a __end__', 'b a', 'x b'])
    const route = before.edges.a
    if (typeof route === 'string' || route === undefined) throw new Error('no conditional edge')
    expect([route.route({ path: [] }), route.route({ path: ['a', 'b', 'a'] })]).toEqual(['x', end])
    const first = insertNode(walk, { name: 'x', node: visit('x'), before: 'a' })
    expect(drawn(first)).toEqual(['x', 'a b', 'a __end__', 'b x', 'x a'])
  })

  it('leads a fan-in to a node before it, and leaves its branches', () => {
    const branches = [{ node: 'work', patch: {} }]
    const fanning = defineGraph<Walk>({
      name: 'fan',
      channels: { path: append<string>() },
      start: 'a',
      nodes: { a: visit('a'), work: visit('work'), join: visit('join') },
      edges: {
        a: { targets: ['work', 'join'], route: () => ({ branches, join: 'join' }) },
        work: 'join',
        join: end,
      },
    })
    const { edges } = insertNode(fanning, { name: 'x', node: visit('x'), before: 'join' })
    const { route } = edges.a as { route(state: Walk): unknown }
    expect(route({ path: [] })).toEqual({ branches, join: 'x' })
  })

  it('leads on by an edge of its own', () => {
    const edge = { targets: ['b', end], route: () => end }
    const ending = insertNode(walk, { name: 'x', node: visit('x'), before: 'b', edge })
    expect(drawn(ending)).toEqual(['a', 'a x', 'a __end__', 'b a', 'x b', 'x __end__'])
  })

  it('gives the state fields, which several nodes may share', () => {
    const fields = { count: replace<number>(0) }
    const once = insertNode(walk, {
      name: 'x',
      node: async ({ count, path }) => ({ count: count + path.length }),
      after: 'a',
      fields,
    })
    const twice = insertNode(once, {
      name: 'y',
      node: async ({ count }) => ({ count: count + 1 }),
      after: 'x',
      fields,
    })
    expect(foldState(twice.channels, {}, [])).toEqual({ path: [], count: 0 })
  })

  it.each<[string, NodeInsertion<Walk, Walk>, string]>([
    ['a name that is taken', { name: 'b', node: visit('x'), after: 'a' }, 'already has a node "b"'],
    [
      'a name that is no word',
      { name: 'x/y', node: visit('x'), after: 'a' },
      '"x/y" is not a valid node name',
    ],
    [
      'the name of the end',
      { name: end, node: visit('x'), after: 'a' },
      '"__end__" is not a valid node name',
    ],
    ['a place that is no node', { name: 'x', node: visit('x'), after: 'q' }, 'at "q"'],
    ['a place that every object has', { name: 'x', node: visit('x'), before: 'toString' }, 'a, b'],
    [
      'a field that is taken',
      { name: 'x', node: visit('x'), after: 'a', fields: { path: append<string>() } },
      'already has a field "path"',
    ],
    ['an edge to nowhere', { name: 'x', node: visit('x'), after: 'b', edge: 'q' }, '"q"'],
    ['what cuts a node off', { name: 'x', node: visit('x'), after: 'a', edge: end }, '"b" cannot'],
  ])('refuses %s', (_what, insertion, text) => {
    expect(() => insertNode(walk, insertion)).toThrow(
      expect.objectContaining({ code: 'invalid_graph', message: expect.stringContaining(text) }),
    )
  })
})
