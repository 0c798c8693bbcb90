import { ScholiumError } from '../../kernel/errors.ts'
import type { AppParts } from '../app-parts.ts'
import { askKind } from '../ask/ask-kind.ts'
import type { Right } from '../trust/right.ts'
import type { RunKind } from './run-kind.ts'

/**
 * What a recorded run is a run of, by the workflow that its record names.
 * @param grants what a resumed run may have. Default, for one that is looked at or replayed: what its record names
 * @throws `run_not_found`, `run_incompatible` for a workflow that this version does not know
 */
export async function workflowOf(
  parts: AppParts,
  runId: string,
  grants?: readonly Right[],
): Promise<RunKind> {
  const { workflow } = await parts.store.get(runId)
  if (workflow === 'ask') return askKind(parts)
  if (workflow === 'agent') {
    const { recordedAgentKind } = await import('../agents/agent-kind.ts')
    return recordedAgentKind(parts, runId, grants)
  }
  if (workflow === 'papers') {
    const { recordedPapersKind } = await import('../papers/papers-kind.ts')
    return recordedPapersKind(parts, runId)
  }
  if (workflow === 'code') {
    const { recordedCodeKind } = await import('../code/code-kind.ts')
    return recordedCodeKind(parts, runId, grants)
  }
  throw new ScholiumError(
    'run_incompatible',
    `Run ${runId} is of the workflow "${workflow}", which this version does not support.`,
    { hint: 'Use the version that recorded it.', details: { runId, workflow } },
  )
}
