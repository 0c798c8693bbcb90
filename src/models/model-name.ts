import { ScholiumError } from '../kernel/errors.ts'
import type { ModelRole } from '../kernel/model/model.ts'
import { findNearest } from '../kernel/text/nearest.ts'
import type { Variables } from './base-url.ts'
import { providers } from './providers.ts'

/** Splits `provider:model` at the first colon; the model may contain more colons and slashes. */
export function splitName(name: string): { readonly provider: string; readonly model: string } {
  const colon = name.indexOf(':')
  return colon < 0
    ? { provider: name, model: '' }
    : { provider: name.slice(0, colon), model: name.slice(colon + 1) }
}

/** The error for an unknown model name, with the closest known name and all providers. */
export function unknownModelError(name: string, known: readonly string[]): ScholiumError {
  const nearest = nearestName(name, known)
  const suggestion = nearest === undefined ? '' : ` Did you mean "${nearest}"?`
  const all = known.map((provider) => `${provider}:MODEL`).join(', ')
  const hint =
    name === azureName
      ? `Give your deployment, as in azure:DEPLOYMENT, or set ${deploymentVariables.language}; for embeddings ${deploymentVariables.embedding}.`
      : `Use "extractive", or one of ${all}.`
  return new ScholiumError('invalid_configuration', `Unknown model "${name}".${suggestion}`, {
    hint,
  })
}

/** Names by which a model's provider is recognised if it was left out. */
const makers: readonly (readonly [RegExp, string])[] = [
  [/^(gpt-[3-9](?!.*oss)|chatgpt|o\d)/i, 'openai'],
  [/^claude/i, 'anthropic'],
  [/^gemini/i, 'google'],
  [/^[\w.-]+:[\w.-]*$|^(llama|qwen|gemma|mistral|phi|gpt-oss)/i, 'ollama'],
]

function nearestName(name: string, known: readonly string[]): string | undefined {
  const { provider, model } = splitName(name)
  if (model === '' && providers.some((facts) => facts.provider === provider))
    return `${provider}:MODEL`
  const close = findNearest(provider.toLowerCase(), known)
  if (close !== undefined) return `${close}:${model || 'MODEL'}`
  const maker = makers.find(([pattern]) => pattern.test(name))
  return maker === undefined ? undefined : `${maker[1]}:${name}`
}

/** The model name that stands for the deployment named in the environment. */
export const azureName = 'azure'

/** Variables that name Azure OpenAI deployments. They never choose a model by themselves, since calls cost money. */
export const deploymentVariables = {
  language: 'AZURE_OPENAI_DEPLOYMENT_NAME',
  embedding: 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME',
} as const

/** The deployment variable for a role. */
export function findDeploymentVariable(role: ModelRole): string {
  return deploymentVariables[role === 'embedding' ? 'embedding' : 'language']
}

/**
 * The full name of a role's model: `azure` alone becomes `azure:` and the deployment from the environment; other names are
 * unchanged.
 */
export function withDeployment(name: string, role: ModelRole, environment: Variables): string {
  if (name !== azureName) return name
  const deployment = (environment[findDeploymentVariable(role)] ?? '').trim()
  return deployment === '' ? name : `${azureName}:${deployment}`
}
