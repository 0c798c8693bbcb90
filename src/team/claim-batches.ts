import { createPassagePreparer, type PreparePassage } from '../claims/check/source-passage.ts'
import { batchClaims, type ClaimBatch } from '../claims/verify/batch-claims.ts'
import type { ClaimToJudge } from '../claims/verify/opinions.ts'
import type { Message } from '../kernel/agent/message.ts'
import { endsRun, type Failure, toFailure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence, openConversation } from './conversation.ts'
import type { Gap } from './gap.ts'

/** Maximum claims of one call, and maximum UTF-16 code units of its passages. */
const batchSize = { claims: 8, characters: 24_000 }

/** A model's answers about claims, from all batches. */
export interface BatchAnswers<T> {
  readonly answers: readonly T[]
  /** Claims that could not be asked about, or got no answer. */
  readonly gaps: readonly Gap[]
}

/** How a model is asked about claims. */
export interface BatchQuestion<T> {
  /** The role, as the gap names it. */
  readonly role: 'verifier' | 'rewriter'
  /** Prepares passages for comparison. Default: prepares each passage once. */
  readonly prepare?: PreparePassage | undefined
  ask(batch: ClaimBatch, context: RunContext): Promise<readonly T[]>
  /** Answers to use for claims that the model did not answer. */
  instead(asked: readonly ClaimToJudge[], why: string): readonly T[]
}

/**
 * Asks a model about claims in batches, all at once. A failed call does not throw and affects only the claims of its batch.
 */
export async function askInBatches<T>(
  context: RunContext,
  claims: readonly ClaimToJudge[],
  { role, prepare = createPassagePreparer(), ask, instead }: BatchQuestion<T>,
): Promise<BatchAnswers<T>> {
  const lost: { readonly count: number; readonly failure: Failure }[] = []
  const askOne = async (batch: ClaimBatch, index: number): Promise<readonly T[]> => {
    const { asked, passages } = batch
    if (passages.length === 0) return instead(asked, 'its passages are too long to show.')
    const given = await ask(batch, context.child(`${role}[${index + 1}]`)).catch(toCallFailure)
    if (!('code' in given)) return given
    lost.push({ count: asked.length, failure: given })
    return instead(asked, firstLine(given.message))
  }
  // All have ended before one that ends the run is reported.
  const settled = await Promise.allSettled([...batchClaims(claims, batchSize, prepare)].map(askOne))
  const answers = settled.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  return { answers, gaps: await reportUnanswered(context, role, claims.length, lost) }
}

/** A failure that concerns the call alone. @throws what ends the run, limits aside */
function toCallFailure(error: unknown): Failure {
  const failure = toFailure(error)
  if (failure.code !== 'limit_reached' && endsRun(failure.code)) throw error
  return failure
}

async function reportUnanswered(
  context: RunContext,
  role: string,
  count: number,
  lost: readonly { readonly count: number; readonly failure: Failure }[],
): Promise<readonly Gap[]> {
  const [first] = lost
  if (first === undefined) return []
  const left = lost.reduce((sum, one) => sum + one.count, 0)
  const detail = `${role}: ${left} of ${count} sentences got no answer: ${firstLine(first.failure.message)}`
  await context.notice(role, 'warning', detail)
  return [{ kind: first.failure.code === 'limit_reached' ? 'limit' : 'claims_unverified', detail }]
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').trim()
}

/** The conversation in which a model is asked about a batch: it sees sentences and passages, nothing else of the run. */
export function openBatch(
  context: RunContext,
  prompt: string,
  { asked, passages, shown }: ClaimBatch,
  describe: (one: ClaimToJudge) => {
    readonly wrong?: string
    readonly calculated?: readonly string[]
  },
): readonly Message[] {
  const lines = asked.map((one, index) => {
    const { claim, passages: own, before } = one
    const isPart = (shown[index] ?? 0) < own.length
    return JSON.stringify({
      claim: index + 1,
      ...(before !== undefined && { sentence_before: before }),
      sentence: claim.text,
      cites: claim.citations,
      ...describe(one),
      ...(isPart ? { passages_shown: `${shown[index]} of ${own.length}` } : {}),
    })
  })
  const values = { claims: lines.join('\n'), passages: describeEvidence(passages) }
  const count = asked.length === 1 ? 'one sentence' : `${asked.length} sentences`
  const isLinked = asked.some(({ before }) => before !== undefined)
  const close = `Give your answer for the ${count}.${isLinked ? ` ${linkedNote}` : ''}`
  return openConversation(context, prompt, values, close)
}

const linkedNote =
  '`sentence_before` only shows what words such as "it" refer to: it is neither evidence nor part of your answer.'
