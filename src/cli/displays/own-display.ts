import type { OwnAnswer } from '../../app.ts'
import { describeStep } from '../progress/describe-step.ts'
import { jsonText } from '../render/print.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** A person's own workflow: its tool calls, and its output as JSON. */
export const ownDisplay: WorkflowDisplay<OwnAnswer> = {
  titleLabel: 'Title',
  hasAuthoredNodes: true,
  describe: describeStep,
  render: ({ output }) => jsonText(output),
}
