import { loadPrompts } from '../../src/ask/prompts.ts'
import type { Claim, Verdict } from '../../src/citations/claim.ts'
import { applyOpinions, selectClaimsToJudge } from '../../src/claims/verify/opinions.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import type { Workflow } from '../../src/kernel/run/workflow.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { askVerifier } from '../../src/team/ask-verifier.ts'
import { runInMemory } from '../../src/testing/test-execution.ts'
import { judgeByCode } from './judge-by-code.ts'

type Judged = { readonly claim: Claim; readonly failures: readonly string[] }

/** Judges a claim by code and a verifier model, named `provider:name`, as a question does. A call that fails is an error. */
export function createVerifier(
  name: string,
): (claim: string, passages: Parameters<typeof judgeByCode>[1]) => Promise<Verdict> {
  const models = createModelSource({
    choices: { default: name },
    environment: process.env,
    builtIn: {},
  })
  const prompts = loadPrompts()
  return async (sentence, texts) => {
    const { claim, passages, citations } = judgeByCode(sentence, texts)
    const judge: Workflow<JsonObject, Judged> = {
      name: 'judge-claim',
      version: '1',
      promptHashes: {},
      title: () => sentence,
      async run(context) {
        const asked = selectClaimsToJudge([claim], passages, citations)
        const { answers, gaps } = await askVerifier({ prompts }, context, asked)
        const [judged = claim] = applyOpinions([claim], answers)
        return { claim: judged, failures: gaps.map(({ detail }) => detail) }
      },
      status: () => 'answered',
    }
    const { result } = await runInMemory(judge, { sentence }, { models, clock: systemClock })
    if (result.failures.length > 0) throw new Error(result.failures.join(' '))
    return result.claim.verdict
  }
}
