import { assumedWindowTokens } from '../kernel/limits/output-cap.ts'
import type { ModelSizes } from '../kernel/model/model.ts'
import { splitName } from './model-name.ts'

/** A model's context window in tokens, and its source. */
export interface ContextWindow {
  readonly tokens: number
  /** A URL; absent if the model is unknown and a small window is assumed. */
  readonly source?: string
}

const openai = 'https://platform.openai.com/docs/models'
const anthropic = 'https://docs.anthropic.com/en/docs/about-claude/models/overview'
const google = 'https://ai.google.dev/gemini-api/docs/models'
const meta = 'https://huggingface.co/meta-llama'
const qwen = 'https://huggingface.co/Qwen'
const mistral = 'https://docs.mistral.ai/getting-started/models/models_overview/'
const deepseek = 'https://api-docs.deepseek.com/quick_start/pricing'

/** Start of a model's name without its provider, context window, maximum output (0: unknown), and source. */
type Entry = readonly [beginning: string, windowTokens: number, outputTokens: number, string]

/** The first match counts. If models with the same start of the name differ, the smallest values are given. */
const entries: readonly Entry[] = [
  ['gpt-5-chat', 128_000, 16_384, openai],
  ['gpt-5', 400_000, 128_000, openai],
  ['gpt-4.1', 1_047_576, 32_768, openai],
  ['gpt-4o', 128_000, 16_384, openai],
  ['gpt-4-turbo', 128_000, 4_096, openai],
  ['gpt-oss', 131_072, 0, 'https://huggingface.co/openai/gpt-oss-20b'],
  ['gpt-3.5-turbo', 16_385, 4_096, openai],
  ['o1-mini', 128_000, 65_536, openai],
  ['o1', 200_000, 100_000, openai],
  ['o3', 200_000, 100_000, openai],
  ['o4-mini', 200_000, 100_000, openai],
  ['claude-3-haiku', 200_000, 4_096, anthropic],
  ['claude-3-opus', 200_000, 4_096, anthropic],
  ['claude-3-5', 200_000, 8_192, anthropic],
  ['claude-3-7', 200_000, 64_000, anthropic],
  ['claude-opus-4-5', 200_000, 64_000, anthropic],
  ['claude-opus-4-1', 200_000, 32_000, anthropic],
  ['claude-opus-4-2', 200_000, 32_000, anthropic],
  ['claude-opus-4-0', 200_000, 32_000, anthropic],
  ['claude-opus-4-', 200_000, 128_000, anthropic],
  ['claude-sonnet-4-6', 200_000, 128_000, anthropic],
  ['claude-sonnet-4', 200_000, 64_000, anthropic],
  ['claude-haiku-4-5', 200_000, 64_000, anthropic],
  ['claude-opus-5', 200_000, 128_000, anthropic],
  ['claude-sonnet-5', 200_000, 128_000, anthropic],
  ['claude-haiku-5', 200_000, 128_000, anthropic],
  ['claude-fable-5', 200_000, 128_000, anthropic],
  ['claude', 200_000, 0, anthropic],
  ['gemini-1.5-pro', 2_097_152, 8_192, google],
  ['gemini-1.5', 1_048_576, 8_192, google],
  ['gemini-2.0', 1_048_576, 8_192, google],
  ['gemini', 1_048_576, 65_535, google],
  ['llama3.1', 131_072, 0, meta],
  ['llama3.2', 131_072, 0, meta],
  ['llama3.3', 131_072, 0, meta],
  ['llama-3', 131_072, 0, meta],
  ['llama3', 8_192, 0, meta],
  ['qwen3-coder', 262_144, 0, qwen],
  ['qwen3', 40_960, 0, qwen],
  ['qwen2.5-coder', 32_768, 0, qwen],
  ['qwen2.5', 32_768, 0, qwen],
  ['devstral', 131_072, 0, mistral],
  ['codestral', 262_144, 0, mistral],
  ['mistral', 131_072, 0, mistral],
  ['deepseek-chat', 131_072, 8_192, deepseek],
  ['deepseek-reasoner', 131_072, 64_000, deepseek],
  ['deepseek', 131_072, 0, deepseek],
]

/**
 * Self-hosted servers truncate input beyond their configured context without reporting it.
 * @see https://docs.ollama.com/context-length
 */
const selfHostedProviders: readonly string[] = ['ollama', 'lmstudio']

/**
 * The context window of a model.
 * @param name `provider:model`
 */
export function findContextWindow(name: string): ContextWindow {
  const { provider, entry } = find(name)
  if (entry === undefined) return { tokens: assumedWindowTokens }
  const [, tokens, , source] = entry
  if (selfHostedProviders.includes(provider) && tokens > assumedWindowTokens)
    return { tokens: assumedWindowTokens }
  return { tokens, source }
}

/**
 * The known sizes of a model. A self-hosted server charges nothing for long answers and limits them itself.
 * @param name `provider:model`
 */
export function findModelSizes(name: string, isOwnServer: boolean): ModelSizes {
  const { entry } = find(name)
  const [, , outputTokens = 0] = entry ?? []
  const { tokens, source } = findContextWindow(name)
  const isWindowKnown = isOwnServer || source !== undefined
  return {
    ...(isWindowKnown ? { windowTokens: tokens } : {}),
    ...(outputTokens > 0 && !isOwnServer ? { outputTokens } : {}),
    ...(isOwnServer ? { isUncapped: true } : {}),
  }
}

function find(name: string): { readonly provider: string; readonly entry: Entry | undefined } {
  const at = name.indexOf(':')
  const model = name
    .slice(at + 1)
    .toLowerCase()
    .replace(/^.*\//, '')
  return {
    provider: name.slice(0, Math.max(at, 0)),
    entry: entries.find(([beginning]) => model.startsWith(beginning)),
  }
}

/** Models of these providers that accept images, by the start of their names, from the providers' model lists of 2026-11. */
const byProvider: Readonly<Record<string, RegExp>> = {
  openai:
    /^(?:chatgpt-4o|gpt-4o(?!-(?:audio|transcribe|mini-(?:audio|transcribe)))|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  anthropic: /^claude-(?!2|instant)/,
  google: /^gemini-(?!embedding)/,
  xai: /^grok-(?:[4-9]|\d*-?vision)/,
  mistral: /^pixtral/,
}

/** Parts of the names of open models that accept images, wherever they run. */
const openModels =
  /llava|moondream|minicpm-v|pixtral|internvl|vision|(?:^|[-\d.])vl(?:[-:]|$)|gemma-?3(?!n?[:-](?:1b|270m))|llama-?4/i

/** Whether a model, `provider:model`, is known by its name to accept images. Unknown models do not. */
export function takesImages(name: string): boolean {
  const { provider, model } = splitName(name)
  const known = Object.hasOwn(byProvider, provider) ? byProvider[provider] : undefined
  const plain = model.slice(model.lastIndexOf('/') + 1)
  if (known !== undefined) return known.test(model)
  return openModels.test(plain) || Object.values(byProvider).some((own) => own.test(plain))
}
