import type { SessionDriver } from '../../code/parts.ts'
import type { CodeResult } from '../../code/result.ts'
import { changedFields } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import type { ForkRequest } from '../runs/fork-request.ts'
import type { RunKind, RunWorkflow, TitledChanges } from '../runs/run-kind.ts'
import type { Right } from '../trust/right.ts'
import { codeAnswerOf } from './code-answer.ts'

/**
 * Sessions of the coding agent, driven by whoever drives this execution.
 * @param grants of a resumed session: what it may have of what it had. Default: all of it, for one that begins or is replayed
 */
export function codeKind(
  parts: AppParts,
  driver: SessionDriver = {},
  grants?: readonly Right[],
): RunKind {
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
      return sessionWorkflow(parts, given, has('web')) as unknown as RunWorkflow
    },
    roles: ['default'],
    conditions: {},
    present: (runId, result) => codeAnswerOf(parts.store, runId, result as unknown as CodeResult),
    forkChanges: async (state, _place, request) => forkChanges(state, request),
    rolesAhead: () => undefined,
  }
}

/** A recorded session, driven by nobody. Its folder is trusted where `grants` say so, or where the person trusts it for all sessions. */
export async function recordedCodeKind(
  parts: AppParts,
  runId: string,
  grants: readonly Right[] | undefined,
): Promise<RunKind> {
  if (grants === undefined) return codeKind(parts)
  const { keptTrust } = await import('./ask-trust.ts')
  return codeKind(parts, {}, [...grants, ...(await keptTrust(parts, runId, {}))])
}

/** Of a session's state a fork changes what is named. @throws `invalid_input` for a question, or a field that is none */
function forkChanges(state: JsonObject, { changes = [], question }: ForkRequest): TitledChanges {
  if (question === undefined) return { fields: changedFields(state, changes), remarks: [] }
  throw new ScholiumError('invalid_input', 'A session takes requests when it is resumed.', {
    hint: 'Fork it without --question, then continue with: scholium code --resume RUN',
  })
}
