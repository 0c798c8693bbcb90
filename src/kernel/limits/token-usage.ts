import type { RunContext } from '../run/run-context.ts'
import type { StepUse } from '../step/step-scope.ts'

/** Tokens used by steps. `embedding`: tokens of embedded texts, not included in `input`. */
export type TokenUsage = {
  readonly input: number
  readonly output: number
  readonly embedding: number
}

/** No tokens. */
export const noTokens: TokenUsage = { input: 0, output: 0, embedding: 0 }

/** The sum of both. */
export function addTokens(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    embedding: one.embedding + other.embedding,
  }
}

/**
 * A context with the same path that counts the logged usage of its steps, including those of derived contexts; the same in a
 * replay or a resumed run. An interrupted and repeated step counts once here; the log's accounts include both.
 */
export function countTokens(context: RunContext): {
  readonly counted: RunContext
  readonly tokens: () => TokenUsage
} {
  const { count: countOutside } = context.services
  let sum = noTokens
  const count = (facts: StepUse): void => {
    sum = addTokens(sum, toTokens(facts))
    countOutside?.(facts)
  }
  const counted = context.child('', { count })
  return { counted, tokens: () => sum }
}

function toTokens({ usage, isEmbedding }: StepUse): TokenUsage {
  const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
  return isEmbedding === true
    ? { input: 0, output: outputTokens, embedding: inputTokens }
    : { input: inputTokens, output: outputTokens, embedding: 0 }
}
