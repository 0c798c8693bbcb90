import type { ModelBinding } from '../model/model.ts'

/** What an answer gets under a limit that leaves more than that; what is counted for one of which nothing is known. Tokens. */
export const usualOutputTokens = 4_096

/** With less left than this, a call is not worth making: a limit is reached then. Tokens. */
export const leastOutputTokens = 1_024

/** What is assumed of a model whose window is not known, where its prompts have to be kept short. Tokens. */
export const assumedWindowTokens = 32_000

/** Text has three to four bytes a token, most of it; dense notation and some languages have fewer. */
const bytesPerToken = 3

/** What one answer of a model may have of which no maximum is known. */
const unknownOutputTokens = 32_000

type Capped = Pick<ModelBinding, 'maxOutputTokens' | 'sizes'>

/**
 * The most tokens that an answer to a prompt may have: what the person allows, else what the model can, and no more than the prompt
 * leaves of its window, by the prompt's size, but always a usual answer. `Infinity` where nothing says.
 */
export function mostOutputTokens(binding: Capped, promptBytes: number): number {
  const { windowTokens = Infinity } = binding.sizes ?? {}
  const rest = Math.max(usualOutputTokens, windowTokens - Math.ceil(promptBytes / bytesPerToken))
  return Math.min(configuredCap(binding) ?? Infinity, rest)
}

/** The cap with which a prompt is sent where no limit binds; `undefined` for a server that has its own. */
export function sentOutputTokens(binding: Capped, promptBytes: number): number | undefined {
  return configuredCap(binding) === undefined ? undefined : mostOutputTokens(binding, promptBytes)
}

/** What is set aside for an answer that is still to come. */
export function outputShare(binding: Capped): number {
  return Math.min(configuredCap(binding) ?? Infinity, usualOutputTokens)
}

function configuredCap({ maxOutputTokens, sizes = {} }: Capped): number | undefined {
  if (maxOutputTokens !== null) return maxOutputTokens
  return sizes.isUncapped ? undefined : (sizes.outputTokens ?? unknownOutputTokens)
}
