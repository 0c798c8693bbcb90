import type { Node, Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import { countTokens } from '../kernel/limits/token-usage.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { attempted, isLimitOf } from './branches.ts'
import type { PapersState } from './state.ts'

/**
 * A node behind the one boundary for errors: what fails in it is told and kept in the state, and the run goes on without it. What
 * its models used is counted either way.
 */
export function withinBoundary(name: string, node: Node<PapersState>): Node<PapersState> {
  return async (state, context) => {
    const { counted, tokens } = countTokens(context)
    const done = await attempted(() => node(state, counted))
    const patch = done.ok ? done.value : await failedPatch(name, done.failure, context)
    return { ...patch, tokenUsage: tokens() }
  }
}

async function failedPatch(
  name: string,
  failure: Failure,
  context: RunContext,
): Promise<Patch<PapersState>> {
  const detail = `${name}: ${failure.message}`
  if (isLimitOf(failure, context))
    return { limit: failure, errors: [detail], gaps: [{ kind: 'limit', detail }] }
  await context.notice('failed', 'error', detail)
  return { error: failure, errors: [detail], gaps: [{ kind: 'error', detail }] }
}
