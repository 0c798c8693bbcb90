import type { Node } from '../../graph/graph.ts'
import { attempted, isLimitOf } from './branches.ts'
import type { PapersState } from './state.ts'

/** A node behind the one boundary for errors: what fails in it is told and kept in the state, and the run goes on without it. */
export function withinBoundary(name: string, node: Node<PapersState>): Node<PapersState> {
  return async (state, context) => {
    const done = await attempted(() => node(state, context))
    if (done.ok) return done.value
    const { failure } = done
    const detail = `${name}: ${failure.message}`
    if (isLimitOf(failure, context))
      return { limit: failure, errors: [detail], gaps: [{ kind: 'limit', detail }] }
    await context.notice('failed', 'error', detail)
    return { error: failure, errors: [detail], gaps: [{ kind: 'error', detail }] }
  }
}
