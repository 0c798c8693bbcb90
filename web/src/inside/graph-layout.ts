import type { RunGraph } from '../api/operations.ts'

/** The name that stands for the end of a graph. */
export const end = '__end__'

/** A node with its place in a drawing, in pixels. */
export interface PlacedNode {
  readonly name: string
  readonly caption?: string
  readonly visits: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An edge as a curve, with the place of its label. */
export interface PlacedEdge {
  readonly from: string
  readonly to: string
  readonly taken: number
  readonly path: string
  readonly labelX: number
  readonly labelY: number
}

const nodeWidth = 140
const nodeHeight = 42
const columnGap = 70
const rowGap = 22
const margin = 24

/** Places the nodes of a graph in columns, by their distance from the start, and draws the edges as curves. */
export function layOut({ start, nodes, edges }: RunGraph) {
  const depths = findDepths(start, edges)
  const names = [
    ...nodes,
    ...(edges.some(({ to }) => to === end) ? [{ name: end, visits: 0 }] : []),
  ]
  const deepest = Math.max(0, ...depths.values())
  const columns = new Map<number, (typeof names)[number][]>()
  for (const node of names) {
    const depth = node.name === end ? deepest + 1 : (depths.get(node.name) ?? deepest)
    columns.set(depth, [...(columns.get(depth) ?? []), node])
  }
  const tallest = Math.max(...[...columns.values()].map(({ length }) => length))
  const rowHeight = nodeHeight + rowGap
  const placed = new Map<string, PlacedNode>()
  for (const [depth, column] of columns)
    for (const [index, node] of column.entries()) {
      const top = ((tallest - column.length) * rowHeight) / 2
      placed.set(node.name, {
        ...node,
        x: margin + depth * (nodeWidth + columnGap),
        y: margin + top + index * rowHeight,
        width: nodeWidth,
        height: nodeHeight,
      })
    }
  const width = 2 * margin + (Math.max(...columns.keys()) + 1) * (nodeWidth + columnGap) - columnGap
  return {
    nodes: [...placed.values()],
    edges: edges.flatMap((edge) => drawEdge(edge, placed)),
    width,
    height: 2 * margin + tallest * rowHeight,
  }
}

/** The least number of edges from the start to each node. */
function findDepths(start: string, edges: RunGraph['edges']): ReadonlyMap<string, number> {
  const depths = new Map([[start, 0]])
  for (const [name, depth] of depths)
    for (const { from, to } of edges)
      if (from === name && to !== end && !depths.has(to)) depths.set(to, depth + 1)
  return depths
}

function drawEdge(
  { from, to, taken }: RunGraph['edges'][number],
  placed: ReadonlyMap<string, PlacedNode>,
): readonly PlacedEdge[] {
  const [one, other] = [placed.get(from), placed.get(to)]
  if (one === undefined || other === undefined) return []
  const isBack = other.x <= one.x
  // The way there above the middle, the way back below it.
  const shift = isBack ? nodeHeight / 4 : -nodeHeight / 4
  const startX = isBack ? one.x : one.x + nodeWidth
  const endX = isBack && other.x < one.x ? other.x + nodeWidth : other.x
  const [startY, endY] = [one.y + nodeHeight / 2 + shift, other.y + nodeHeight / 2 + shift]
  const bend = isBack && other.x === one.x ? -columnGap / 2 : (endX - startX) / 2
  const path = `M${startX} ${startY}C${startX + bend} ${startY} ${other.x === one.x ? endX + bend : endX - bend} ${endY} ${endX} ${endY}`
  return [{ from, to, taken, path, labelX: (startX + endX) / 2, labelY: (startY + endY) / 2 - 4 }]
}
