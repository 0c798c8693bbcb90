import type { WorkflowAnswer } from '../../app.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { describeStep } from '../progress/describe-step.ts'
import { jsonText } from '../render/print.ts'
import { agentDisplay } from './agent-display.ts'
import { askDisplay } from './ask-display.ts'
import { codeDisplay } from './code-display.ts'
import { papersDisplay } from './papers-display.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** How each workflow is shown. A new workflow is one more row. */
const displays: ReadonlyMap<string, WorkflowDisplay> = new Map<string, WorkflowDisplay>([
  ['ask', askDisplay],
  ['papers', papersDisplay],
  ['agent', agentDisplay],
  ['code', codeDisplay],
])

/** How the runs of a workflow are shown; a person's own workflow has a generic display. */
export function findDisplay(workflow: string): WorkflowDisplay {
  return displays.get(workflow) ?? ownDisplay
}

/** The same for an event: the keys of its nodes and steps begin with the workflow's name. */
export function findDisplayOfEvent({
  key,
  data,
}: Pick<LiveEvent, 'key' | 'data'>): WorkflowDisplay {
  const { workflow, boundary } = data as {
    readonly workflow?: unknown
    readonly boundary?: unknown
  }
  const path = key || String(workflow ?? boundary ?? '')
  return findDisplay(path.split('/', 1)[0] ?? '')
}

/** A person's own workflow: tool calls, and the output as JSON. */
const ownDisplay: WorkflowDisplay<WorkflowAnswer> = {
  titleLabel: 'Title',
  hasAuthoredNodes: true,
  describe: describeStep,
  render: ({ output }) => jsonText(output),
}
