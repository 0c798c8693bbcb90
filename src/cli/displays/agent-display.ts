import type { AgentAnswer } from '../../app.ts'
import { describeAgentEvent, isAgentFailure } from '../progress/describe-agent-event.ts'
import { renderAgent, renderAgentRun, tellAgentEnd } from '../render/render-agent.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** Agent files: what their nodes do, and what they gave. */
export const agentDisplay: WorkflowDisplay<AgentAnswer> = {
  titleLabel: 'Agent',
  hasAuthoredNodes: true,
  describe: describeAgentEvent,
  isToldElsewhere: isAgentFailure,
  render: renderAgentRun,
  renderOutput: renderAgent,
  tellEnd: tellAgentEnd,
}
