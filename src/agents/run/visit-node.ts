import { ScholiumError } from '../../kernel/errors.ts'
import { nearest } from '../../kernel/text/nearest.ts'
import type { AgentNode } from '../document/agent-document.ts'
import { type AgentRun, holdsAt, type PerformedNode, type Site } from './agent-run.ts'
import { withErrorRule } from './attempts.ts'
import { changedState } from './branch-state.ts'
import { doEach } from './do-each.ts'
import { doSteps, doWhile } from './do-steps.ts'
import { doTask, nothingDone } from './do-task.ts'
import { interrupt } from './interrupts.ts'
import { readsResult } from './next-node.ts'
import type { Done } from './output.ts'
import { type AgentState, hidden, isTaintedState, visibleState } from './state.ts'

/** A node in its place in the graph: its work, a person's word before and after it, and what its route will ask for. */
export async function visitNode(run: AgentRun, node: AgentNode, site: Site): Promise<AgentState> {
  const { interruptBefore, interruptAfter } = run.document
  const { name } = node
  const before = interruptBefore.includes(name) ? await interrupt('before', name, site) : {}
  const state = { ...site.state, ...before }
  const { patch, result } = await doNode(run, node, { ...site, state })
  const changed = changedState(state, patch)
  const done = { ...before, ...patch }
  const after = interruptAfter.includes(name)
    ? await interrupt('after', name, { ...site, state: changed })
    : {}
  return {
    // A node that a failure led to is where it ends.
    ...((site.state[hidden.fallback] ?? null) === null ? {} : { [hidden.fallback]: null }),
    ...done,
    ...after,
    ...(readsResult(run, node) ? { [hidden.result]: result } : {}),
    ...(isReturn(node) ? { [hidden.output]: result } : {}),
  }
}

/** The work of a node, by its condition and under its error rule. */
function doNode(run: AgentRun, node: AgentNode, site: Site): Promise<Done> {
  const { condition, onError, name } = node
  if (condition !== undefined && !holdsAt(run, condition, site, 'condition'))
    return Promise.resolve(nothingDone)
  return withErrorRule(onError, name, site, (inside) => doWork(run, node, inside))
}

function doWork(run: AgentRun, node: AgentNode, site: Site): Promise<Done> {
  switch (node.kind) {
    case 'steps':
      return doSteps(run, node.steps, site)
    case 'while':
      return doWhile(run, node, site)
    case 'each':
      return doEach(run, node, site)
    default:
      return doTask(run, node, site)
  }
}

/** Does a node for somebody else than the graph. @throws `invalid_input` for a name that is none */
export async function performNode(run: AgentRun, name: string, site: Site): Promise<PerformedNode> {
  const { nodes } = run.document
  const node = nodes.find((known) => known.name === name)
  if (node === undefined) {
    const meant = nearest(
      name,
      nodes.map((known) => known.name),
    )
    throw new ScholiumError('invalid_input', `There is no node "${name}".`, {
      ...(meant === undefined ? {} : { hint: `Did you mean "${meant}"?` }),
    })
  }
  const { patch, result } = await doNode(run, node, site)
  const isTainted = isTaintedState(patch) || isTaintedState(site.state)
  return { result, isTainted, changes: visibleState(patch) }
}

function isReturn(node: AgentNode): boolean {
  return node.kind === 'action' && (node.action === 'core.return' || node.action === 'return')
}
