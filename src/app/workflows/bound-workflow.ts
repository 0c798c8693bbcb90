import type { StateChange } from '../../graph/change-state.ts'
import type { GraphPicture } from '../../graph/draw-graph.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import type { Place } from '../../kernel/run/place.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { NamedModels } from '../../models/model-settings.ts'
import type { BundledWorkflow } from '../../observe/bundle/bundled-workflow.ts'
import type { Right, RightKind } from '../trust/right.ts'

/** Any workflow: the form of its input and result is known to its own code alone. */
export type AnyWorkflow = Workflow<JsonObject, JsonObject>

/** A workflow with what an app gives it, ready to start, resume, replay and fork runs. */
export interface BoundWorkflow {
  /** Loads the workflow's code, which showing a result does not need. */
  workflow(): Promise<AnyWorkflow>
  /** The roles whose models its runs are recorded with. */
  readonly roles: readonly ModelRole[]
  /** Its own models, in place of the app's. */
  readonly models?: NamedModels
  /** What its runs are recorded with in addition to models. A resumed run keeps it. */
  readonly conditions: JsonObject
  /** What a fork changes in the state of its place. @throws `invalid_input` for what cannot be changed */
  forkChanges(state: JsonObject, place: Place, request: ForkRequest): Promise<ForkChanges>
  /**
   * The roles whose models may still be called after a place. Absent where that cannot be known in advance.
   * @param fields what a fork changes in the state there
   */
  rolesAhead?(state: JsonObject, fields: JsonObject, place: Place): Promise<readonly ModelRole[]>
}

/** What a fork changes in the state of its place. */
export interface ForkChanges {
  /** The changed fields, each whole. */
  readonly fields: JsonObject
  /** Changes that have no effect, and why; results of another question that the fork keeps. */
  readonly remarks: readonly string[]
  /** What the fork is listed as. Default: its parent's title. */
  readonly title?: string
}

/** What tells a workflow's runs from those of others. Every face reads it here; nothing shared asks for a workflow by name. */
export interface WorkflowFacts {
  /** The name under which its runs are recorded. */
  readonly name: string
  /** The command that resumes one of its runs, without the run's id. Default: `resume`. */
  readonly resumeCommand?: string
  /** What its runs do, where their results have no numbered references: `ran an agent file`. Absent: they have references. */
  readonly withoutReferences?: string
  /** Rights that a resumed run can do without, because it asks for each when it needs it. Default: none. */
  readonly rightsAskedLater?: readonly RightKind[]
  /** What writing and verifying a bundle of one of its runs needs. */
  readonly bundled?: BundledWorkflow
}

/** The graph of a run, for drawing. */
export type RunPicture = Omit<GraphPicture, 'edges'> & {
  /** What each node is, by name. */
  readonly captions?: Readonly<Record<string, string>>
  readonly edges: readonly (GraphPicture['edges'][number] & { readonly label?: string })[]
}

/** The workflows of an app: those of this program, and the person's own. */
export interface Workflows {
  /** What is known of a workflow; `undefined` for a name that nobody registered. */
  find(name: string): WorkflowFacts | undefined
  /**
   * The workflow of a recorded run, ready for it.
   * @param grants what a resumed run may have. Default, for one that is shown or replayed: what its record names
   * @param tools the program's own, of a resumed run
   * @throws `run_not_found`, `run_incompatible` for a workflow that is not registered
   */
  bind(runId: string, grants?: readonly Right[], tools?: readonly Tool[]): Promise<BoundWorkflow>
  /** The graph of a recorded run; `undefined` if it is not known. @throws `run_not_found` */
  draw(runId: string): Promise<RunPicture | undefined>
  /** A workflow that was added. @throws `invalid_configuration` for one that was not */
  findOwn(workflow: AnyWorkflow): BoundWorkflow
  /**
   * Adds a workflow of the person's own.
   * @param models its own, in place of the app's
   * @throws `invalid_configuration` for a name that is taken, or that keys of steps cannot begin with
   */
  add(workflow: AnyWorkflow, models?: NamedModels): BoundWorkflow
  /** Removes what workflows keep of runs outside of the log. */
  forget(runIds: readonly string[]): Promise<void>
}

/** What a fork changes. Roles for which the app has a model use it; the others keep the run's models. */
export interface ForkRequest {
  /** The step or node from which the run is executed again. Default: the beginning. */
  readonly at?: string
  /** Changes of the state there. */
  readonly changes?: readonly StateChange[]
  readonly question?: string
  /** Other models, by role; `default` stands for all roles but `embedding`. The others keep theirs. */
  readonly models?: NamedModels
}
