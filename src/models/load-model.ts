import type {
  EmbeddingModelV4,
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { isSameOrigin } from './base-url.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { ReachedModel } from './reach-model.ts'

/** The packages read the environment by themselves where they get no key, so one is always given. */
const noKey = 'none'

/** The model behind a provider's package, which is loaded on first use. */
export async function loadModel(reached: ReachedModel): Promise<LanguageModelV4> {
  const { facts, model, baseUrl: baseURL, apiKey = noKey } = reached
  switch (facts.protocol) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ baseURL, apiKey, fetch: guardedFetch })
      return hasResponses(reached)
        ? withoutStorage(openai.responses(model))
        : withLenience(openai.chat(model), 'openai')
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL, apiKey, fetch: guardedFetch })(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL, apiKey, fetch: guardedFetch })(model)
    }
    case 'openai-chat': {
      return withLenience((await compatible(reached)).chatModel(model), 'openaiCompatible')
    }
  }
}

/** A model of vectors behind a provider's package; `undefined` where the provider has none. */
export function embeddingLoader(
  reached: ReachedModel,
): (() => Promise<EmbeddingModelV4>) | undefined {
  const { facts, model, baseUrl: baseURL, apiKey = noKey } = reached
  switch (facts.protocol) {
    case 'openai':
      return async () => {
        const { createOpenAI } = await import('@ai-sdk/openai')
        return createOpenAI({ baseURL, apiKey, fetch: guardedFetch }).embedding(model)
      }
    case 'google':
      return async () => {
        const { createGoogle } = await import('@ai-sdk/google')
        return createGoogle({ baseURL, apiKey, fetch: guardedFetch }).embedding(model)
      }
    case 'openai-chat':
      return async () => (await compatible(reached)).embeddingModel(model)
    case 'anthropic':
      return undefined
  }
}

async function compatible({ facts, baseUrl: baseURL, apiKey }: ReachedModel) {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: facts.provider,
    baseURL,
    supportsStructuredOutputs: facts.takesSchemas,
    includeUsage: true,
    fetch: guardedFetch,
    ...(apiKey === undefined ? {} : { apiKey }),
  })
}

/** OpenAI and Azure have the responses interface, in which their newest models alone take tools; what stands in for them has chat. */
function hasResponses({ facts, baseUrl }: ReachedModel): boolean {
  return facts.provider === 'azure' || isSameOrigin(baseUrl, facts.baseUrl)
}

/** OpenAI's strict mode, the default of its packages, knows no optional members; our schemas have some. */
const lenient = { strictJsonSchema: false }

/**
 * OpenAI keeps what its responses interface answers for 30 days unless told not to, and makes schemas of tools strict there.
 * @see https://platform.openai.com/docs/guides/your-data
 */
function withoutStorage(model: LanguageModelV4): LanguageModelV4 {
  return withSettings(model, (options) => ({
    ...withProviderOptions(options, 'openai', { ...lenient, store: false }),
    ...(options.tools === undefined
      ? {}
      : {
          tools: options.tools.map((tool) =>
            tool.type === 'function' ? { strict: false, ...tool } : tool,
          ),
        }),
  }))
}

function withLenience(model: LanguageModelV4, key: string): LanguageModelV4 {
  return withSettings(model, (options) => withProviderOptions(options, key, lenient))
}

type CallOptions = LanguageModelV4CallOptions

function withSettings(
  model: LanguageModelV4,
  settle: (options: CallOptions) => CallOptions,
): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(settle(options)),
    doStream: (options) => model.doStream(settle(options)),
  }
}

function withProviderOptions(options: CallOptions, key: string, own: JSONObject): CallOptions {
  const { providerOptions } = options
  return {
    ...options,
    providerOptions: { ...providerOptions, [key]: { ...own, ...providerOptions?.[key] } },
  }
}
