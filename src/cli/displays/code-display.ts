import type { CodeAnswer } from '../../app.ts'
import { describeStep } from '../progress/describe-step.ts'
import { renderCode, tellCodeEnd } from '../render/render-code.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** Sessions of the coding agent, outside of their own screen. */
export const codeDisplay: WorkflowDisplay<CodeAnswer> = {
  titleLabel: 'Task',
  describe: describeStep,
  render: renderCode,
  tellEnd: tellCodeEnd,
}
