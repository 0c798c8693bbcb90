import { end } from '../../graph/graph.ts'
import type { EventOf } from '../../kernel/run/event.ts'
import { isTopBoundary } from '../../kernel/run/place.ts'
import { effectiveEvents } from '../../kernel/run/rewind.ts'
import type { AppParts } from '../app-parts.ts'
import type { RunPicture } from '../workflows/bound-workflow.ts'

/** One visit of a node. */
export interface NodeVisit {
  readonly node: string
  /** The key under which it ended, which a fork can start from. */
  readonly key: string
  /** The number of the event that ended it. */
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly endedAt: number
  /** How many branches ran side by side, for a fan-out. */
  readonly branches?: number
}

/** The graph of a run and the way that the run took through it. */
export interface RunGraph {
  readonly schema: 'scholium.graph/1'
  readonly runId: string
  readonly workflow: string
  /** The first node. */
  readonly start: string
  readonly nodes: readonly {
    readonly name: string
    /** What it is, such as `llm.call`. */
    readonly caption?: string
    readonly visits: number
  }[]
  /** `__end__` stands for the end. */
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly isConditional: boolean
    readonly label?: string
    /** How often the run went along it. */
    readonly taken: number
  }[]
  /** The nodes that ended, in order. Visits that a resumed run repeated are left out. */
  readonly way: readonly NodeVisit[]
}

/** @see App.runGraph */
export async function readRunGraph(parts: AppParts, runId: string): Promise<RunGraph> {
  const { store, workflows } = parts
  const { workflow, status } = await store.get(runId)
  const way = await readWay(parts, runId)
  const picture = (await workflows.draw(runId)) ?? drawWay(workflow, way)
  const counts = countEdges(picture, way, status === 'answered' || status === 'unanswered')
  return {
    schema: 'scholium.graph/1',
    runId,
    workflow,
    start: picture.start,
    nodes: picture.nodes.map((name) => ({
      name,
      ...(picture.captions?.[name] && { caption: picture.captions[name] }),
      visits: way.filter(({ node }) => node === name).length,
    })),
    edges: picture.edges.map(({ from, to, isConditional, label }) => ({
      from,
      to,
      isConditional,
      ...(label !== undefined && { label }),
      taken: counts.get(edgeKey(from, to)) ?? 0,
    })),
    way,
  }
}

async function readWay({ store }: AppParts, runId: string): Promise<readonly NodeVisit[]> {
  let ends: EventOf<'node.done'>[] = []
  const filter = { types: ['node.done', 'run.resumed'], withOutput: false } as const
  for await (const event of store.events(runId, filter)) {
    ends = effectiveEvents(ends, event)
    if (isTopBoundary(event)) ends.push(event)
  }
  return ends.map(({ key, seq, ts, data: { node, branches } }) => ({
    node,
    key,
    seq,
    endedAt: ts,
    ...(branches !== undefined && { branches }),
  }))
}

/** A graph of which only the way is known. */
function drawWay(name: string, way: readonly NodeVisit[]): RunPicture {
  const nodes = [...new Set(way.map(({ node }) => node))]
  const steps = way.flatMap(({ node }, index) => {
    const next = way[index + 1]
    return next === undefined ? [] : [edgeKey(node, next.node)]
  })
  const edges = [...new Set(steps)].map((key) => {
    const [from = '', to = ''] = key.split('\n')
    return { from, to, isConditional: false }
  })
  return { name, start: nodes[0] ?? end, nodes, edges }
}

/** How often each edge was taken. A fan-out has run all nodes between the one before it and its join. */
function countEdges(
  { edges }: RunPicture,
  way: readonly NodeVisit[],
  hasEnded: boolean,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const count = (from: string, to: string) =>
    counts.set(edgeKey(from, to), (counts.get(edgeKey(from, to)) ?? 0) + 1)
  let before: string | undefined
  for (const { node, branches } of way) {
    if (before !== undefined && branches === undefined) count(before, node)
    if (before !== undefined && branches !== undefined)
      for (const { from, to } of edges)
        if (
          from === before &&
          to !== node &&
          edges.some((edge) => edge.from === to && edge.to === node)
        ) {
          count(from, to)
          count(to, node)
        }
    before = branches === undefined ? node : undefined
  }
  const last = way.at(-1)
  if (hasEnded && last !== undefined) count(last.node, end)
  return counts
}

function edgeKey(from: string, to: string): string {
  return `${from}\n${to}`
}
