import { ScholiumError } from '../kernel/errors.ts'
import { nearest } from '../kernel/text/nearest.ts'
import { azureName, deploymentVariables } from './azure-deployment.ts'
import { providers } from './providers.ts'

/** The parts of `provider:model`; what is behind the first colon may hold more colons and slashes. */
export function splitName(name: string): { readonly provider: string; readonly model: string } {
  const colon = name.indexOf(':')
  return colon < 0
    ? { provider: name, model: '' }
    : { provider: name.slice(0, colon), model: name.slice(colon + 1) }
}

/** What is said of a name that stands for no model: the nearest that does, and all that there are. */
export function unknownName(name: string, known: readonly string[]): ScholiumError {
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

/** Names of models by which their maker is known, for somebody who left it out. */
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
  const close = nearest(provider.toLowerCase(), known)
  if (close !== undefined) return `${close}:${model || 'MODEL'}`
  const maker = makers.find(([pattern]) => pattern.test(name))
  return maker === undefined ? undefined : `${maker[1]}:${name}`
}
