import { changedFields } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import type { NamedModels } from '../../models/model-settings.ts'
import { chosenRoles } from '../models/roles.ts'
import type { AnyWorkflow, BoundWorkflow, ForkChanges, ForkRequest } from './bound-workflow.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** The result of a run of a person's own workflow, as its log has it. */
export type OwnResult = {
  readonly schema: 'scholium.result/1'
  readonly status: RunStatus
  /** What the workflow gave. */
  readonly output: JsonObject
}

/** The definition of a person's own workflow: what an app can do with its runs without knowing more of it. */
export function ownDefinition(name: string, bound: BoundWorkflow): WorkflowDefinition {
  return {
    name,
    withoutReferences: `ran the workflow "${name}"`,
    bind: async () => bound,
  }
}

/** A person's own workflow, ready for runs. Which roles it calls is not known: it is recorded with the models of all. */
export function bindOwn(workflow: AnyWorkflow, models?: NamedModels): BoundWorkflow {
  return {
    workflow: async () => withForm(workflow),
    roles: models === undefined ? chosenRoles : ['default'],
    ...(models && { models }),
    conditions: {},
    forkChanges: async (state, _place, request) => forkChanges(state, request),
  }
}

/** The workflow with results that name their form, so that every reader of the log can show them. */
function withForm(workflow: AnyWorkflow): AnyWorkflow {
  const { soFar, mayRetry } = workflow
  const formed = (output: JsonObject): OwnResult => ({
    schema: 'scholium.result/1',
    status: workflow.status(output),
    output,
  })
  const outputOf = (result: JsonObject) => (result as OwnResult).output
  return {
    ...workflow,
    run: async (context, input) => formed(await workflow.run(context, input)),
    status: (result) => (result as OwnResult).status,
    ...(soFar && { soFar: (input, ends) => formed(soFar(input, ends)) }),
    ...(mayRetry && { mayRetry: (result) => mayRetry(outputOf(result)) }),
  }
}

function forkChanges(state: JsonObject, { changes = [], question }: ForkRequest): ForkChanges {
  if (question === undefined) return { fields: changedFields(state, changes), remarks: [] }
  throw new ScholiumError('invalid_input', 'A run of your own workflow asks no question.', {
    hint: 'Change its state instead: --set key=value. "scholium runs show RUN --state" shows it.',
  })
}
