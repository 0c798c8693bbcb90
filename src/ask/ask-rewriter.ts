import * as z from 'zod'
import type { Claim } from '../citations/claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import { isPlainText } from '../claims/verify/foreign-addresses.ts'
import type { ClaimToJudge } from '../claims/verify/opinions.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type Asked, askInBatches, openBatch } from '../team/claim-batches.ts'
import { modelText } from '../team/conversation.ts'
import type { TeamParts } from './team.ts'

const sentencesSchema = z.object({
  sentences: z.array(z.object({ claim: z.number().int(), sentence: modelText.nullable() })),
})

/** A sentence that may take a claim's place. */
export interface Rewrite {
  readonly claim: Claim
  readonly text: string
}

/** Claims in other words, by the finalizer's model, each once; without those for which it has none that could be used. */
export async function askRewriter(
  team: TeamParts,
  context: RunContext,
  claims: readonly ClaimToJudge[],
): Promise<Asked<Rewrite>> {
  const model = context.services.models.forRole('finalizer')
  if (model.effect === 'pure') return { answers: [], gaps: [] }
  return askInBatches<Rewrite>(context, claims, {
    role: 'rewriter',
    async ask(batch, inBatch) {
      const wrong = ({ claim }: ClaimToJudge) => ({ wrong: claim.reason })
      const messages = openBatch(inBatch, team.prompts.rewriter, batch, wrong)
      const request = { messages }
      const { value } = await callModelForObject(inBatch, 'model', model, request, sentencesSchema)
      return batch.asked.flatMap(({ claim }, index) => {
        const said = value.sentences.find((one) => one.claim === index + 1)?.sentence ?? ''
        const text = usableSentence(said, claim)
        return text === undefined ? [] : [{ claim, text }]
      })
    },
    instead: () => [],
  })
}

/**
 * A rewritten sentence as it can take the place of a claim: one that asserts and cites, no number that the claim did not cite, no
 * link, image or HTML, a table's row as a row of as many cells. `undefined` where it is none.
 */
export function usableSentence(said: string, { text, citations }: Claim): string | undefined {
  const sentence = said.replace(/\s+/g, ' ').trim()
  const found = splitClaims(sentence)
  const [only] = found
  if (found.length !== 1 || only?.text !== sentence || sentence === text) return undefined
  if (!isPlainText(sentence) || /[?？]["”’)*_\s]*$/.test(only.plain)) return undefined
  const isCiting = only.citations.length > 0 && only.citations.every((n) => citations.includes(n))
  return isCiting && cellsOf(sentence) === cellsOf(text) ? sentence : undefined
}

/** How many marks divide a table's row; 0 for what is none. */
function cellsOf(text: string): number {
  return text.startsWith('|') ? text.replaceAll('\\|', '').split('|').length : 0
}
