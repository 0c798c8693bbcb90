import type { AgentNode, AgentStep, Common, NodeWork, Task } from './agent-document.ts'

/** A task of a document with the node it belongs to. */
export type PlacedTask = Task & Common

/** Every single piece of work of a node: the node itself, its steps, the steps of its branches. */
export function tasksOf(node: AgentNode): readonly PlacedTask[] {
  return [...(isTask(node) ? [node] : []), ...stepsIn(node)]
}

/** The steps inside a node. */
export function stepsIn(node: NodeWork): readonly AgentStep[] {
  if (node.kind === 'steps') return node.steps
  if (node.kind === 'while') return node.body
  return node.kind === 'each' && node.branch.kind === 'steps' ? node.branch.steps : []
}

function isTask(node: AgentNode): node is AgentNode & Task {
  return node.kind === 'action' || node.kind === 'code' || node.kind === 'expression'
}
