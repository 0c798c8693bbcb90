import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { ScholiumError } from '../kernel/errors.ts'
import type { ModelChoices, ModelObjects, NamedModels, RoleModel } from './model-settings.ts'

/** Model choices with names in place of model objects, and the objects by these names. */
export interface NamedChoices {
  readonly models: NamedModels
  readonly objects: ModelObjects
}

type ModelObject = LanguageModelV4 | EmbeddingModelV4

/**
 * Replaces model objects in choices by the names under which runs record them.
 * @param objects objects of earlier choices, to which these are added
 * @throws `invalid_configuration` for a model object of another kind or version, or two objects with one name
 */
export function nameModels(choices: ModelChoices, objects: ModelObjects = {}): NamedChoices {
  const models = Object.entries(choices).map(([role, choice]) => {
    if (!isObject(role, choice)) return [role, choice]
    const name = toModelName(choice)
    if (objects[name] !== undefined && objects[name] !== choice) throw duplicateNameError(name)
    objects[name] = choice
    return [role, name]
  })
  return { models: Object.fromEntries(models), objects }
}

/** `provider:model`, without the API suffix of the provider: `openai:gpt-5` for `openai.responses`. */
export function toModelName({ provider, modelId }: ModelObject): string {
  return `${provider.split('.')[0]}:${modelId}`
}

/** The model object of a name that writes text. */
export function findLanguageModel(
  objects: ModelObjects,
  name: string,
): LanguageModelV4 | undefined {
  const object = Object.hasOwn(objects, name) ? objects[name] : undefined
  return object !== undefined && 'doGenerate' in object ? object : undefined
}

/** The embedding model object of a name. */
export function findEmbeddingModel(
  objects: ModelObjects,
  name: string,
): EmbeddingModelV4 | undefined {
  const object = Object.hasOwn(objects, name) ? objects[name] : undefined
  return object !== undefined && 'doEmbed' in object ? object : undefined
}

/** A model that sends the values of a call in as many requests as its service requires, one after another. */
export function splitEmbeddingCalls(model: EmbeddingModelV4): EmbeddingModelV4 {
  const { specificationVersion, provider, modelId, supportsParallelCalls } = model
  return {
    specificationVersion,
    provider,
    modelId,
    supportsParallelCalls,
    maxEmbeddingsPerCall: undefined,
    async doEmbed(options) {
      const { values } = options
      const maxValues = Math.max(1, (await model.maxEmbeddingsPerCall) ?? values.length)
      const results: Awaited<ReturnType<EmbeddingModelV4['doEmbed']>>[] = []
      for (let start = 0; start < values.length; start += maxValues)
        results.push(
          await model.doEmbed({ ...options, values: values.slice(start, start + maxValues) }),
        )
      const isCounted = results.every(({ usage }) => usage !== undefined)
      const tokens = results.reduce((sum, { usage }) => sum + (usage?.tokens ?? 0), 0)
      return {
        embeddings: results.flatMap(({ embeddings }) => embeddings),
        warnings: results.flatMap(({ warnings }) => warnings),
        ...(isCounted ? { usage: { tokens } } : {}),
      }
    },
  }
}

function isObject(role: string, choice: string | RoleModel | ModelObject): choice is ModelObject {
  if (typeof choice === 'string' || 'name' in choice) return false
  const isEmbedding = role === 'embedding'
  const method = isEmbedding ? 'doEmbed' : 'doGenerate'
  const isOfKind = typeof (choice as Partial<Record<typeof method, unknown>>)[method] === 'function'
  if (choice.specificationVersion === 'v4' && isOfKind) return true
  const [kind, example] = isEmbedding
    ? ['an embedding model', 'ollama:nomic-embed-text']
    : ['a language model', 'ollama:qwen3']
  throw new ScholiumError('invalid_configuration', `The model for "${role}" is not ${kind}.`, {
    hint: `Give a name such as "${example}", or ${kind} of a provider package of AI SDK 7, whose specificationVersion is "v4".`,
  })
}

function duplicateNameError(name: string): ScholiumError {
  return new ScholiumError('invalid_configuration', `Two models are named "${name}".`, {
    hint: 'Runs record models by name. Give one object for both roles, or make one of them a model with another id.',
  })
}
