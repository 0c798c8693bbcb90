import type { Answer } from '../../ask/result.ts'
import type { CitedSource } from '../../citations/claim.ts'
import { type ClaimPair, pairClaims } from '../../claims/pair-claims.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from './run-id.ts'
import { type PapersAnswer, recordedResult } from './run-result.ts'

/** What of a run's answer is compared and shown. */
export type ComparedRun = Pick<
  Answer | PapersAnswer,
  | 'runId'
  | 'workflow'
  | 'question'
  | 'status'
  | 'models'
  | 'coverage'
  | 'usage'
  | 'costUsd'
  | 'timings'
>

/** Two runs' answers, claim by claim. */
export interface RunDiff {
  readonly schema: 'scholium.diff/1'
  /** The first run and the second. */
  readonly runs: readonly [ComparedRun, ComparedRun]
  /** Whether both have the same status and claims, with the same sources and verdicts. */
  readonly isSame: boolean
  /** In the order of the first answer; claims that only the second has come last. */
  readonly claims: readonly ClaimPair[]
  /** The sources that the answers list, by what they contained when they were read. */
  readonly sources: {
    readonly both: readonly CitedSource[]
    readonly firstOnly: readonly CitedSource[]
    readonly secondOnly: readonly CitedSource[]
  }
}

/** @see App.diff */
export async function diffRuns(parts: AppParts, first: string, second: string): Promise<RunDiff> {
  const one = await answerOf(parts, await findRunId(parts.store, first))
  const other = await answerOf(parts, await findRunId(parts.store, second))
  const claims = pairClaims(one, other)
  const isSame =
    one.status === other.status &&
    claims.every(
      (pair) =>
        pair.first !== undefined && pair.second !== undefined && pair.differences.length === 0,
    )
  const isIn = (citations: readonly CitedSource[], { sourceId }: CitedSource) =>
    citations.some((source) => source.sourceId === sourceId)
  return {
    schema: 'scholium.diff/1',
    runs: [describe(one), describe(other)],
    isSame,
    claims,
    sources: {
      both: one.citations.filter((source) => isIn(other.citations, source)),
      firstOnly: one.citations.filter((source) => !isIn(other.citations, source)),
      secondOnly: other.citations.filter((source) => !isIn(one.citations, source)),
    },
  }
}

async function answerOf(parts: AppParts, runId: string): Promise<Answer | PapersAnswer> {
  const result = await recordedResult(parts, runId)
  if (result === undefined)
    throw new ScholiumError('invalid_input', `Run ${runId} has no answer yet.`, {
      hint: `Resume it first: scholium resume ${runId}`,
    })
  if (result.schema === 'scholium.answer/1' || result.schema === 'scholium.papers/1')
    return result as Answer | PapersAnswer
  throw new ScholiumError(
    'invalid_input',
    `Run ${runId} (${result.workflow}) has no claims that could be compared.`,
    { hint: 'Only questions and reviews of papers can be compared.' },
  )
}

function describe(answer: Answer | PapersAnswer): ComparedRun {
  const { runId, workflow, question, status, models, coverage, usage, costUsd, timings } = answer
  return { runId, workflow, question, status, models, coverage, usage, costUsd, timings }
}
