import type { Tool } from '../../kernel/agent/tool.ts'
import type { AppParts } from '../app-parts.ts'
import { paperRoles } from '../models/roles.ts'
import type { AnyWorkflow, BoundWorkflow } from '../workflows/bound-workflow.ts'
import type { WorkflowDefinition } from '../workflows/workflow-definition.ts'
import type { PapersConditions } from './papers-conditions.ts'

/** Papers on a topic, found, read and synthesised. */
export const papersDefinition: WorkflowDefinition = {
  name: 'papers',
  bundled: {
    answerSchema: 'scholium.papers/1',
    addsCitations: true,
    rebuildResult: async (events, result) =>
      (await import('./rebuild-papers-result.ts')).rebuildPapersResult(events, result),
    judgePoints: async (points, { passages, citations }) => {
      const { checkStatements } = await import('../../papers/check-statements.ts')
      const statements = points.map(({ text, citations: [n = 0] }) => ({ text, n }))
      return checkStatements(statements, { passages, citations })
    },
  },
  async forget(parts, runIds) {
    const { openQueryVectors } = await import('./query-vectors.ts')
    await openQueryVectors(parts.home.path).remove(runIds)
  },
  async draw(parts, runId) {
    const { recordedPapersConditions } = await import('./papers-conditions.ts')
    const { drawPapers } = await import('./papers-parts.ts')
    return drawPapers(parts, await recordedPapersConditions(parts.store, runId))
  },
  async bind(parts, runId, _grants, tools) {
    const { recordedPapersConditions } = await import('./papers-conditions.ts')
    return bindPapers(parts, await recordedPapersConditions(parts.store, runId), tools)
  },
}

/**
 * The pipeline of papers under certain conditions, ready for runs.
 * @param tools the program's own that the conditions name; a replay needs none
 */
export function bindPapers(
  parts: AppParts,
  conditions: PapersConditions,
  tools: readonly Tool[] = [],
): BoundWorkflow {
  return {
    async workflow() {
      const { createPapersWorkflow } = await import('./papers-parts.ts')
      return createPapersWorkflow(parts, conditions, tools) as AnyWorkflow
    },
    // A node of the app's own has the model that stands for all roles.
    roles: parts.options.graphs?.papers === undefined ? paperRoles : ['default', ...paperRoles],
    conditions: { papers: conditions },
    forkChanges: async (state, _place, request) =>
      (await import('./fork-papers.ts')).papersForkChanges(state, request),
  }
}
