import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { NamedModels } from '../../models/model-settings.ts'
import type { BundledWorkflow } from '../../observe/bundle/bundled-workflow.ts'
import { agentDefinition } from '../agents/agent-definition.ts'
import { AppParts } from '../app-parts.ts'
import { askDefinition } from '../ask/ask-definition.ts'
import { codeDefinition } from '../code/code-definition.ts'
import type { AppOptions } from '../options.ts'
import { papersDefinition } from '../papers/papers-definition.ts'
import type { Right } from '../trust/right.ts'
import type { AnyWorkflow, BoundWorkflow, RunPicture, Workflows } from './bound-workflow.ts'
import { clientFunctions } from './client-functions.ts'
import { bindOwn, ownDefinition } from './own-definition.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

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

/**
 * The parts of an app with its workflows. @throws `invalid_configuration` for an invalid model, or a workflow whose
 * name cannot be used
 */
export function createAppParts(options: AppOptions): AppParts {
  return new AppParts(options, (parts) => new WorkflowRegistry(parts))
}

/** The workflows of one app, from the built-in table and the app's options. */
class WorkflowRegistry implements Workflows {
  private readonly parts: AppParts
  private readonly definitions = new Map(builtInDefinitions.map((one) => [one.name, one]))

  private readonly own = new Map<AnyWorkflow, BoundWorkflow>()

  /** @throws `invalid_configuration` for a name that is taken, or that keys of steps cannot begin with */
  constructor(parts: AppParts) {
    this.parts = parts
    for (const workflow of [clientFunctions, ...(parts.options.workflows ?? [])]) this.add(workflow)
  }

  find(name: string): WorkflowDefinition | undefined {
    return this.definitions.get(name)
  }

  findOwn(workflow: AnyWorkflow): BoundWorkflow {
    const bound = this.own.get(workflow)
    if (bound !== undefined) return bound
    throw new ScholiumError(
      'invalid_configuration',
      `The app does not know the workflow "${workflow.name}".`,
      {
        hint: `Give it to the app, so that its runs can be resumed: createApp({ workflows: [${workflow.name}] }).`,
      },
    )
  }

  async bind(
    runId: string,
    grants?: readonly Right[],
    tools?: readonly Tool[],
  ): Promise<BoundWorkflow> {
    const { workflow } = await this.parts.store.get(runId)
    const definition = this.find(workflow)
    if (definition !== undefined) return definition.bind(this.parts, runId, grants, tools)
    throw new ScholiumError(
      'run_incompatible',
      `Run ${runId} is of the workflow "${workflow}", which is not known here.`,
      {
        hint: `Use the program that made it: one that gives "${workflow}" to createApp, or another version.`,
        details: { runId, workflow },
      },
    )
  }

  async draw(runId: string): Promise<RunPicture | undefined> {
    const { workflow } = await this.parts.store.get(runId)
    return this.find(workflow)?.draw?.(this.parts, runId)
  }

  async forget(runIds: readonly string[]): Promise<void> {
    for (const definition of this.definitions.values())
      await definition.forget?.(this.parts, runIds)
  }

  add(workflow: AnyWorkflow, models?: NamedModels): BoundWorkflow {
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
    const bound = bindOwn(workflow, models)
    this.definitions.set(name, ownDefinition(name, bound))
    this.own.set(workflow, bound)
    return bound
  }
}
