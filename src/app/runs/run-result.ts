import type { Answer } from '../../ask/result.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { accountsOf } from '../../kernel/run/accounts.ts'
import { type RunUsage, toRunAnswer } from '../../observe/run-answer.ts'
import type { AgentAnswer } from '../agents/agent-answer.ts'
import type { AppParts } from '../app-parts.ts'
import type { CodeAnswer } from '../code/code-answer.ts'
import type { PapersAnswer } from '../papers/papers-answer.ts'
import type { OwnResult } from '../workflows/own-definition.ts'
import { recordedConditions } from './recorded-conditions.ts'

/** What a run of a person's own workflow came to; its form is public. */
export type OwnAnswer = OwnResult & {
  readonly runId: string
  /** The workflow's name. */
  readonly workflow: string
} & RunUsage

/** What a run came to. `schema` tells which: an answer, a synthesis of papers, what an agent file gave, a session, an own workflow's output. */
export type RunResult = Answer | PapersAnswer | AgentAnswer | CodeAnswer | OwnAnswer

/**
 * A workflow's result as people and programs get it: with what the log says of its making. The one way from a result to an answer:
 * at the end of a run, of a replay, and for a recorded run. Bundles use the same.
 * @throws `run_not_found`
 */
export async function presentResult(
  parts: AppParts,
  runId: string,
  result: JsonObject,
): Promise<RunResult> {
  const { store } = parts
  const { workflow } = await store.get(runId)
  const schema = parts.workflows.find(workflow)?.bundled?.answerSchema
  const accounts = await accountsOf(store.events(runId, { withOutput: false }))
  const { models } = await recordedConditions(store, runId)
  const made = { schema, runId, workflow, result, accounts, models }
  return toRunAnswer(made) as unknown as RunResult
}
