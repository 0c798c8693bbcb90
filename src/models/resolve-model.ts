import { ScholiumError } from '../kernel/errors.ts'
import {
  checkBaseUrl,
  findAddress,
  findSetVariable,
  isLoopback,
  isSameOrigin,
  type Variables,
} from './base-url.ts'
import { splitName, unknownModelError } from './model-name.ts'
import type { ModelSettings, RoleModel } from './model-settings.ts'
import { findProvider, type Provider, providers } from './providers.ts'

/** A model of a built-in provider with everything needed to call it. */
export interface ResolvedModel {
  readonly facts: Provider
  /** The model's name at the service. */
  readonly model: string
  readonly baseUrl: string
  /** Absent if the service needs none. */
  readonly apiKey?: string
}

/**
 * Resolves a model's address and key. A key from the environment is sent only to the address it belongs to; a role with another
 * address needs its own key, or uses none.
 * @throws `invalid_configuration` for an unknown provider, a missing or invalid address, or a missing key
 */
export function resolveModel(choice: RoleModel, settings: ModelSettings): ResolvedModel {
  const { provider, model } = splitName(choice.name)
  const facts = findProvider(provider)
  if (facts === undefined || model === '')
    throw unknownModelError(choice.name, providerNames(settings))
  const { environment, isOffline } = settings
  if (isOffline) return { facts, model, baseUrl: choice.baseUrl ?? facts.baseUrl ?? '' }
  return { facts, model, ...resolveService(facts, choice, environment) }
}

/** Whether a model runs on a self-hosted server, as far as can be told. */
export function isSelfHosted({ facts, baseUrl }: ResolvedModel): boolean {
  const isUnnamed = facts.provider === 'openai-compatible' && baseUrl !== ''
  return facts.isLocal || (isUnnamed && isLoopback(baseUrl))
}

/** All provider names that a model name can start with, custom ones first. */
export function providerNames(settings: Pick<ModelSettings, 'providers'>): readonly string[] {
  return [...Object.keys(settings.providers ?? {}), ...providers.map(({ provider }) => provider)]
}

/**
 * Resolves the address and key of a service, for any of its models.
 * @throws `invalid_configuration`
 */
export function resolveService(
  facts: Provider,
  own: Pick<RoleModel, 'baseUrl' | 'apiKey'>,
  environment: Variables,
): { readonly baseUrl: string; readonly apiKey?: string } {
  const general = findAddress(facts, environment)
  const baseUrl =
    own.baseUrl === undefined
      ? (general?.baseUrl ?? missingAddress(facts))
      : checkBaseUrl(facts, own.baseUrl, 'the base URL')
  const variable = findSetVariable(environment, facts.keyVariables)
  const isItsOwn = own.baseUrl === undefined || isSameOrigin(baseUrl, general?.baseUrl)
  const apiKey =
    own.apiKey ?? (variable !== undefined && isItsOwn ? environment[variable]?.trim() : undefined)
  if (apiKey !== undefined && apiKey !== '') return { baseUrl, apiKey }
  const isPublic =
    facts.baseUrl === undefined ? !isLoopback(baseUrl) : isSameOrigin(baseUrl, facts.baseUrl)
  if (facts.needsKey && isPublic) throw missingKey(facts)
  return { baseUrl }
}

function missingAddress(facts: Provider): never {
  const [variable = 'baseUrl'] = facts.baseUrlVariables
  const example =
    facts.provider === 'azure'
      ? 'https://YOUR-RESOURCE.openai.azure.com'
      : 'http://127.0.0.1:11434/v1 for Ollama'
  throw new ScholiumError(
    'invalid_configuration',
    `${facts.provider} is not configured: ${variable} is not set.`,
    { hint: `Set it, for example to ${example}.` },
  )
}

function missingKey(facts: Provider): ScholiumError {
  const names = facts.keyVariables.join(' or ')
  return new ScholiumError(
    'invalid_configuration',
    `${facts.label} needs a key: ${names} is not set.`,
    {
      hint: `Create one at ${facts.docsUrl} and set ${facts.keyVariables[0]}. Local models, such as ollama:llama3.2, need no key.`,
    },
  )
}
