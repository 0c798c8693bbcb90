import type { AskPatch, AskState } from '../../ask/state.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import type { AppParts } from '../app-parts.ts'
import { rolesInUse } from '../models/roles.ts'
import type { AnyWorkflow, BoundWorkflow } from '../workflows/bound-workflow.ts'
import type { WorkflowDefinition } from '../workflows/workflow-definition.ts'

/** Questions, answered by the team. */
export const askDefinition: WorkflowDefinition = {
  name: 'ask',
  bundled: {
    answerSchema: 'scholium.answer/1',
    rebuildResult: async (events, result) =>
      (await import('./rebuild-ask-result.ts')).rebuildAskResult(events, result),
  },
  draw: async () => (await import('../../ask/ask.ts')).teamPicture,
  bind: async (parts, _runId, _grants, tools) => bindAsk(parts, tools),
}

/** Prepares the question team for runs. */
function bindAsk(parts: AppParts, tools: readonly Tool[] = []): BoundWorkflow {
  return {
    workflow: async () => (await parts.workflow({ tools })) as AnyWorkflow,
    roles: rolesInUse,
    conditions: {},
    forkChanges: async (state, place, request) =>
      (await import('./fork-ask.ts')).askForkChanges(state, place, request),
    async rolesAhead(state, fields, place) {
      const [{ parseNode, rolesAhead }, { withFields }] = await Promise.all([
        import('./fork-effects.ts'),
        import('../../ask/state.ts'),
      ])
      return rolesAhead(withFields(state as AskState, fields as AskPatch), parseNode(place))
    },
  }
}
