import type {
  EmbeddingModelV4,
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { isSameOrigin } from './base-url.ts'
import { guardedFetch } from './guarded-fetch.ts'
import type { ResolvedModel } from './resolve-model.ts'

/** Without a key, the packages would read one from the environment, so one is always passed. */
const noKey = 'none'

/** Loads the provider's package and creates the model. */
export async function loadModel(reached: ResolvedModel): Promise<LanguageModelV4> {
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

/** A function that loads an embedding model from the provider's package; `undefined` if the provider has none. */
export function embeddingLoader(
  reached: ResolvedModel,
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

async function compatible({ facts, baseUrl: baseURL, apiKey }: ResolvedModel) {
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

/**
 * OpenAI and Azure offer the Responses API, which their newest models need for tools; compatible servers offer Chat Completions.
 */
function hasResponses({ facts, baseUrl }: ResolvedModel): boolean {
  return facts.provider === 'azure' || isSameOrigin(baseUrl, facts.baseUrl)
}

/** OpenAI's strict mode, the default of its packages, does not allow optional properties; some of our schemas have them. */
const lenient = { strictJsonSchema: false }

/**
 * Sets `store: false`, since OpenAI otherwise keeps responses of the Responses API for 30 days, and turns strict tool schemas
 * off.
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
