import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Graph, insertNode, pictureOf } from '../../src/graph/index.ts'
import type { App, PapersAnswer, PapersState } from '../../src/index.ts'
import { papersGraph } from '../../src/papers/papers.ts'
import { AppWorld } from './app-world.ts'

const query = 'sparse attention memory'

let world: AppWorld
let source: string
beforeAll(async () => {
  world = await AppWorld.start()
  source = world.pdfs('three', 3)
})
afterAll(() => world.close())

const run = (app: App) => app.papers({ query, sources: [source], fresh: true })

/** What a run leaves but for what is its own. */
function comparable({ runId: _run, timings: _timings, models: _models, ...answer }: PapersAnswer) {
  return answer
}

describe('the graph of papers', () => {
  const { start, nodes, edges } = pictureOf(papersGraph({} as never))

  it('leads in one line from the retriever to the end', () => {
    expect(start).toBe('retriever')
    expect(nodes).toEqual([
      'retriever',
      'reader',
      'analyzer',
      'filter',
      'synthesizer',
      'claims',
      'citation',
      'finalize',
    ])
    const straight = edges.filter(({ isConditional }) => !isConditional)
    expect(straight.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'reader analyzer',
      'analyzer filter',
      'synthesizer claims',
      'claims citation',
      'citation finalize',
      'finalize __end__',
    ])
  })

  it('has two places where it can end early: no papers, none kept', () => {
    const choices = edges.filter(({ isConditional }) => isConditional)
    expect(choices.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'retriever reader',
      'retriever finalize',
      'filter synthesizer',
      'filter citation',
    ])
  })
})

describe('the state of a run of papers', () => {
  let answer: PapersAnswer
  let app: App
  beforeAll(async () => {
    app = world.app()
    // Of a file that the library knows already more is known from the beginning.
    await run(app)
    answer = await run(app)
  }, 60_000)

  it('gets from each node its part, and keeps what was asked', async () => {
    const given = new Map<string, readonly string[]>()
    for await (const { type, data, output } of app.events(answer.runId))
      if (type === 'node.done') given.set(String(data.node), Object.keys(output as object))
    expect(given.get('retriever')).toEqual(expect.arrayContaining(['papers', 'search']))
    expect(given.get('reader')).toEqual(expect.arrayContaining(['readings', 'citations']))
    expect(given.get('analyzer')).toEqual(expect.arrayContaining(['analyses', 'passages']))
    expect(given.get('filter')).toEqual(['kept', 'dropped'])
    expect(given.get('synthesizer')).toContain('draft')
    expect(given.get('claims')).toEqual(expect.arrayContaining(['synthesis', 'refused']))
    expect(given.get('citation')).toContain('references')
    expect(given.get('finalize')).toEqual(['result'])
    const asked = ['query', 'category', 'count', 'threshold', 'claims', 'files']
    for (const fields of given.values())
      expect(fields.filter((field) => asked.includes(field))).toEqual([])
  })

  it('can be looked at before and behind each node', async () => {
    const before = await app.stateAt(answer.runId, 'filter[1]')
    const behind = await app.stateAt(answer.runId, 'synthesizer[1]')
    expect(before.state).toMatchObject({ kept: [], draft: null })
    expect(before.state.analyses).toHaveLength(3)
    expect(behind.state.kept).toEqual(answer.papers.map(({ id }) => id))
  })

  it('is changed by no node in place', async () => {
    const frozen = world.app({ graphs: { papers: withFrozenStates } })
    expect(comparable(await run(frozen))).toEqual(comparable(answer))
  })

  it('comes to the same when it is asked anew', async () => {
    expect(comparable(await run(app))).toEqual(comparable(answer))
  })
})

/** The graph with a node before each that lets nobody change what it finds. */
function withFrozenStates(graph: Graph<PapersState>): Graph<PapersState> {
  return Object.keys(graph.nodes).reduce(
    (changed, before) =>
      insertNode(changed, {
        name: `freeze-${before}`,
        node: async (state) => {
          freeze(state)
          return {}
        },
        before,
      }),
    graph,
  )
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return
  Object.freeze(value)
  for (const inner of Object.values(value)) freeze(inner)
}
