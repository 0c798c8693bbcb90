import type {
  EmbeddingModelV4,
  JSONObject,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
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
        ? withoutStorage(withPlainErrors(openai.responses(model)))
        : withLenience(withPlainErrors(openai.chat(model)), 'openai')
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return withCaching(createAnthropic({ baseURL, apiKey, fetch: guardedFetch })(model))
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

/** A model object of a caller, with what its service needs: as models that are loaded by their names. */
export function adaptModel(model: LanguageModelV4): LanguageModelV4 {
  if (/^(?:openai|azure)\b/.test(model.provider)) return withPlainErrors(model)
  return /^anthropic\b/.test(model.provider) ? withCaching(model) : model
}

/**
 * Marks what a next request begins with, so that Anthropic keeps it for five minutes: the tools and instructions, which all calls of
 * a role share, and in a conversation with tools everything so far. Other services cache beginnings by themselves.
 * @see https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching
 */
function withCaching(model: LanguageModelV4): LanguageModelV4 {
  return withSettings(model, ({ prompt, ...options }) => {
    const isConversation = (options.tools ?? []).length > 0
    const lastSystem = prompt.findLastIndex(({ role }) => role === 'system')
    const marked = new Set([lastSystem, ...(isConversation ? [prompt.length - 1] : [])])
    return {
      ...options,
      prompt: prompt.map((message, index) =>
        marked.has(index) ? withCacheMark(message) : message,
      ),
    }
  })
}

function withCacheMark<Sent extends LanguageModelV4Message>(message: Sent): Sent {
  const { providerOptions } = message
  const anthropic = { ...providerOptions?.anthropic, cacheControl: { type: 'ephemeral' } }
  return { ...message, providerOptions: { ...providerOptions, anthropic } }
}

/**
 * Sends the errors of tools as the text that they are: OpenAI's package makes a JSON object of each, in which its quotes and line
 * breaks are escaped.
 */
function withPlainErrors(model: LanguageModelV4): LanguageModelV4 {
  return withSettings(model, (options) => ({ ...options, prompt: options.prompt.map(plainErrors) }))
}

function plainErrors(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool') return message
  const content = message.content.map((part) =>
    part.type === 'tool-result' && part.output.type === 'error-text'
      ? { ...part, output: { ...part.output, type: 'text' as const } }
      : part,
  )
  return { ...message, content }
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
