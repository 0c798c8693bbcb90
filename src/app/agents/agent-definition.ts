import type { AgentInput } from '../../agents/run/agent-input.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import type { AppParts } from '../app-parts.ts'
import type { Right } from '../trust/right.ts'
import type { AnyWorkflow, BoundWorkflow } from '../workflows/bound-workflow.ts'
import type { WorkflowDefinition } from '../workflows/workflow-definition.ts'
import { type RecordedAgent, recordedAgentConditions } from './agent-conditions.ts'

/** Agent files. */
export const agentDefinition: WorkflowDefinition = {
  name: 'agent',
  withoutReferences: 'ran an agent file',
  bundled: {
    answerSchema: 'scholium.agent/1',
    rebuildResult: async (events, result) =>
      (await import('./rebuild-agent-result.ts')).rebuildAgentResult(events, result),
  },
  async draw({ store }, runId) {
    const { drawDocument } = await import('../../agents/document/picture.ts')
    for await (const { output } of store.events(runId, { types: ['run.started'] }))
      return drawDocument((output as unknown as AgentInput).document)
    return undefined
  },
  bind: async (parts, runId, grants = []) =>
    bindAgent(parts, await recordedAgentConditions(parts.store, runId), grants),
}

/**
 * The roles of models in agent files: `critic` in `reason.self_correct`, `embedding` in `llm.embed`. A file can also
 * name models itself.
 */
const agentRoles: readonly ModelRole[] = ['default', 'critic', 'embedding']

/**
 * Prepares an agent file for runs under given conditions.
 * @param grants additional rights of this execution: secrets
 * @throws `invalid_input` for a secret without a value
 */
export async function bindAgent(
  parts: AppParts,
  { conditions, promptHashes, mcpTools }: RecordedAgent,
  grants: readonly Right[] = [],
): Promise<BoundWorkflow> {
  const { requireSecrets } = await import('./agent-environment.ts')
  const more = grants.flatMap(({ kind, value }) => (kind === 'secret' ? [value] : []))
  requireSecrets(parts.environment, more)
  const given = { ...conditions, secrets: [...new Set([...conditions.secrets, ...more])] }
  return {
    async workflow() {
      const { agentWorkflow } = await import('../../agents/run/agent-workflow.ts')
      const agentParts = await parts.agents.partsOf(given, mcpTools)
      return agentWorkflow(agentParts, promptHashes) as AnyWorkflow
    },
    roles: agentRoles,
    conditions: { agent: conditions },
    forkChanges: async (state, _place, request) =>
      (await import('./fork-agent.ts')).agentForkChanges(state, request),
  }
}
