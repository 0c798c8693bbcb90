import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { chooseEmbedding, chooseModel } from '../../../kernel/model/choose-model.ts'
import type { EmbeddingBinding, ModelBinding } from '../../../kernel/model/model.ts'
import { noticeOfModel } from '../../../kernel/model/model-notice.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { findNearest } from '../../../kernel/text/nearest.ts'
import type { Action, ActionCall, AgentScope } from '../action.ts'
import type { RetryRule } from './ask-model.ts'
import type { ModelParams } from './model-params.ts'

/** The names before the colon in `provider:model`. */
export type Providers = ReadonlySet<string>

/** The built-in engine, which handles roles and reads no prompts. */
const engineWithoutPrompts = 'extractive'

/** Names that other programs use for providers. */
const otherNames: Readonly<Record<string, string>> = {
  azure_openai: 'azure',
  gemini: 'google',
  'lm-studio': 'lmstudio',
}

/** Providers of the format that do not exist here, and what to do instead. */
const noProviders: Readonly<Record<string, string>> = {
  shell: 'programs that answer prompts are not supported',
  local: 'models are not loaded from files',
}

/** The file's `settings.llm`. */
function llmSettings({ scope }: Pick<ActionCall, 'scope'>): JsonObject {
  const { llm } = scope.settings
  return isJsonObject(llm) ? llm : {}
}

/**
 * Parameters override the file's `settings.llm`; null counts as absent. A model that names its provider does not take
 * another one.
 */
export function applyLlmSettings(
  call: Pick<ActionCall, 'scope'>,
  params: ModelParams,
  providers: Providers,
): ModelParams & RetryRule {
  const { default_model: model, provider, ...written } = llmSettings(call)
  const settings = Object.fromEntries(Object.entries(written).map(asNumber))
  const isWhole = params.model ? namesProvider(params.model, providers) : false
  const own = Object.entries(params as JsonObject)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(asNumber)
  return {
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined || isWhole ? {} : { provider }),
    ...settings,
    ...Object.fromEntries(own),
  } as ModelParams
}

const numericSettings = [
  'temperature',
  'max_tokens',
  'timeout',
  'max_retries',
  'base_delay',
  'max_delay',
]

/** Numbers from the environment arrive as text. */
function asNumber([key, value]: [string, Json | undefined]): [string, Json | undefined] {
  return typeof value === 'string' && numericSettings.includes(key)
    ? [key, Number(value)]
    : [key, value]
}

function namesProvider(name: string, providers: Providers): boolean {
  const { head } = splitFirst(name)
  return head !== undefined && providers.has(findProvider(head))
}

/**
 * The model that a file names, as `provider:model`. `undefined` if it names none, or one without a provider: then the
 * model chosen for the run is used, which the log notes once, so that half a name never selects a paid model.
 *
 * @throws `invalid_configuration` for an unknown provider
 */
export function nameModel(
  context: RunContext,
  { model, provider, deployment }: ModelParams,
  providers: Providers,
  role: 'default' | 'embedding' = 'default',
): string | undefined {
  const refused = noProviders[provider ?? '']
  if (refused !== undefined) {
    throw new ScholiumError(
      'invalid_configuration',
      `The provider ${provider} cannot be used: ${refused}.`,
      {
        hint: 'Serve the model with a local server such as Ollama, and use "ollama:MODEL".',
      },
    )
  }
  const named = deployment ?? model
  if (!named) return undefined
  if (provider && provider !== 'auto' && provider !== 'litellm') {
    const whose = findProvider(provider)
    const { head, rest } = splitFirst(named)
    return head !== undefined && findProvider(head) === whose
      ? `${whose}:${rest}`
      : `${whose}:${named}`
  }
  if (named === engineWithoutPrompts) return named
  if (namesProvider(named, providers)) {
    const { head = '', rest } = splitFirst(named)
    return `${findProvider(head)}:${rest}`
  }
  const meant = suggestProvider(named, [...providers, ...Object.keys(otherNames)])
  if (meant !== undefined) throw failUnknownProvider(named, meant)
  noticeBareName(context, named, role)
  return undefined
}

function findProvider(name: string): string {
  return otherNames[name] ?? name
}

function splitFirst(name: string): { readonly head?: string; readonly rest: string } {
  const at = name.search(/[:/]/)
  return at < 1 ? { rest: name } : { head: name.slice(0, at), rest: name.slice(at + 1) }
}

function failUnknownProvider(name: string, meant: string): ScholiumError {
  const { rest } = splitFirst(name)
  return new ScholiumError('invalid_configuration', `The model ${name} has no known provider.`, {
    hint: `Did you mean ${meant}:${rest}?`,
  })
}

function noticeBareName(context: RunContext, name: string, role: 'default' | 'embedding'): void {
  const { models } = context.services
  const chosen = role === 'embedding' ? models.forEmbedding?.() : models.forRole(role)
  if (chosen === undefined || chosen.name.endsWith(`:${name}`)) return
  const text = `The file gives the model ${name} without a provider, so ${chosen.name} is used. Write "provider:model" to call another one.`
  noticeOfModel(context, chosen, `stands for ${name}`, text)
}

/**
 * Chooses the model for an action and its settings. Defaults: temperature 0.7 and 300 s.
 * @param who the action's name, for messages
 * @throws `invalid_configuration` for a model that cannot be called, or if there is only the built-in engine
 */
export async function chooseActionModel(
  context: RunContext,
  who: string,
  params: ModelParams,
  providers: Providers,
): Promise<ModelBinding> {
  const chosen = await chooseModel(context, 'default', nameModel(context, params, providers))
  if (chosen.effect === 'pure' && chosen.name === engineWithoutPrompts) {
    throw new ScholiumError(
      'invalid_configuration',
      `${who} needs a language model, which the built-in engine "extractive" is not.`,
      { hint: 'Give a model with --model, as "provider:model", or in the file.' },
    )
  }
  noticeOtherAddress(context, chosen, params.api_base)
  const { temperature, max_tokens: maxTokens, timeout } = params
  return {
    ...chosen,
    temperature: temperature ?? 0.7,
    timeoutMs: (timeout ?? 300) * 1_000,
    ...(maxTokens ? { maxOutputTokens: maxTokens } : {}),
  }
}

/**
 * Chooses the embedding model for an action: the one it names, otherwise the role `embedding`.
 * @throws `invalid_configuration` for a model that cannot be called, or if there is none
 */
export async function chooseActionEmbedding(
  context: RunContext,
  params: ModelParams,
  providers: Providers,
): Promise<EmbeddingBinding> {
  const name = nameModel(context, params, providers, 'embedding')
  const chosen = await chooseEmbedding(context, name)
  noticeOtherAddress(context, chosen, params.api_base)
  return { ...chosen, timeoutMs: (params.timeout ?? 300) * 1_000 }
}

/** A key must not be sent to an address that a file chose. */
function noticeOtherAddress(
  context: RunContext,
  binding: Pick<ModelBinding, 'name' | 'reach'>,
  apiBase: string | null | undefined,
): void {
  const bare = (address: string) => address.replace(/\/(?:v1\/?)?$/, '')
  const used = binding.reach?.baseUrl
  if (!apiBase || used === undefined || bare(used) === bare(apiBase)) return
  const text = `The file gives api_base ${apiBase}, which is ignored: ${binding.name} is called at ${used}, as configured.`
  noticeOfModel(context, binding, 'api_base', text)
}

/** Model families whose names resemble a provider's. */
const families = ['grok', 'llama', 'mixtral']

/**
 * The provider that a model's name most likely means if its own is unknown: `ollama` for `olama:llama3`. `undefined`
 * for a model name with a tag, such as `qwen3:8b`.
 */
export function suggestProvider(name: string, providers: Iterable<string>): string | undefined {
  const [, head] = /^([a-z_.-]{3,}):./i.exec(name) ?? []
  const known = [...providers]
  if (head === undefined || known.includes(head) || families.includes(head.toLowerCase()))
    return undefined
  return findNearest(head.toLowerCase(), known)
}

/**
 * The models that an action calls by default: those of the run by role, and the file's `settings.llm`. `null` for an
 * action that calls none.
 */
export function findModelsAsked(
  action: Action | undefined,
  { services }: RunContext,
  { settings }: Pick<AgentScope, 'settings'>,
): JsonObject | null {
  if (action?.kind !== 'composed') return null
  const { models } = services
  return {
    default: nameOrNull(() => models.forRole('default')),
    critic: nameOrNull(() => models.forRole('critic')),
    embedding: nameOrNull(() => models.forEmbedding?.()),
    settings: settings.llm ?? null,
  }
}

function nameOrNull(choose: () => { readonly name: string } | undefined): string | null {
  try {
    return choose()?.name ?? null
  } catch {
    // A role without a model reports that where it is needed.
    return null
  }
}
