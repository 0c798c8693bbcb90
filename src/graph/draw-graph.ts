import { end, type Graph, type State } from './graph.ts'

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

/** The outgoing edge of each node of a graph. */
export type Ways = Readonly<Record<string, string | { readonly targets: readonly string[] }>>

/** The nodes and edges of a graph. */
export function pictureOf<S extends State>(graph: Graph<S>): GraphPicture {
  const { name, start, nodes, edges } = graph
  return { ...toGraphPicture(name, start, edges), nodes: Object.keys(nodes) }
}

/** The nodes and edges of a graph known only by its edges. */
export function toGraphPicture(name: string, start: string, ways: Ways): GraphPicture {
  const edges = Object.entries(ways).flatMap(([from, way]) =>
    (typeof way === 'string' ? [way] : way.targets).map((to) => ({
      from,
      to,
      isConditional: typeof way !== 'string',
    })),
  )
  return { name, start, nodes: Object.keys(ways), edges }
}

/**
 * A graph as a Mermaid flow chart; conditional edges are dotted.
 * @see https://mermaid.js.org/syntax/flowchart.html
 */
export function toMermaid<S extends State>(graph: Graph<S>): string {
  return renderMermaid(pictureOf(graph))
}

/** A graph picture as a Mermaid flow chart. */
export function renderMermaid({ start, nodes, edges }: GraphPicture): string {
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
