import { batchClaims, type ClaimBatch, type WordsIn } from '../claims/verify/batch-claims.ts'
import type { ClaimToJudge } from '../claims/verify/opinions.ts'
import type { Message } from '../kernel/agent/message.ts'
import { endsRun, type Failure, toFailure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence, openConversation } from './conversation.ts'
import type { Gap } from './gap.ts'

/** Maximum claims of one call, and maximum UTF-16 code units of its passages. */
const batchSize = { claims: 8, characters: 20_000 }

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
  /** Reads the words of a passage. Default: reads each passage once. */
  readonly wordsIn?: WordsIn
  ask(batch: ClaimBatch, context: RunContext): Promise<readonly T[]>
  /** Answers to use for claims that the model did not answer. */
  instead(asked: readonly ClaimToJudge[], why: string): readonly T[]
}

/**
 * Asks a model about claims in batches. A failed call does not throw: a malformed answer affects only the claims of its batch,
 * and after any other failure the model is not asked again.
 */
export async function askInBatches<T>(
  context: RunContext,
  claims: readonly ClaimToJudge[],
  { role, wordsIn, ask, instead }: BatchQuestion<T>,
): Promise<BatchAnswers<T>> {
  const answers: T[] = []
  const lost: { readonly count: number; readonly failure: Failure }[] = []
  let ending: Failure | undefined
  let index = 0
  for (const batch of batchClaims(claims, batchSize, wordsIn)) {
    index++
    const { asked, passages } = batch
    if (passages.length === 0) {
      answers.push(...instead(asked, 'its passages are too long to show.'))
      continue
    }
    const given =
      ending ?? (await ask(batch, context.child(`${role}[${index}]`)).catch(toCallFailure))
    if (!('code' in given)) {
      answers.push(...given)
      continue
    }
    if (given.code !== 'model_output_malformed') ending = given
    lost.push({ count: asked.length, failure: given })
    answers.push(...instead(asked, firstLine(given.message)))
  }
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
  describe: (one: ClaimToJudge) => { readonly wrong?: string },
): readonly Message[] {
  const lines = asked.map((one, index) => {
    const { claim, passages: own } = one
    const isPart = (shown[index] ?? 0) < own.length
    return JSON.stringify({
      claim: index + 1,
      sentence: claim.text,
      cites: claim.citations,
      ...describe(one),
      ...(isPart ? { passages_shown: `${shown[index]} of ${own.length}` } : {}),
    })
  })
  const values = { claims: lines.join('\n'), passages: describeEvidence(passages) }
  const count = asked.length === 1 ? 'one sentence' : `${asked.length} sentences`
  return openConversation(context, prompt, values, `Give your answer for the ${count}.`)
}
