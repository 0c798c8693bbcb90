import type { PapersAnswer } from '../../app.ts'
import type { Failure } from '../../kernel/errors.ts'
import { withResume } from './answer-advice.ts'
import { oneLine } from './text.ts'

/** What the person can do about a synthesis that is none, or not whole; empty where the answer says it itself. */
export function paperAdvice(answer: PapersAnswer, failure: Failure | null): string {
  const { stopReason, error, runId } = answer
  switch (stopReason) {
    case 'no_evidence':
      return `The papers were read, but none of them answers the query. Widen the query, or read more papers (-n). To see what each paper says: scholium runs show ${runId}`
    case 'limit':
      return `A limit was reached. To continue from here with a higher limit, repeating nothing: scholium resume ${runId} --max-seconds N (or --max-tokens, --max-cost-usd, --max-steps, --max-log-mb)`
    case 'error': {
      const hint = error?.hint ?? failure?.hint ?? ''
      const canGoOn = (error ?? failure)?.retryable === true
      return oneLine(canGoOn ? withResume(hint, `scholium resume ${runId}`) : hint)
    }
    default:
      return ''
  }
}
