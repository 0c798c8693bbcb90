import { ScholiumError } from '../kernel/errors.ts'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import { embeddingLoader } from './load-model.ts'
import { splitName } from './model-name.ts'
import type { ModelSettings, RoleModel } from './model-settings.ts'
import { overrideOf, priceAt } from './price-of.ts'
import { reachModel } from './reach-model.ts'

/**
 * The model of a name as one that makes vectors.
 * @throws `invalid_configuration` for a name of no known provider, one whose models make none, a missing address or key
 */
export function bindEmbedding(
  settings: ModelSettings,
  choice: RoleModel,
  defaultTimeoutMs: number,
): EmbeddingBinding {
  const { name, timeoutMs = defaultTimeoutMs } = choice
  const { provider } = splitName(name)
  if (Object.hasOwn(settings.builtIn, name)) throw makesNone(name)
  if (Object.hasOwn(settings.providers ?? {}, provider)) throw makesNone(name)
  const reached = reachModel(choice, settings)
  const load = embeddingLoader(reached)
  if (load === undefined) throw makesNone(name)
  const [keyVariable] = reached.facts.keyVariables
  return {
    name,
    effect: 'read',
    price: overrideOf(name, settings.prices ?? {}) ?? priceAt(name, reached).price,
    timeoutMs,
    reach: {
      provider,
      ...(reached.baseUrl === '' ? {} : { baseUrl: reached.baseUrl }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
    },
    load,
  }
}

function makesNone(name: string): ScholiumError {
  return new ScholiumError(
    'invalid_configuration',
    `${name} cannot create embeddings: its provider has no supported embedding models.`,
    {
      hint: 'Use another provider, such as ollama:nomic-embed-text or openai:text-embedding-3-small.',
    },
  )
}
