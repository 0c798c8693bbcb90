import type { AgentResult } from '../../agents/run/agent-result.ts'
import type { Answer } from '../../ask/result.ts'
import type { Accounts } from '../../kernel/run/accounts.ts'

/** What the run of an agent file came to, as people and programs get it; its form is public. */
export type AgentAnswer = {
  readonly schema: 'scholium.agent/1'
  readonly runId: string
  readonly workflow: 'agent'
} & AgentResult &
  Pick<Answer, 'usage' | 'costUsd' | 'timings' | 'models'>

/** A file's result with what the log says of its making. */
export function toAgentAnswer(
  runId: string,
  result: AgentResult,
  accounts: Accounts,
  models: Readonly<Record<string, string>>,
): AgentAnswer {
  const { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls, costUsd } = accounts
  const { wallMs, modelMs } = accounts
  const { schema, ...own } = result
  return {
    schema,
    runId,
    workflow: 'agent',
    ...own,
    usage: { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls },
    costUsd,
    timings: { wallMs, modelMs },
    models,
  }
}
