import { fetchServiceJson, type ResolvedService } from './list-models.ts'
import type { ResolvedModel } from './resolve-model.ts'

const readTimeoutMs = 3_000

/** Names under which lists of models give the context window: vLLM, OpenRouter and Together, Groq, Mistral and LM Studio. */
const windowKeys = ['max_model_len', 'context_length', 'context_window', 'max_context_length']

/**
 * The context window of a model in tokens, as its server has it set: Ollama's `num_ctx`, llama.cpp's `n_ctx`, what LM Studio has
 * loaded, and otherwise the field of the list of models. The request is free of charge. `undefined` if the server does not say or
 * does not answer in 3 seconds.
 * @see https://docs.ollama.com/api
 * @see https://github.com/ggml-org/llama.cpp/tree/master/tools/server#get-props-get-server-global-properties
 * @see https://lmstudio.ai/docs/developer/rest/endpoints
 */
export async function readContextTokens(
  reached: ResolvedModel,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const within = AbortSignal.any([AbortSignal.timeout(readTimeoutMs), ...(signal ? [signal] : [])])
  for (const read of readersFor(reached)) {
    const tokens = await read(reached, within).catch(() => undefined)
    signal?.throwIfAborted()
    if (tokens !== undefined) return tokens
  }
  return undefined
}

type WindowReader = (reached: ResolvedModel, signal: AbortSignal) => Promise<number | undefined>

function readersFor({ facts }: ResolvedModel): readonly WindowReader[] {
  if (facts.provider === 'ollama') return [readOllama]
  if (facts.provider === 'lmstudio') return [readLmStudio, readList]
  if (facts.provider === 'llamacpp') return [readLlamaCpp]
  // Of an unknown server nothing is asked but what all of them have.
  return facts.protocol === 'openai-chat' ? [readList] : []
}

const readList: WindowReader = async (reached, signal) => {
  const list = toFields(await fetchServiceJson(reached, `${reached.baseUrl}/models`, signal))
  const listed = Array.isArray(list.data) ? list.data.map(toFields) : []
  const own = listed.find(({ id }) => id === reached.model)
  return firstTokens(windowKeys.map((key) => own?.[key]))
}

const readLlamaCpp: WindowReader = async (reached, signal) => {
  const props = toFields(await fetchServiceJson(reached, `${rootUrl(reached)}/props`, signal))
  return firstTokens([toFields(props.default_generation_settings).n_ctx, props.n_ctx])
}

const readLmStudio: WindowReader = async (reached, signal) => {
  const url = `${rootUrl(reached)}/api/v0/models/${encodeURIComponent(reached.model)}`
  const model = toFields(await fetchServiceJson(reached, url, signal))
  return firstTokens([model.loaded_context_length, model.max_context_length])
}

/** The window that is set; what the model itself could take says nothing about the server, unless it is less. */
const readOllama: WindowReader = async (reached, signal) => {
  const root = rootUrl(reached)
  const { model } = reached
  const shown = toFields(await fetchServiceJson(reached, `${root}/api/show`, signal, { model }))
  const set = /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? ''))?.[1]
  if (set !== undefined) return Number(set)
  const running = toFields(await fetchServiceJson(reached, `${root}/api/ps`, signal))
  const loaded = Array.isArray(running.models) ? running.models.map(toFields) : []
  const own = loaded.find(({ name }) => name === model || name === `${model}:latest`)
  return firstTokens([own?.context_length])
}

function rootUrl({ baseUrl }: ResolvedService): string {
  return baseUrl.replace(/\/v1\/?$/, '')
}

function firstTokens(values: readonly unknown[]): number | undefined {
  return values.find((value) => Number.isSafeInteger(value) && Number(value) >= 256) as
    | number
    | undefined
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
