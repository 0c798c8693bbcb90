import type { AgentResult } from '../../agents/run/agent-result.ts'
import type { Answer } from '../../ask/result.ts'
import type { CodeResult } from '../../code/result.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { sumAccounts } from '../../kernel/run/accounts.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { resultSoFar } from '../../kernel/run/state-at.ts'
import { type RunUsage, toRunAnswer } from '../../observe/run-answer.ts'
import type { PapersResult } from '../../papers/result.ts'
import type { AppParts } from '../app-parts.ts'
import type { OwnResult } from '../workflows/own-definition.ts'
import { recordedConditions } from './recorded-conditions.ts'

/** The result of a run of your own workflow. */
export type WorkflowAnswer = OwnResult & {
  readonly runId: string
  /** The workflow's name. */
  readonly workflow: string
} & RunUsage

/** The result of a run; `schema` tells which kind: a question, papers, an agent file, a session, or your own workflow. */
export type RunResult = Answer | PapersAnswer | AgentAnswer | CodeAnswer | WorkflowAnswer

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
  const accounts = await sumAccounts(store.events(runId, { withOutput: false }))
  const { models } = await recordedConditions(store, runId)
  const made = { schema, runId, workflow, result, accounts, models }
  return toRunAnswer(made) as RunResult
}

/** The result of running an agent file. */
export type AgentAnswer = {
  readonly schema: 'scholium.agent/1'
  readonly runId: string
  readonly workflow: 'agent'
} & AgentResult &
  RunUsage

/** Which earlier run a result comes from: one with the same query, or with one of the same meaning. */
export type ReusedPapers = {
  readonly by: 'same' | 'meaning'
  /** The earlier run's query. */
  readonly query: string
  /** When it started, in ISO 8601. */
  readonly createdAt: string
  /** For a query of the same meaning: the cosine similarity of the two queries, 0.95 to 1. */
  readonly similarity?: number
}

/** The result of a review of papers. Usage, cost and times are those of the run that made it. */
export type PapersAnswer = {
  readonly schema: 'scholium.papers/1'
  readonly runId: string
  readonly workflow: 'papers'
} & PapersResult &
  RunUsage & {
    /** Set if the result is an earlier run's. */
    readonly reused?: ReusedPapers
  }

/** The result of a coding session. */
export type CodeAnswer = {
  readonly schema: 'scholium.code/1'
  readonly runId: string
  readonly workflow: 'code'
} & CodeResult &
  RunUsage

/** What a run that has ended came to, or so far a session that waits; `undefined` for another one that has not ended. */
export async function recordedResult(
  parts: AppParts,
  runId: string,
): Promise<RunResult | undefined> {
  let finished: RunEvent | undefined
  for await (const event of parts.store.events(runId, { types: ['run.finished', 'run.resumed'] })) {
    finished = event.type === 'run.finished' ? event : undefined
  }
  if (finished !== undefined) return presentResult(parts, runId, finished.output as JsonObject)
  const bound = await parts.workflows.bind(runId)
  const soFar = await resultSoFar(await bound.workflow(), parts.store, runId)
  return soFar === undefined ? undefined : presentResult(parts, runId, soFar)
}
