import type { ModelBinding } from '../model/model.ts'

/** Output tokens reserved for an answer, unless the budget or the model allows fewer. */
export const usualOutputTokens = 4_096

/** Below this many output tokens a call is not worth making: the limit counts as reached. */
export const minOutputTokens = 1_024

/** Context window in tokens assumed for a model whose window is unknown, when prompts must be kept short. */
export const assumedWindowTokens = 32_000

/** Bytes per token of text: usually three to four, fewer in dense notation and some languages. */
const bytesPerToken = 3

/** Maximum answer length in tokens for a model whose maximum is unknown. */
const unknownOutputTokens = 32_000

type Capped = Pick<ModelBinding, 'maxOutputTokens' | 'sizes'>

/**
 * Maximum number of tokens in the answer to a prompt: the configured cap, else the model's maximum, reduced to what the prompt
 * leaves of the context window but never below a usual answer. `Infinity` if nothing is known.
 */
export function resolveMaxOutputTokens(binding: Capped, promptBytes: number): number {
  const { windowTokens = Infinity } = binding.sizes ?? {}
  const rest = Math.max(usualOutputTokens, windowTokens - Math.ceil(promptBytes / bytesPerToken))
  return Math.min(configuredCap(binding) ?? Infinity, rest)
}

/** The cap sent with a prompt if no limit applies; `undefined` for a server that has its own. */
export function requestedOutputTokens(binding: Capped, promptBytes: number): number | undefined {
  return configuredCap(binding) === undefined
    ? undefined
    : resolveMaxOutputTokens(binding, promptBytes)
}

/** Output tokens to set aside for a future answer. */
export function outputShare(binding: Capped): number {
  return Math.min(configuredCap(binding) ?? Infinity, usualOutputTokens)
}

function configuredCap({ maxOutputTokens, sizes = {} }: Capped): number | undefined {
  if (maxOutputTokens !== null) return maxOutputTokens
  return sizes.isUncapped ? undefined : (sizes.outputTokens ?? unknownOutputTokens)
}
