import * as z from 'zod'
import type { Claim } from '../citations/claim.ts'
import type { PreparePassage } from '../claims/check/source-passage.ts'
import { type ClaimOpinion, type ClaimToJudge, toUnjudged } from '../claims/verify/opinions.ts'
import { readVerdicts } from '../claims/verify/read-verdicts.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askInBatches, type BatchAnswers, openBatch } from './claim-batches.ts'
import { modelText } from './conversation.ts'
import type { SharedPrompts } from './prompt-files.ts'

const verdictsSchema = z.object({
  verdicts: z.array(
    z.object({
      claim: z.number().int(),
      verdict: z.enum(['supported', 'partial', 'contradicted', 'not_found']),
      quote: modelText.default(''),
      reason: modelText.default(''),
    }),
  ),
})

/** Whether the verifier is a language model. With the extractive engine, claims are checked by code only. */
export function hasVerifier({ services }: RunContext): boolean {
  return services.models.forRole('verifier').effect !== 'pure'
}

/** What else the verifier is told. */
export interface VerifierOptions {
  /** Prepares passages for comparison. Default: prepares each passage anew. */
  readonly prepare?: PreparePassage | undefined
  /** The calculations of the run that a claim states, such as `89.5 - 64.6 = 24.9`. */
  readonly calculationsIn?: (claim: Claim) => readonly string[]
}

/** Asks the verifier about claims: for each claim an opinion, or why there is none. */
export async function askVerifier(
  { prompts }: { readonly prompts: SharedPrompts },
  context: RunContext,
  claims: readonly ClaimToJudge[],
  { prepare, calculationsIn = () => [] }: VerifierOptions = {},
): Promise<BatchAnswers<ClaimOpinion>> {
  if (!hasVerifier(context)) return { answers: [], gaps: [] }
  const model = context.services.models.forRole('verifier')
  return askInBatches<ClaimOpinion>(context, claims, {
    role: 'verifier',
    prepare,
    async ask(batch, inBatch) {
      const messages = openBatch(inBatch, prompts.verifier, batch, ({ claim }) => {
        const calculated = calculationsIn(claim)
        return calculated.length === 0 ? {} : { calculated }
      })
      const request = { messages }
      const { value } = await callModelForObject(inBatch, 'model', model, request, verdictsSchema)
      return readVerdicts(value.verdicts, batch, model.name, prepare)
    },
    instead: (asked, why) => toUnjudged(asked, model.name, why),
  })
}
