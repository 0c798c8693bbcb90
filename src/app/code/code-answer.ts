import type { CodeResult } from '../../code/result.ts'
import type { RunUsage } from '../../observe/run-answer.ts'

/** What a session came to, as people and programs get it; its form is public. */
export type CodeAnswer = {
  readonly schema: 'scholium.code/1'
  readonly runId: string
  readonly workflow: 'code'
} & CodeResult &
  RunUsage
