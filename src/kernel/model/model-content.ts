import type {
  LanguageModelV4Content,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { Origin, Part } from '../agent/message.ts'
import { isNestedDeeper, type Json, maxJsonDepth } from '../json.ts'
import type { Usage } from '../run/event.ts'
import type { Price } from './model.ts'
import { splitThinking } from './model-thinking.ts'

/** What `model` gave back as our parts, thoughts in its text apart. Arguments that are no JSON stay text, for the tool's own check to refuse. */
export function fromModelContent(
  content: readonly LanguageModelV4Content[],
  model: string,
): readonly Part[] {
  return content.flatMap((item): Part[] => {
    if (item.type === 'text')
      return splitThinking(item.text).map(({ kind, text }) => ({ type: kind, text }))
    const origin = readOrigin(model, item.providerMetadata)
    if (item.type === 'reasoning') {
      const isEmpty = item.text === '' && origin.metadata === undefined
      return isEmpty ? [] : [{ type: 'reasoning', text: item.text, origin }]
    }
    // What the service executes itself is not for our tools.
    if (item.type !== 'tool-call' || item.providerExecuted === true) return []
    const { toolCallId, toolName, input } = item
    return [{ type: 'tool-call', toolCallId, toolName, input: parseArguments(input), origin }]
  })
}

function readOrigin(model: string, metadata: SharedV4ProviderMetadata | undefined): Origin {
  return metadata === undefined
    ? { model }
    : { model, metadata: metadata as Origin['metadata'] & {} }
}

/** What is nested too deep stays text: much that is done with a value goes as deep as it does. */
function parseArguments(text: string): Json {
  if (/^(?:null)?$/.test(text.trim())) return {}
  if (isNestedDeeper(text, maxJsonDepth)) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Tokens and their price. A count that the provider left out is 0. */
export function toUsage(usage: LanguageModelV4Usage, price: Price | null): Usage {
  const inputTokens = usage.inputTokens.total ?? 0
  const outputTokens = Math.max(usage.outputTokens.total ?? 0, countBilledOutput(usage.raw))
  const cache = {
    readTokens: usage.inputTokens.cacheRead ?? 0,
    writeTokens: usage.inputTokens.cacheWrite ?? 0,
  }
  return {
    inputTokens,
    ...(cache.readTokens === 0 ? {} : { cachedInputTokens: cache.readTokens }),
    outputTokens,
    costUsd: computeCostUsd(inputTokens, outputTokens, price, cache),
  }
}

/** Billed tokens other than the prompt: some services count reasoning only in the total. */
function countBilledOutput(raw: LanguageModelV4Usage['raw']): number {
  const { total_tokens: total, prompt_tokens: prompt } = raw ?? {}
  return typeof total === 'number' && typeof prompt === 'number' ? total - prompt : 0
}

/** Cost of tokens in US dollars; null if the price is unknown. Without data on the service's cache, the highest possible cost. */
export function computeCostUsd(
  inputTokens: number,
  outputTokens: number,
  price: Price | null,
  cache?: { readonly readTokens: number; readonly writeTokens: number },
): number | null {
  if (price === null) return null
  const { longPrompt } = price
  const rate = longPrompt !== undefined && inputTokens > longPrompt.aboveTokens ? longPrompt : price
  const { inputUsdPerMTok, outputUsdPerMTok } = rate
  const { cachedInputUsdPerMTok = inputUsdPerMTok, cacheWriteUsdPerMTok = inputUsdPerMTok } = rate
  const highest = Math.max(inputUsdPerMTok, cachedInputUsdPerMTok, cacheWriteUsdPerMTok)
  const { readTokens, writeTokens } = cache ?? { readTokens: 0, writeTokens: 0 }
  const plainTokens = Math.max(0, inputTokens - readTokens - writeTokens)
  const input =
    plainTokens * (cache === undefined ? highest : inputUsdPerMTok) +
    readTokens * cachedInputUsdPerMTok +
    writeTokens * cacheWriteUsdPerMTok
  return (input + outputTokens * outputUsdPerMTok) / 1e6
}
