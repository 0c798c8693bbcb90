import type { Tool } from '../../kernel/agent/tool.ts'
import type { AppParts } from '../app-parts.ts'
import type { Right } from '../trust/right.ts'
import type { BoundWorkflow, RunPicture, WorkflowFacts } from './bound-workflow.ts'

/** Everything the app knows of a workflow. */
export interface WorkflowDefinition extends WorkflowFacts {
  /** Removes what is kept of its runs outside of the log, when these runs are removed; ids of other workflows' runs among them. */
  forget?(parts: AppParts, runIds: readonly string[]): Promise<void>
  /** Draws the graph of one of its runs. Absent: its runs have none, or it is not known. */
  draw?(parts: AppParts, runId: string): Promise<RunPicture | undefined>
  /**
   * Gets the workflow ready for one of its recorded runs.
   * @param grants what a resumed run may have. Default, for one that is shown or replayed: what its record names
   * @param tools the program's own, of a resumed run
   */
  bind(
    parts: AppParts,
    runId: string,
    grants?: readonly Right[],
    tools?: readonly Tool[],
  ): Promise<BoundWorkflow>
}
