/** The API that a service offers. */
export type Protocol = 'openai' | 'openai-chat' | 'anthropic' | 'google'

/** Static facts about a provider. */
export interface Provider {
  /** The part of a model's name before the colon. */
  readonly provider: string
  readonly label: string
  readonly protocol: Protocol
  /** Environment variables for the key; the first one set counts. */
  readonly keyVariables: readonly string[]
  /** Environment variables for the base URL; the first one set counts. */
  readonly baseUrlVariables: readonly string[]
  /** Absent if every user has their own. */
  readonly baseUrl?: string
  /** Whether the service runs on the user's machine, free of charge. */
  readonly isLocal: boolean
  readonly needsKey: boolean
  /** Whether answers can be constrained by a JSON Schema; otherwise any JSON object is requested. */
  readonly takesSchemas: boolean
  /** Where to create a key, or how to start the service. */
  readonly docsUrl: string
}

type Common = 'protocol' | 'baseUrlVariables' | 'isLocal' | 'needsKey' | 'takesSchemas'

function remote(facts: Omit<Provider, Common> & Partial<Pick<Provider, Common>>): Provider {
  return {
    protocol: 'openai-chat',
    baseUrlVariables: [],
    isLocal: false,
    needsKey: true,
    takesSchemas: true,
    ...facts,
  }
}

function local(facts: Omit<Provider, Common> & Partial<Pick<Provider, Common>>): Provider {
  return remote({ isLocal: true, needsKey: false, ...facts })
}

/** Every built-in provider, local ones first. Base URLs are from the providers' documentation. */
export const providers: readonly Provider[] = [
  local({
    provider: 'ollama',
    label: 'Ollama',
    keyVariables: ['OLLAMA_API_KEY'],
    baseUrlVariables: ['OLLAMA_HOST'],
    baseUrl: 'http://127.0.0.1:11434/v1',
    docsUrl: 'https://docs.ollama.com/quickstart',
  }),
  local({
    provider: 'lmstudio',
    label: 'LM Studio',
    keyVariables: [],
    baseUrl: 'http://127.0.0.1:1234/v1',
    docsUrl: 'https://lmstudio.ai/docs/developer/openai-compat',
  }),
  local({
    provider: 'vllm',
    label: 'vLLM',
    keyVariables: ['VLLM_API_KEY'],
    baseUrl: 'http://127.0.0.1:8000/v1',
    docsUrl: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server',
  }),
  local({
    provider: 'llamacpp',
    label: 'llama.cpp',
    keyVariables: ['LLAMA_API_KEY'],
    baseUrl: 'http://127.0.0.1:8080/v1',
    docsUrl: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
  }),
  remote({
    provider: 'openai',
    label: 'OpenAI',
    protocol: 'openai',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_BASE_URL'],
    baseUrl: 'https://api.openai.com/v1',
    docsUrl: 'https://platform.openai.com/api-keys',
  }),
  remote({
    provider: 'anthropic',
    label: 'Anthropic',
    protocol: 'anthropic',
    keyVariables: ['ANTHROPIC_API_KEY'],
    baseUrlVariables: ['ANTHROPIC_BASE_URL'],
    baseUrl: 'https://api.anthropic.com/v1',
    docsUrl: 'https://platform.claude.com/settings/keys',
  }),
  remote({
    provider: 'google',
    label: 'Google Gemini',
    protocol: 'google',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    baseUrlVariables: ['GOOGLE_GEMINI_BASE_URL'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    docsUrl: 'https://aistudio.google.com/apikey',
  }),
  remote({
    provider: 'azure',
    label: 'Azure OpenAI',
    protocol: 'openai',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    baseUrlVariables: ['AZURE_OPENAI_ENDPOINT', 'AZURE_RESOURCE_NAME'],
    docsUrl: 'https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle',
  }),
  remote({
    provider: 'openrouter',
    label: 'OpenRouter',
    keyVariables: ['OPENROUTER_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
    docsUrl: 'https://openrouter.ai/settings/keys',
  }),
  remote({
    provider: 'groq',
    label: 'Groq',
    keyVariables: ['GROQ_API_KEY'],
    baseUrl: 'https://api.groq.com/openai/v1',
    // Only some models accept a schema, and none with tools or streaming.
    takesSchemas: false,
    docsUrl: 'https://console.groq.com/keys',
  }),
  remote({
    provider: 'mistral',
    label: 'Mistral',
    keyVariables: ['MISTRAL_API_KEY'],
    baseUrl: 'https://api.mistral.ai/v1',
    docsUrl: 'https://console.mistral.ai/api-keys',
  }),
  remote({
    provider: 'deepseek',
    label: 'DeepSeek',
    keyVariables: ['DEEPSEEK_API_KEY'],
    baseUrl: 'https://api.deepseek.com/v1',
    takesSchemas: false,
    docsUrl: 'https://platform.deepseek.com/api_keys',
  }),
  remote({
    provider: 'xai',
    label: 'xAI',
    keyVariables: ['XAI_API_KEY'],
    baseUrl: 'https://api.x.ai/v1',
    docsUrl: 'https://console.x.ai',
  }),
  remote({
    provider: 'together',
    label: 'Together AI',
    keyVariables: ['TOGETHER_API_KEY'],
    baseUrl: 'https://api.together.ai/v1',
    docsUrl: 'https://api.together.ai/settings/api-keys',
  }),
  remote({
    provider: 'fireworks',
    label: 'Fireworks AI',
    keyVariables: ['FIREWORKS_API_KEY'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    docsUrl: 'https://app.fireworks.ai/settings/users/api-keys',
  }),
  remote({
    provider: 'cerebras',
    label: 'Cerebras',
    keyVariables: ['CEREBRAS_API_KEY'],
    baseUrl: 'https://api.cerebras.ai/v1',
    docsUrl: 'https://cloud.cerebras.ai',
  }),
  remote({
    provider: 'openai-compatible',
    label: 'any OpenAI-compatible service',
    keyVariables: ['OPENAI_API_KEY'],
    baseUrlVariables: ['OPENAI_BASE_URL'],
    needsKey: false,
    docsUrl: 'https://platform.openai.com/docs/api-reference/chat',
  }),
]

/** The built-in provider of this name, or `undefined`. */
export function findProvider(name: string): Provider | undefined {
  return providers.find(({ provider }) => provider === name)
}

/** Environment variables that hold provider keys, which must not enter a log. */
export const keyVariables: readonly string[] = [
  ...new Set(providers.flatMap((provider) => provider.keyVariables)),
]
