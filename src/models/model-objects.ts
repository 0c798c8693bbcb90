import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ScholiumError } from '../kernel/errors.ts'
import type { ModelChoice, ModelChoices, ModelObjects, NamedModels } from './model-settings.ts'

/** Model choices with names in place of model objects, and the objects by these names. */
export interface NamedChoices {
  readonly models: NamedModels
  readonly objects: ModelObjects
}

/**
 * Replaces model objects in choices by the names under which runs record them.
 * @param objects objects of earlier choices, to which these are added
 * @throws `invalid_configuration` for a model object of another version, or two objects with one name
 */
export function nameModels(choices: ModelChoices, objects: ModelObjects = {}): NamedChoices {
  const models = Object.entries(choices).map(([role, choice]) => {
    if (!isObject(choice)) return [role, choice]
    const name = toModelName(choice)
    if (objects[name] !== undefined && objects[name] !== choice) throw duplicateNameError(name)
    objects[name] = choice
    return [role, name]
  })
  return { models: Object.fromEntries(models), objects }
}

/** `provider:model`, without the API suffix of the provider: `openai:gpt-5` for `openai.responses`. */
export function toModelName({ provider, modelId }: LanguageModelV4): string {
  return `${provider.split('.')[0]}:${modelId}`
}

function isObject(choice: ModelChoice): choice is LanguageModelV4 {
  if (typeof choice === 'string' || 'name' in choice) return false
  if (choice.specificationVersion === 'v4' && typeof choice.doGenerate === 'function') return true
  throw new ScholiumError('invalid_configuration', 'A model is not an AI SDK model object.', {
    hint: 'Give a name such as "ollama:qwen3", or a model of a provider package of AI SDK 7, whose specificationVersion is "v4".',
  })
}

function duplicateNameError(name: string): ScholiumError {
  return new ScholiumError('invalid_configuration', `Two models are named "${name}".`, {
    hint: 'Runs record models by name. Give one object for both roles, or make one of them a model with another id.',
  })
}
