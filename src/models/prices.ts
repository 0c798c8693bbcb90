import type { Price, TokenPrice } from '../kernel/model/model.ts'

/** Published prices of some models, with their source. */
export interface PriceEntry {
  /** `provider:model`, each as the provider writes it. */
  readonly names: readonly string[]
  readonly price: Price
  /** The page with the figures: the provider's own, or one that quotes it. */
  readonly source: string
  /** When the page was read, as YYYY-MM-DD. */
  readonly readOn: string
}

const readOn = '2026-11-20'
const anthropicPage = 'https://platform.claude.com/docs/en/about-claude/pricing'
const anthropicModels = 'https://platform.claude.com/docs/en/models'
const openaiReading =
  'https://github.com/api-evangelist/openai/blob/main/plans/openai-plans-pricing.yml'
const geminiReading =
  'https://github.com/api-evangelist/gemini/blob/main/plans/gemini-plans-pricing.yml'
const embeddingReading = 'https://tokenmix.ai/blog/openai-embedding-pricing'
const geminiList = 'https://www.morphllm.com/gemini-api-pricing'

/** Input, output, cached input, cache write, in US dollars per million tokens, as far as published. */
type Rates = readonly [input: number, output: number, cached?: number, write?: number]

/**
 * Standard rates of the providers' own services. Models whose price is about to change, depends on the time of day or could not
 * be read are left out: an unknown price is reported as unknown.
 */
export const prices: readonly PriceEntry[] = [
  entry('anthropic', ['claude-fable-5-1'], [10, 50, 0.25, 12.5], anthropicPage),
  entry('anthropic', ['claude-fable-5'], [10, 50, 1, 12.5], anthropicPage),
  entry('anthropic', ['claude-opus-5-5'], [4, 20, 0.2, 5], `${anthropicModels}/opus-5-5/overview`),
  entry(
    'anthropic',
    [
      'claude-opus-5',
      'claude-opus-4-8',
      'claude-opus-4-7',
      'claude-opus-4-6',
      'claude-opus-4-5',
      'claude-opus-4-5-20251101',
    ],
    [5, 25, 0.5, 6.25],
    anthropicPage,
  ),
  entry(
    'anthropic',
    ['claude-sonnet-5-5'],
    [2, 10, 0.2, 2.5],
    `${anthropicModels}/sonnet-5-5/overview`,
  ),
  entry(
    'anthropic',
    ['claude-sonnet-5'],
    [2, 10, 0.2, 2.5],
    `${anthropicModels}/sonnet-5/overview`,
  ),
  entry(
    'anthropic',
    ['claude-sonnet-4-6', 'claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
    [3, 15, 0.3, 3.75],
    anthropicPage,
  ),
  entry(
    'anthropic',
    ['claude-haiku-5-5'],
    [0.1, 0.5, 0.01, 0.125],
    'https://apidog.com/blog/how-to-use-claude-haiku-5-5-api/',
    // For long prompts, the cache write price uses the same factor of 1.25 as the rest of Anthropic's page.
    { aboveTokens: 100_000, rates: [0.5, 2.5, 0.05, 0.625] },
  ),
  entry(
    'anthropic',
    ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    [1, 5, 0.1, 1.25],
    anthropicPage,
  ),
  entry(
    'openai',
    ['gpt-6.1-sol'],
    [2, 10, 0.1, 2.5],
    'https://dev.to/hassann/how-to-use-gpt-61-sol-apl--45cg',
    { aboveTokens: 272_000, rates: [4, 15, 0.2, 5] },
  ),
  entry(
    'openai',
    ['gpt-6-sol'],
    [2, 10, 0.2, 2.5],
    'https://github.com/merefield/codexometer/releases/tag/v0.18.4',
    { aboveTokens: 272_000, rates: [4, 15, 0.4, 5] },
  ),
  entry(
    'openai',
    ['gpt-6-luna'],
    [0.1, 0.5, 0.01, 0.125],
    'https://github.com/merefield/codexometer/releases/tag/v0.18.4',
    { aboveTokens: 272_000, rates: [0.2, 0.75, 0.02, 0.25] },
  ),
  entry('openai', ['gpt-5.5', 'gpt-5.5-2026-04-23'], [5, 30, 0.5], openaiReading, {
    aboveTokens: 272_000,
    rates: [10, 45, 1],
  }),
  entry('openai', ['gpt-5.4', 'gpt-5.4-2026-03-05'], [2.5, 15, 0.25], openaiReading, {
    aboveTokens: 272_000,
    rates: [5, 22.5, 0.5],
  }),
  entry('openai', ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'], [0.75, 4.5, 0.075], openaiReading),
  entry('openai', ['gpt-5.4-nano', 'gpt-5.4-nano-2026-03-17'], [0.2, 1.25, 0.02], openaiReading),
  entry(
    'openai',
    ['gpt-4.1', 'gpt-4.1-2025-04-14'],
    [2, 8],
    'https://tokenmath.io/openai-api-pricing-explained',
  ),
  entry(
    'openai',
    ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
    [0.4, 1.6],
    'https://tokenmath.io/openai-api-pricing-explained',
  ),
  entry('google', ['gemini-3.5-flash'], [1.5, 9], geminiReading),
  entry('google', ['gemini-3.1-pro-preview'], [2, 12], geminiReading, {
    aboveTokens: 200_000,
    rates: [4, 18],
  }),
  entry('google', ['gemini-2.5-pro'], [1.25, 10], geminiReading, {
    aboveTokens: 200_000,
    rates: [2.5, 15],
  }),
  entry('google', ['gemini-2.5-flash'], [0.3, 2.5], geminiList),
  entry('google', ['gemini-2.5-flash-lite'], [0.1, 0.4], geminiList),
  // Embeddings have no output.
  entry('openai', ['text-embedding-3-small'], [0.02, 0], embeddingReading),
  entry('openai', ['text-embedding-3-large'], [0.13, 0], embeddingReading),
  entry('openai', ['text-embedding-ada-002'], [0.1, 0], embeddingReading),
  entry('google', ['gemini-embedding-2'], [0.2, 0], geminiReading),
  entry(
    'google',
    ['gemini-embedding-001'],
    [0.15, 0],
    'https://opencode.ai/data/google/gemini-embedding-001.md',
  ),
]

/** The price table by model name. */
export const pricesByName: ReadonlyMap<string, Price> = new Map(
  prices.flatMap(({ names, price }) => names.map((name) => [name, price] as const)),
)

function entry(
  provider: string,
  models: readonly string[],
  rates: Rates,
  source: string,
  long?: { readonly aboveTokens: number; readonly rates: Rates },
): PriceEntry {
  const price: Price = {
    ...perMillion(rates),
    ...(long === undefined
      ? {}
      : { longPrompt: { aboveTokens: long.aboveTokens, ...perMillion(long.rates) } }),
  }
  return { names: models.map((model) => `${provider}:${model}`), price, source, readOn }
}

function perMillion([input, output, cached, write]: Rates): TokenPrice {
  return {
    inputUsdPerMTok: input,
    outputUsdPerMTok: output,
    ...(cached === undefined ? {} : { cachedInputUsdPerMTok: cached }),
    ...(write === undefined ? {} : { cacheWriteUsdPerMTok: write }),
  }
}
