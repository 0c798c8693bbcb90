import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createTemplates } from '../templates/templates.ts'
import { formatProblem } from './problem.ts'
import { readAgentDocument } from './read-document.ts'

const checks = {
  actions: new Map([['state.set', { name: 'state.set', params: z.looseObject({}) }]]),
  refused: new Map<string, string>(),
  templates: await createTemplates(),
}

/** Reads `main.yaml` of some files by path, with some of them laid over it. */
async function read(files: Readonly<Record<string, string>>, overlays: readonly string[] = []) {
  const readFile = async (path: string) => {
    const text = files[path]
    if (text === undefined) throw new Error('there is no such file')
    return text
  }
  const options = { path: 'main.yaml', checks, readFile, overlays }
  const outcome = await readAgentDocument(files['main.yaml'] as string, options)
  const lines = outcome.problems.map(formatProblem)
  return { document: outcome.ok ? outcome.document : undefined, lines }
}

const base = `name: base
variables: {model: a, depth: 1}
nodes:
  - {name: a, uses: state.set, with: {x: 1, y: 1}}
  - {name: b, run: "return {}"}
edges: [{from: a, to: b}, {from: b, to: __end__}]`

describe('a file that imports', () => {
  it('is laid over the files it names, the later over the earlier', async () => {
    const { document, lines } = await read({
      'main.yaml':
        'name: mine\nimports: [{path: parts/base.yaml}, {path: more.yaml}]\nnodes: [{name: a, with: {y: 2}}]',
      'parts/base.yaml': base,
      'more.yaml':
        'variables: {model: b}\nnodes: [{name: c, run: "return {}", goto: __end__}]\nedges: [{from: b, to: __end__, __delete__: true}, {from: b, to: c}]',
    })
    expect(lines).toEqual([])
    expect(document).toMatchObject({
      name: 'mine',
      variables: { model: 'b', depth: 1 },
      nodes: [
        { name: 'a', params: { x: 1, y: 2 } },
        { name: 'b', place: { file: 'parts/base.yaml', line: 5 } },
        { name: 'c' },
      ],
    })
  })

  it('takes nodes in under a name, and they keep their ways', async () => {
    const { document, lines } = await read({
      'main.yaml':
        'name: m\nimports: [{path: base.yaml, as: lib}]\nnodes: [{name: a, run: "return {}", goto: lib.a}]',
      'base.yaml': `${base.replace('edges: [', 'edges: [{from: __start__, to: b}, ')}`,
    })
    expect(lines).toEqual([])
    expect(document?.start).toEqual({ kind: 'to', target: 'a' })
    expect(document?.nodes.map(({ name, route }) => [name, route])).toEqual([
      ['a', { kind: 'to', target: 'lib.a' }],
      ['lib.a', { kind: 'to', target: 'lib.b' }],
      ['lib.b', { kind: 'to', target: '__end__' }],
    ])
  })

  it('keeps every way of nodes that it takes in, and does not run on into them', async () => {
    const { document, lines } = await read({
      'main.yaml':
        'name: m\nimports: [{path: one.yaml, as: x}]\nnodes: [{name: s, run: "return {}", goto: [{if: go, to: x.a}, {to: t}]}, {name: t, run: "return {}"}]',
      'one.yaml': `imports: [{path: two.yaml, as: y}]
nodes:
  - {name: a, run: "return {}", next: [{condition: go, to: b}, {to: y.p}]}
  - {name: b, run: "return {}", fallback: c}
  - {name: c, type: dynamic_parallel, items: [1], fan_in: d, action: {uses: state.set}}
  - {name: d, run: "return {}", on_error: {fallback: a}}`,
      'two.yaml':
        'nodes: [{name: p, run: "return {}"}, {name: q, run: "return {}"}, {name: j, fan_in: true}]\nedges: [{from: p, to: q, type: parallel, fan_in: j}]',
    })
    expect(lines).toEqual([])
    const ways = document?.edges.map(({ from, to }) => `${from} ${to}`)
    expect(ways).toEqual([
      '__start__ s',
      ...['s x.a', 's t', 't __end__', 'x.a x.b', 'x.a x.y.p', 'x.b x.c', 'x.b x.c', 'x.c x.d'],
      ...['x.d __end__', 'x.d x.a', 'x.y.p x.y.q', 'x.y.q x.y.j', 'x.y.j __end__'],
    ])
  })

  it('names the file in which a mistake stands', async () => {
    const { lines } = await read({
      'main.yaml': 'name: m\nimports: [{path: base.yaml}]',
      'base.yaml': base.replace('state.set', 'state.st'),
    })
    expect(lines).toEqual([
      'base.yaml:4:21: error UNKNOWN_ACTION: "a" uses state.st, which is not an action (Did you mean state.set?)',
    ])
  })

  it.each([
    [
      'a file that is not there',
      '[{path: x/y.yaml}]',
      'IMPORT_FAILED: x/y.yaml cannot be read: there is no such file',
    ],
    ['itself', '[{path: ./main.yaml}]', 'IMPORT_CYCLE: circular import: main.yaml → main.yaml'],
    [
      'a module of Python',
      '[{path: a.py, namespace: x}]',
      'NOT_SUPPORTED: actions written in Python',
    ],
    [
      'an address',
      '[{path: "https://files.example/base.yaml"}]',
      'NOT_SUPPORTED: https://files.example/base.yaml is a URL; imports must be local files (Save it',
    ],
    ['a package', '[{package: slack}]', 'NOT_SUPPORTED: actions written in Python'],
    ['nothing', '[{as: x}]', 'MISSING_FIELD: path of import 1 is missing'],
    [
      'with a key that there is not',
      '[{path: base.yaml, ass: x}]',
      'UNKNOWN_KEY: unknown key "ass"',
    ],
    ['no list', 'base.yaml', 'INVALID_TYPE: imports of the file must be a list'],
  ])('is refused when it names %s', async (_what, imports, problem) => {
    const text = `name: m\nimports: ${imports}\nnodes: [{name: a, run: "return {}"}]`
    const { document, lines } = await read({ 'main.yaml': text, 'base.yaml': base })
    expect(document).toBeUndefined()
    expect(lines.join('\n')).toContain(problem)
  })

  it('is refused when files import each other too deep', async () => {
    const chain = Array.from({ length: 12 }, (_, index) => [
      `f${index}.yaml`,
      `imports: [{path: f${index + 1}.yaml}]`,
    ])
    const { lines } = await read({
      ...Object.fromEntries(chain),
      'main.yaml': 'name: m\nimports: [{path: f0.yaml}]',
    })
    expect(lines.join('\n')).toContain('IMPORT_DEPTH: imports are nested more than 10 deep')
  })

  it('is refused where no files are read', async () => {
    const text = 'name: m\nimports: [{path: base.yaml}]'
    const { ok, problems } = await readAgentDocument(text, { path: 'main.yaml', checks })
    expect([ok, problems[0]?.code]).toEqual([false, 'IMPORT_FAILED'])
  })
})

describe('an overlay', () => {
  it('changes, adds and takes away', async () => {
    const { document, lines } = await read(
      {
        'main.yaml': base,
        'over.yaml': `name: over
variables: {depth: {__delete__: true}, extra: 1}
nodes: [{name: b, __delete__: true}, {name: c, run: "return {}"}]
edges: [{from: a, to: b, __delete__: true}, {from: b, to: __end__, __delete__: true}, {from: a, to: c}]`,
      },
      ['over.yaml'],
    )
    expect(lines).toEqual([])
    expect(document).toMatchObject({ name: 'over', variables: { model: 'a', extra: 1 } })
    expect(document?.variables).not.toHaveProperty('depth')
    expect(document?.nodes.map(({ name }) => name)).toEqual(['a', 'c'])
    expect(document?.nodes[0]?.route).toEqual({ kind: 'to', target: 'c' })
  })

  it('replaces lists that are neither nodes nor edges', async () => {
    const { document } = await read(
      { 'main.yaml': `${base}\ndata: {xs: [1, 2]}`, 'over.yaml': 'data: {xs: [3]}' },
      ['over.yaml'],
    )
    expect(document?.data).toEqual({ xs: [3] })
  })
})
