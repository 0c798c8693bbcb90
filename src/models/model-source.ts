import type { LanguageModelV4 } from '@ai-sdk/provider'
import { ScholiumError } from '../kernel/errors.ts'
import type {
  EmbeddingBinding,
  ModelBinding,
  ModelRole,
  ModelSource,
  Price,
} from '../kernel/model/model.ts'
import { adaptModel, embeddingLoader, loadModel } from './load-model.ts'
import { findModelSizes, takesImages } from './model-capabilities.ts'
import { splitName, unknownModelError, withDeployment } from './model-name.ts'
import { findEmbeddingModel, findLanguageModel, splitEmbeddingCalls } from './model-objects.ts'
import type { ModelSettings, NamedModels, RoleModel } from './model-settings.ts'
import { checkPrices, findPriceOverride, priceAt } from './price-of.ts'
import { findProvider, keyVariables } from './providers.ts'
import { readContextTokens } from './read-context-tokens.ts'
import { isSelfHosted, resolveModel } from './resolve-model.ts'

/** The engine used if no model is chosen. */
export const defaultModelName = 'extractive'

const defaults = { temperature: 0, maxOutputTokens: null, timeoutMs: 120_000, isStreamed: true }

type Loaded = Map<string, Promise<LanguageModelV4>>

/** What bindings are made from. */
interface Made {
  readonly settings: ModelSettings
  readonly loaded: Loaded
  /** Context windows by model name. */
  readonly windows: ReadonlyMap<string, number>
}

/**
 * Models for all roles. Nothing is loaded or called before first use.
 * @throws `invalid_configuration` for an unknown provider, a missing address or key, or a setting or price out of range
 */
export function createModelSource(given: ModelSettings): ModelSource {
  const settings = { ...given, choices: withDeployments(given) }
  const loaded: Loaded = new Map()
  const windows = new Map<string, number>()
  const made = { settings, loaded, windows }
  checkPrices(settings.prices ?? {})
  for (const [role, choice] of Object.entries(settings.choices)) {
    checkNumbers(roleModel(choice))
    if (role === 'embedding') bindEmbedding(settings, roleModel(choice), defaults.timeoutMs)
    else bind(made, 'default', roleModel(choice))
  }
  const named = (short: string, role: ModelRole): RoleModel => {
    const name = withDeployment(short, role, settings.environment)
    const known = Object.values(settings.choices).map(roleModel)
    return known.find((choice) => choice.name === name) ?? { name }
  }
  return {
    forRole(role) {
      const { choices } = settings
      return bind(made, role, roleModel(choices[role] ?? choices.default))
    },
    forName(name, role) {
      return bind(made, role, named(name, role))
    },
    forEmbedding(name) {
      const { embedding } = settings.choices
      if (name === undefined && embedding === undefined) return undefined
      const choice = name === undefined ? roleModel(embedding) : named(name, 'embedding')
      return bindEmbedding(settings, choice, defaults.timeoutMs)
    },
    windows,
    async readWindows(roles, signal) {
      const { choices } = settings
      const used = roles.map((role) => roleModel(choices[role] ?? choices.default))
      const unread = used.filter((choice) => mayTellWindow(choice, made))
      await Promise.all(
        [...new Map(unread.map((choice) => [choice.name, choice])).values()].map(async (choice) => {
          const tokens = await readContextTokens(resolveModel(choice, settings), signal)
          if (tokens !== undefined) windows.set(choice.name, tokens)
        }),
      )
    },
  }
}

/** Whether a model's window is neither set nor read yet, and its server can be asked. */
function mayTellWindow({ name, contextTokens }: RoleModel, { settings, windows }: Made): boolean {
  const { provider } = splitName(name)
  const isOwn =
    Object.hasOwn(settings.objects ?? {}, name) || Object.hasOwn(settings.providers ?? {}, provider)
  const isKnown = contextTokens !== undefined || windows.has(name) || isOwn
  return !isKnown && settings.isOffline !== true && findProvider(provider) !== undefined
}

/** The model name of each role, for the run record. */
export function listModelNames(
  source: ModelSource,
  roles: readonly ModelRole[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(listBindings(source, roles).map(([role, { name }]) => [role, name]))
}

/** The price of each role's model, for the run record; null if unknown. */
export function listPrices(
  source: ModelSource,
  roles: readonly ModelRole[],
): Readonly<Record<string, Price | null>> {
  return Object.fromEntries(listBindings(source, roles).map(([role, { price }]) => [role, price]))
}

/** Each role with its model; `embedding` only if a model was chosen for it. */
function listBindings(
  source: ModelSource,
  roles: readonly ModelRole[],
): readonly (readonly [ModelRole, ModelBinding | EmbeddingBinding])[] {
  return roles.flatMap((role) => {
    const binding = role === 'embedding' ? source.forEmbedding?.() : source.forRole(role)
    return binding === undefined ? [] : [[role, binding] as const]
  })
}

/** The base URL of each role's model if it is not the provider's public one, for the run record. */
export function listBaseUrls(
  source: ModelSource,
  roles: readonly ModelRole[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listBindings(source, roles).flatMap(([role, { reach }]) => {
      const { provider = '', baseUrl } = reach ?? {}
      const isTold = baseUrl !== undefined && baseUrl !== findProvider(provider)?.baseUrl
      return isTold ? [[role, baseUrl]] : []
    }),
  )
}

/** Every value that must not enter a log: the roles' keys, and the keys of all providers in the environment. */
export function collectSecrets({
  choices,
  environment,
}: Pick<ModelSettings, 'choices' | 'environment'>): readonly string[] {
  const own = Object.values(choices).map((choice) => roleModel(choice).apiKey)
  const values = [...own, ...keyVariables.map((name) => environment[name])]
  return [...new Set(values.flatMap((value) => (value?.trim() ? [value, value.trim()] : [])))]
}

/** Models by role, with Azure deployments filled in. */
function withDeployments({ choices, environment }: ModelSettings): NamedModels {
  return Object.fromEntries(
    Object.entries(choices).map(([role, choice]) => {
      const model = roleModel(choice)
      return [role, { ...model, name: withDeployment(model.name, role as ModelRole, environment) }]
    }),
  )
}

function roleModel(choice: string | RoleModel | undefined): RoleModel {
  return typeof choice === 'object' ? choice : { name: choice ?? defaultModelName }
}

function bind(
  { settings, loaded, windows }: Made,
  role: ModelRole,
  choice: RoleModel,
): ModelBinding {
  const { name, baseUrl, apiKey, vision = takesImages(name), contextTokens, ...own } = choice
  const windowTokens = contextTokens ?? windows.get(name)
  const sizesOf = (isOwnServer: boolean) => ({
    ...findModelSizes(name, isOwnServer),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  })
  const common = { ...defaults, ...own, role, name, ...(vision ? { takesImages: true } : {}) }
  const builtIn = Object.hasOwn(settings.builtIn, name) ? settings.builtIn[name] : undefined
  const given = findPriceOverride(name, settings.prices ?? {})
  if (builtIn !== undefined) {
    const price = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 }
    const load = () => memoize(loaded, name, builtIn)
    return { ...common, effect: 'pure', isStreamed: false, price, load }
  }
  const { provider, model } = splitName(name)
  const object = findLanguageModel(settings.objects ?? {}, name)
  if (object !== undefined) {
    const sizes = sizesOf(false)
    const load = () => memoize(loaded, name, async () => adaptModel(object))
    return { ...common, effect: 'read', price: given ?? null, sizes, reach: { provider }, load }
  }
  const plugged = Object.hasOwn(settings.providers ?? {}, provider)
    ? settings.providers?.[provider]
    : undefined
  if (plugged !== undefined && model !== '') {
    const load = () => memoize(loaded, name, async () => plugged(model))
    const sizes = sizesOf(false)
    return { ...common, effect: 'read', price: given ?? null, sizes, reach: { provider }, load }
  }
  if (settings.isOffline && findProvider(provider) === undefined) {
    // A replay only needs the names of models.
    const load = async () => Promise.reject(unknownModelError(name, []))
    return { ...common, effect: 'read', price: given ?? null, reach: { provider }, load }
  }
  const reached = resolveModel(choice, settings)
  const [keyVariable] = reached.facts.keyVariables
  return {
    ...common,
    effect: 'read',
    price: given ?? priceAt(name, reached).price,
    sizes: sizesOf(isSelfHosted(reached)),
    reach: {
      provider,
      ...(reached.baseUrl === '' ? {} : { baseUrl: reached.baseUrl }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
    },
    // The same name with another address or key is another model.
    load: () => memoize(loaded, JSON.stringify([name, baseUrl, apiKey]), () => loadModel(reached)),
  }
}

function memoize(
  loaded: Loaded,
  key: string,
  load: () => Promise<LanguageModelV4>,
): Promise<LanguageModelV4> {
  const known = loaded.get(key) ?? load()
  loaded.set(key, known)
  return known
}

const ranges: readonly (readonly [keyof RoleModel, number, number, string])[] = [
  ['temperature', 0, 2, 'a number from 0 to 2'],
  ['maxOutputTokens', 1, Number.MAX_SAFE_INTEGER, 'a whole number of at least 1'],
  ['contextTokens', 1_000, Number.MAX_SAFE_INTEGER, 'a whole number of at least 1000'],
  ['timeoutMs', 1, 2 ** 31 - 1, 'a whole number of milliseconds of at least 1'],
]

function checkNumbers(choice: RoleModel): void {
  for (const [key, least, most, what] of ranges) {
    const value = choice[key] as number | undefined
    if (value === undefined) continue
    const isWhole = key === 'temperature' || Number.isSafeInteger(value)
    if (isWhole && value >= least && value <= most) continue
    throw new ScholiumError(
      'invalid_configuration',
      `Invalid ${key} of ${choice.name}: ${value}.`,
      {
        hint: `Give ${what}.`,
      },
    )
  }
}

/**
 * The embedding model of this name.
 * @throws `invalid_configuration` for an unknown provider, a provider without embedding models, or a missing address or key
 */
function bindEmbedding(
  settings: ModelSettings,
  choice: RoleModel,
  defaultTimeoutMs: number,
): EmbeddingBinding {
  const { name, timeoutMs = defaultTimeoutMs } = choice
  const { provider } = splitName(name)
  if (Object.hasOwn(settings.builtIn, name)) throw noEmbeddingsError(name)
  const given = findPriceOverride(name, settings.prices ?? {})
  const common = { name, effect: 'read', timeoutMs } as const
  const object = findEmbeddingModel(settings.objects ?? {}, name)
  if (object !== undefined) {
    const load = async () => splitEmbeddingCalls(object)
    return { ...common, price: given ?? null, reach: { provider }, load }
  }
  if (Object.hasOwn(settings.providers ?? {}, provider)) throw noEmbeddingsError(name)
  if (settings.isOffline && findProvider(provider) === undefined) {
    const load = async () => Promise.reject(unknownModelError(name, []))
    return { ...common, price: given ?? null, reach: { provider }, load }
  }
  const reached = resolveModel(choice, settings)
  const load = embeddingLoader(reached)
  if (load === undefined) throw noEmbeddingsError(name)
  const [keyVariable] = reached.facts.keyVariables
  return {
    ...common,
    price: given ?? priceAt(name, reached).price,
    reach: {
      provider,
      ...(reached.baseUrl === '' ? {} : { baseUrl: reached.baseUrl }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
    },
    load,
  }
}

function noEmbeddingsError(name: string): ScholiumError {
  return new ScholiumError(
    'invalid_configuration',
    `${name} cannot create embeddings: its provider has no supported embedding models.`,
    {
      hint: 'Use another provider, such as ollama:nomic-embed-text or openai:text-embedding-3-small.',
    },
  )
}
