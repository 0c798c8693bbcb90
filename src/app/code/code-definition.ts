import type { SessionDriver } from '../../code/parts.ts'
import { changedFields } from '../../graph/change-state.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import type { Right } from '../trust/right.ts'
import type {
  AnyWorkflow,
  BoundWorkflow,
  ForkChanges,
  ForkRequest,
} from '../workflows/bound-workflow.ts'
import type { WorkflowDefinition } from '../workflows/workflow-definition.ts'
import { codeWorkflowName } from './session-place.ts'

/** Sessions of the coding agent. */
export const codeDefinition: WorkflowDefinition = {
  name: codeWorkflowName,
  resumeCommand: 'code --resume',
  withoutReferences: 'is a coding session',
  rightsAskedLater: ['web', 'allow', 'yolo', 'trust'],
  bundled: {
    answerSchema: 'scholium.code/1',
    rebuildResult: async (events) =>
      (await import('./rebuild-code-result.ts')).rebuildCodeResult(events),
  },
  async bind(parts, runId, grants, tools) {
    if (grants === undefined) return bindCode(parts)
    // Its folder is trusted if the grants say so, or if the person trusts it for all sessions.
    const { readKeptTrust } = await import('./ask-trust.ts')
    return bindCode(parts, {}, [...grants, ...(await readKeptTrust(parts, runId, {}))], tools)
  },
}

/**
 * Prepares a session for runs.
 * @param driver drives this execution. Default: nobody
 * @param grants rights that a resumed session keeps. Default: all, for a new or a replayed one
 * @param tools the program's own
 */
export function bindCode(
  parts: AppParts,
  driver: SessionDriver = {},
  grants?: readonly Right[],
  tools: readonly Tool[] = [],
): BoundWorkflow {
  const has = (kind: Right['kind']) => grants?.some((right) => right.kind === kind) ?? true
  const granted = grants && {
    allow: grants.flatMap(({ kind, value }) => (kind === 'allow' ? [value] : [])),
    isYolo: has('yolo'),
    isTrusted: has('trust'),
    hasWeb: has('web'),
  }
  return {
    async workflow() {
      const { sessionWorkflow } = await import('./session-workflow.ts')
      const given = granted === undefined ? driver : { ...driver, granted }
      return sessionWorkflow(parts, given, { hasWeb: has('web'), tools }) as AnyWorkflow
    },
    roles: ['default'],
    conditions: {},
    forkChanges: async (state, _place, request) => forkChanges(state, request),
  }
}

/** @throws `invalid_input` for a question, or an unknown field of the state */
function forkChanges(state: JsonObject, { changes = [], question }: ForkRequest): ForkChanges {
  if (question === undefined) return { fields: changedFields(state, changes), remarks: [] }
  throw new ScholiumError('invalid_input', 'A session gets its requests once it is resumed.', {
    hint: 'Fork it without --question, then: scholium code --resume RUN',
  })
}
