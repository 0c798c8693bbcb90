import { ScholiumError } from '../../kernel/errors.ts'
import type { BundledWorkflow } from '../../observe/bundle/bundled-workflow.ts'
import { agentDefinition } from '../agents/agent-definition.ts'
import type { AppParts } from '../app-parts.ts'
import { askDefinition } from '../ask/ask-definition.ts'
import { codeDefinition } from '../code/code-definition.ts'
import { papersDefinition } from '../papers/papers-definition.ts'
import type { Right } from '../trust/right.ts'
import { ownDefinition } from './own-definition.ts'
import type { AnyWorkflow, BoundWorkflow, WorkflowDefinition } from './workflow-definition.ts'

/** The workflows of this program. A new one is one more row. */
const builtInDefinitions: readonly WorkflowDefinition[] = [
  askDefinition,
  papersDefinition,
  agentDefinition,
  codeDefinition,
]

/** What bundles of this program's workflows are made and verified with, by the workflow's name. */
export const bundledWorkflows: ReadonlyMap<string, BundledWorkflow> = new Map(
  builtInDefinitions.flatMap(({ name, bundled }) =>
    bundled === undefined ? [] : [[name, bundled]],
  ),
)

/** The workflows of one app: those of this program, and the person's own. */
export class WorkflowRegistry {
  private readonly definitions = new Map(builtInDefinitions.map((one) => [one.name, one]))

  /** @throws `invalid_configuration` for a name that is taken, or that keys of steps cannot begin with */
  constructor(own: readonly AnyWorkflow[] = []) {
    for (const workflow of own) this.add(workflow)
  }

  /** The definition of a workflow; `undefined` for a name that nobody registered. */
  find(name: string): WorkflowDefinition | undefined {
    return this.definitions.get(name)
  }

  /**
   * The workflow of a recorded run, ready for it.
   * @param grants as of {@link WorkflowDefinition.bind}
   * @throws `run_not_found`, `run_incompatible` for a workflow that is not registered
   */
  async bind(parts: AppParts, runId: string, grants?: readonly Right[]): Promise<BoundWorkflow> {
    const { workflow } = await parts.store.get(runId)
    const definition = this.find(workflow)
    if (definition !== undefined) return definition.bind(parts, runId, grants)
    throw new ScholiumError(
      'run_incompatible',
      `Run ${runId} is of the workflow "${workflow}", which is not known here.`,
      {
        hint: `Use the program that made it: one that gives "${workflow}" to createApp, or another version.`,
        details: { runId, workflow },
      },
    )
  }

  /** Removes what workflows keep of runs outside of the log. */
  async forget(parts: AppParts, runIds: readonly string[]): Promise<void> {
    for (const definition of this.definitions.values()) await definition.forget?.(parts, runIds)
  }

  private add(workflow: AnyWorkflow): void {
    const { name } = workflow
    const problem = this.definitions.has(name)
      ? 'is already the name of a workflow'
      : /^[\w-]+$/.test(name)
        ? undefined
        : 'cannot be the name of a workflow'
    if (problem !== undefined)
      throw new ScholiumError('invalid_configuration', `"${name}" ${problem}.`, {
        hint: 'Use another name, of letters, digits, "_" and "-".',
      })
    this.definitions.set(name, ownDefinition(workflow))
  }
}
