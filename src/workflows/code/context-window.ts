/** How many tokens a model takes at once, and where that is written. */
export interface ContextWindow {
  readonly tokens: number
  /** An address; absent where it is not known of this model, and a small one is assumed. */
  readonly source?: string
}

const openai = 'https://platform.openai.com/docs/models'
const anthropic = 'https://docs.anthropic.com/en/docs/about-claude/models/overview'
const google = 'https://ai.google.dev/gemini-api/docs/models'
const meta = 'https://huggingface.co/meta-llama'
const qwen = 'https://huggingface.co/Qwen'
const mistral = 'https://docs.mistral.ai/getting-started/models/models_overview/'
const deepseek = 'https://api-docs.deepseek.com/quick_start/pricing'

/** By how the model's name begins, the provider left out; the first that fits counts. */
const windows: readonly (readonly [beginning: string, tokens: number, source: string])[] = [
  ['gpt-5', 400_000, openai],
  ['gpt-4.1', 1_047_576, openai],
  ['gpt-4o', 128_000, openai],
  ['gpt-4-turbo', 128_000, openai],
  ['gpt-oss', 131_072, 'https://huggingface.co/openai/gpt-oss-20b'],
  ['gpt-3.5-turbo', 16_385, openai],
  ['o1', 200_000, openai],
  ['o3', 200_000, openai],
  ['o4-mini', 200_000, openai],
  ['claude', 200_000, anthropic],
  ['gemini-1.5-pro', 2_097_152, google],
  ['gemini', 1_048_576, google],
  ['llama3.1', 131_072, meta],
  ['llama3.2', 131_072, meta],
  ['llama3.3', 131_072, meta],
  ['llama-3', 131_072, meta],
  ['llama3', 8_192, meta],
  ['qwen3-coder', 262_144, qwen],
  ['qwen3', 40_960, qwen],
  ['qwen2.5-coder', 32_768, qwen],
  ['qwen2.5', 32_768, qwen],
  ['devstral', 131_072, mistral],
  ['codestral', 262_144, mistral],
  ['mistral', 131_072, mistral],
  ['deepseek', 131_072, deepseek],
]

/** What is assumed of a model that is not known: one that has more is only compacted for sooner than need be. */
export const assumedWindowTokens = 32_000

/**
 * Servers of one's own cut what is longer than they were set up for, without saying so.
 * @see https://docs.ollama.com/context-length
 */
const ownServers: readonly string[] = ['ollama', 'lmstudio']

/** The window of a model. @param name `provider:model` */
export function contextWindowOf(name: string): ContextWindow {
  const at = name.indexOf(':')
  const provider = name.slice(0, Math.max(at, 0))
  const model = name
    .slice(at + 1)
    .toLowerCase()
    .replace(/^.*\//, '')
  const [, tokens = 0, source = ''] =
    windows.find(([beginning]) => model.startsWith(beginning)) ?? []
  if (tokens === 0) return { tokens: assumedWindowTokens }
  if (ownServers.includes(provider) && tokens > assumedWindowTokens)
    return { tokens: assumedWindowTokens }
  return { tokens, source }
}
