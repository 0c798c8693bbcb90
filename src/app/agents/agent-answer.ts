import type { AgentResult } from '../../agents/run/agent-result.ts'
import type { RunUsage } from '../../observe/run-answer.ts'

/** What the run of an agent file came to, as people and programs get it; its form is public. */
export type AgentAnswer = {
  readonly schema: 'scholium.agent/1'
  readonly runId: string
  readonly workflow: 'agent'
} & AgentResult &
  RunUsage
