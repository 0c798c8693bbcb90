import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import { chooseEmbedding, chooseModel } from '../../../kernel/model/choose-model.ts'
import type { EmbeddingBinding, ModelBinding } from '../../../kernel/model/model.ts'
import { noticeOfModel } from '../../../kernel/model/model-notice.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { nearest } from '../../../kernel/text/nearest.ts'
import type { Action, ActionCall, AgentScope } from '../action.ts'
import type { RetryRule } from './ask-model.ts'
import type { ModelParams } from './model-params.ts'

/** The names before the colon in `provider:model`. */
export type Providers = ReadonlySet<string>

/** The built-in engine, which knows roles and reads no prompts. */
const engineWithoutPrompts = 'extractive'

/** Names that other programs have for providers. */
const otherNames: Readonly<Record<string, string>> = {
  azure_openai: 'azure',
  gemini: 'google',
  'lm-studio': 'lmstudio',
}

/** Providers of the format that are none here, and what to do instead. */
const noProviders: Readonly<Record<string, string>> = {
  shell: 'programs that answer prompts are not run',
  local: 'models are not loaded from files',
}

/** `settings.llm` of a file. */
export function llmSettings({ scope }: Pick<ActionCall, 'scope'>): JsonObject {
  const { llm } = scope.settings
  return isJsonObject(llm) ? llm : {}
}

/** Parameters over `settings.llm` of the file; null counts as absent. A model that names its provider is not that of another. */
export function withSettings(
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

const amounts = ['temperature', 'max_tokens', 'timeout', 'max_retries', 'base_delay', 'max_delay']

/** A number that came out of the environment is text. */
function asNumber([key, value]: [string, Json | undefined]): [string, Json | undefined] {
  return typeof value === 'string' && amounts.includes(key) ? [key, Number(value)] : [key, value]
}

function namesProvider(name: string, providers: Providers): boolean {
  const { head } = splitFirst(name)
  return head !== undefined && providers.has(providerOf(head))
}

/**
 * The model that a file names, as `provider:model`; `undefined` where it names none, or one without its provider: that stands
 * for the model that the operator chose for the run, and the log says so once. Nothing paid is chosen on the strength of half
 * a name.
 *
 * @throws `invalid_configuration` for a provider that is none here
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
        hint: 'Serve the model with a local server, as in ollama, and name it as "ollama:MODEL".',
      },
    )
  }
  const named = deployment ?? model
  if (!named) return undefined
  if (provider && provider !== 'auto' && provider !== 'litellm') {
    const whose = providerOf(provider)
    const { head, rest } = splitFirst(named)
    return head !== undefined && providerOf(head) === whose
      ? `${whose}:${rest}`
      : `${whose}:${named}`
  }
  if (named === engineWithoutPrompts) return named
  if (namesProvider(named, providers)) {
    const { head = '', rest } = splitFirst(named)
    return `${providerOf(head)}:${rest}`
  }
  const meant = misnamedProvider(named, [...providers, ...Object.keys(otherNames)])
  if (meant !== undefined) throw noSuchProvider(named, meant)
  tellBareName(context, named, role)
  return undefined
}

function providerOf(name: string): string {
  return otherNames[name] ?? name
}

function splitFirst(name: string): { readonly head?: string; readonly rest: string } {
  const at = name.search(/[:/]/)
  return at < 1 ? { rest: name } : { head: name.slice(0, at), rest: name.slice(at + 1) }
}

function noSuchProvider(name: string, meant: string): ScholiumError {
  const { rest } = splitFirst(name)
  return new ScholiumError('invalid_configuration', `The model ${name} is of no provider.`, {
    hint: `Did you mean ${meant}:${rest}?`,
  })
}

function tellBareName(context: RunContext, name: string, role: 'default' | 'embedding'): void {
  const { models } = context.services
  const chosen = role === 'embedding' ? models.forEmbedding?.() : models.forRole(role)
  if (chosen === undefined || chosen.name.endsWith(`:${name}`)) return
  const text = `The file names the model ${name} without its provider: ${chosen.name} is used. Write it as "provider:model" to call another one.`
  noticeOfModel(context, chosen, `stands for ${name}`, text)
}

/**
 * The model with which an action asks, with the settings that it was given. Temperature 0.7 and 300 s where nothing else is said.
 * @param who the action, for messages
 * @throws `invalid_configuration` for a model that cannot be called, or none but the built-in engine
 */
export async function modelFor(
  context: RunContext,
  who: string,
  params: ModelParams,
  providers: Providers,
): Promise<ModelBinding> {
  const chosen = await chooseModel(context, 'default', nameModel(context, params, providers))
  if (chosen.effect === 'pure' && chosen.name === engineWithoutPrompts) {
    throw new ScholiumError(
      'invalid_configuration',
      `${who} needs a language model: the built-in engine "extractive" is none.`,
      { hint: 'Name a model for the run with --model, as "provider:model", or one in the file.' },
    )
  }
  tellOtherAddress(context, chosen, params.api_base)
  const { temperature, max_tokens: maxTokens, timeout } = params
  return {
    ...chosen,
    temperature: temperature ?? 0.7,
    timeoutMs: (timeout ?? 300) * 1_000,
    ...(maxTokens ? { maxOutputTokens: maxTokens } : {}),
  }
}

/**
 * The model that makes vectors for an action: the one that it names, else that of the role `embedding`.
 * @throws `invalid_configuration` for a model that cannot be called, or none
 */
export async function embeddingFor(
  context: RunContext,
  params: ModelParams,
  providers: Providers,
): Promise<EmbeddingBinding> {
  const name = nameModel(context, params, providers, 'embedding')
  const chosen = await chooseEmbedding(context, name)
  tellOtherAddress(context, chosen, params.api_base)
  return { ...chosen, timeoutMs: (params.timeout ?? 300) * 1_000 }
}

/** A key must not go to an address that a file chose. */
function tellOtherAddress(
  context: RunContext,
  binding: Pick<ModelBinding, 'name' | 'reach'>,
  apiBase: string | null | undefined,
): void {
  const bare = (address: string) => address.replace(/\/(?:v1\/?)?$/, '')
  const used = binding.reach?.baseUrl
  if (!apiBase || used === undefined || bare(used) === bare(apiBase)) return
  const text = `The file gives api_base ${apiBase}, which is not used: ${binding.name} is asked at ${used}, as it is configured.`
  noticeOfModel(context, binding, 'api_base', text)
}

/** Families of models that are called almost as a provider, and are none. */
const families = ['grok', 'llama', 'mixtral']

/**
 * The provider that a model's name most likely means, where it names none that there is: `ollama` for `olama:llama3`. A model's own
 * name with a tag, such as `qwen3:8b`, means none.
 */
export function misnamedProvider(name: string, providers: Iterable<string>): string | undefined {
  const [, head] = /^([a-z_.-]{3,}):./i.exec(name) ?? []
  const known = [...providers]
  if (head === undefined || known.includes(head) || families.includes(head.toLowerCase()))
    return undefined
  return nearest(head.toLowerCase(), known)
}

/**
 * Which models an action asks where its parameters name none, and how: those of the run, by role, and `settings.llm` of the
 * file. `null` for an action that asks none: one effect.
 */
export function modelsAsked(
  action: Action | undefined,
  { services }: RunContext,
  { settings }: Pick<AgentScope, 'settings'>,
): JsonObject | null {
  if (action?.kind !== 'composed') return null
  const { models } = services
  return {
    default: nameOf(() => models.forRole('default')),
    critic: nameOf(() => models.forRole('critic')),
    embedding: nameOf(() => models.forEmbedding?.()),
    settings: settings.llm ?? null,
  }
}

function nameOf(choose: () => { readonly name: string } | undefined): string | null {
  try {
    return choose()?.name ?? null
  } catch {
    // A role without a model asks none, and says so where it is needed.
    return null
  }
}
