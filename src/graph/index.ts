/** Durable graphs of nodes that share a state. */
export { changedFields, type StateChange } from './change-state.ts'
export { type GraphPicture, pictureOf, toMermaid } from './draw-graph.ts'
export { foldState } from './fold-state.ts'
export {
  append,
  type BranchResult,
  type Channel,
  type Channels,
  defineGraph,
  type Edge,
  end,
  type FanOut,
  type Graph,
  type GraphDeclaration,
  type Node,
  type Patch,
  replace,
  type Stage,
  type State,
  stage,
  sum,
  type WithBranchResults,
} from './graph.ts'
export { insertNode, type NodeInsertion } from './insert-node.ts'
export { runGraph } from './run-graph.ts'
