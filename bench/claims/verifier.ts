import { loadPrompts } from '../../src/ask/prompts.ts'
import type { Claim, ReadPassage, Verdict } from '../../src/citations/claim.ts'
import type { MintedNumber } from '../../src/citations/ledger.ts'
import { applyOpinions, selectClaimsToJudge } from '../../src/claims/verify/opinions.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import type { Workflow } from '../../src/kernel/run/workflow.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { askVerifier } from '../../src/team/ask-verifier.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { judgeByCode } from './judge-by-code.ts'

/** Claims as code judged them, with what they cite. */
interface ClaimsByCode {
  readonly claims: readonly Claim[]
  readonly passages: readonly ReadPassage[]
  readonly citations: readonly MintedNumber[]
}

type Judged = { readonly claims: readonly Claim[]; readonly failures: readonly string[] }

const prompts = loadPrompts()

/** Has a verifier model judge what code leaves undecided, as a question does. @throws if a call fails */
export async function verifyClaims(
  models: ModelSource,
  { claims, passages, citations }: ClaimsByCode,
): Promise<readonly Claim[]> {
  const judge: Workflow<JsonObject, Judged> = {
    name: 'judge-claims',
    version: '1',
    promptHashes: {},
    title: () => claims.map(({ text }) => text).join(' '),
    async run(context) {
      const asked = selectClaimsToJudge(claims, passages, citations)
      const { answers, gaps } = await askVerifier({ prompts }, context, asked)
      const failures = gaps.map(({ detail }) => detail)
      return { claims: applyOpinions(claims, answers), failures }
    },
    status: () => 'answered',
  }
  const { result } = await runInMemory(judge, {}, { models, clock: systemClock })
  if (result.failures.length > 0) throw new Error(result.failures.join(' '))
  return result.claims
}

/** Judges a claim by code and a verifier model, named `provider:name`. A call that fails is an error. */
export function createVerifier(
  name: string,
): (claim: string, texts: Parameters<typeof judgeByCode>[1]) => Promise<Verdict> {
  const models = createModelSource({
    choices: { default: name },
    environment: process.env,
    builtIn: {},
  })
  return async (sentence, texts) => {
    const { claim, ...cited } = judgeByCode(sentence, texts)
    const [judged = claim] = await verifyClaims(models, { claims: [claim], ...cited })
    return judged.verdict
  }
}
