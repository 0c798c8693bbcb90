/** Agent files, for those who use the app: how they are run and what is said of them. */

export type { AgentAnswer } from '../runs/run-result.ts'
export type { AgentFeatures } from './agent-actions.ts'
export type { AgentCheck, AgentInspection } from './inspect-agent.ts'
export type { ActionLine } from './list-actions.ts'
export type { AgentSource, AgentText, ReadAgentOptions } from './read-agent.ts'
export type { AgentRunOptions } from './run-agent.ts'
