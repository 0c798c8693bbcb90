import { end, type Graph, type State, targetsOf } from './graph.ts'

/** A graph as data, for drawing. */
export interface GraphPicture {
  readonly name: string
  readonly start: string
  readonly nodes: readonly string[]
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly isConditional: boolean
  }[]
}

/** The nodes and edges of a graph. */
export function pictureOf<S extends State>(graph: Graph<S>): GraphPicture {
  const edges = Object.entries(graph.edges).flatMap(([from, edge]) =>
    targetsOf(edge).map((to) => ({ from, to, isConditional: typeof edge !== 'string' })),
  )
  return { name: graph.name, start: graph.start, nodes: Object.keys(graph.nodes), edges }
}

/**
 * A graph as a Mermaid flow chart; conditional edges are dotted.
 * @see https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid<S extends State>(graph: Graph<S>): string {
  const { start, nodes, edges } = pictureOf(graph)
  const name = (node: string) => (node === end ? 'stop' : node)
  const lines = [
    'flowchart TD',
    '  begin((start))',
    ...nodes.map((node) => `  ${node}[${node}]`),
    '  stop((end))',
    `  begin --> ${start}`,
    ...edges.map(
      ({ from, to, isConditional }) => `  ${from} ${isConditional ? '-.->' : '-->'} ${name(to)}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}
