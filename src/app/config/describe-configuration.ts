import type { Json, JsonObject } from '../../kernel/json.ts'
import { splitName, unknownModelError } from '../../models/model-name.ts'
import { defaultModelName } from '../../models/model-source.ts'
import { findProvider, providers } from '../../models/providers.ts'
import { lookupAddressVariables, lookupKeyVariables } from '../../sources/lookup/sources.ts'
import { acceptedVariables } from './accepted-variables.ts'
import { type Configuration, variableOrigin } from './configuration.ts'
import type { FoundFile } from './find-files.ts'
import { findConfiguredHome, refusedHomeNote } from './home-setting.ts'
import type { Problem } from './origin.ts'
import { type ConfiguredModel, configuredModels } from './role-models.ts'
import { configVariable, settingSpecs } from './setting-specs.ts'

/** A setting in effect. */
export interface SettingLine {
  readonly key: string
  /** `null`: not set and without a default. A key is never shown, only that it is set. */
  readonly value: Json
  /** `--model`, `environment SCHOLIUM_MODEL`, `/p/scholium.yaml:12`, `default`. */
  readonly from: string
}

/** All settings and their origins. */
export interface ConfigurationReport extends JsonObject {
  readonly schema: 'scholium.configuration/1'
  readonly files: readonly {
    readonly path: string
    readonly kind: FoundFile['kind'] | 'env_file'
    /** Whether it is in effect: a configuration file with a mistake sets nothing. */
    readonly isUsed: boolean
  }[]
  readonly settings: readonly (SettingLine & JsonObject)[]
  /** Providers' variables that are set: an address in full; of a key, only that it is set. */
  readonly variables: readonly (SettingLine & JsonObject)[]
  readonly problems: readonly (Problem & JsonObject)[]
  readonly notes: readonly (Problem & JsonObject)[]
}

/** Describes a configuration: every setting, its value and its origin. */
export function describeConfiguration(configuration: Configuration): ConfigurationReport {
  const { files, envFile, problems, notes } = configuration
  const home = homeLine(configuration)
  const models = configuredModels(configuration)
  return {
    schema: 'scholium.configuration/1',
    files: [
      ...files.map(({ path, kind, isUsed }) => ({ path, kind, isUsed })),
      ...(envFile.isThere ? [{ path: envFile.path, kind: 'env_file' as const, isUsed: true }] : []),
    ],
    settings: [home.line, ...settingLines(configuration)],
    variables: variableLines(configuration),
    problems: [
      ...problems,
      ...home.problems,
      ...models.flatMap((model) => model.problems),
      ...models.flatMap(unknownModel),
    ].map(told),
    notes: [...notes, ...home.notes].map(told),
  }
}

function told({ place, message }: Problem) {
  return { place, message }
}

/** An unknown model name, in the words of the setting that names it. */
function unknownModel({ model, origin }: ConfiguredModel): readonly Problem[] {
  const { provider, model: name } = splitName(model.name)
  if (model.name === defaultModelName || (findProvider(provider) !== undefined && name !== ''))
    return []
  const known = providers.map((facts) => facts.provider)
  return [{ place: origin.text, message: unknownModelError(model.name, known).message }]
}

function homeLine(configuration: Configuration) {
  try {
    const { path, origin } = findConfiguredHome(configuration)
    const note = refusedHomeNote(configuration)
    const notes = note === undefined ? [] : [{ place: 'home', message: note }]
    return { line: { key: 'home', value: path, from: origin.text }, problems: [], notes }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const place = configuration.settings.get('home')?.origin.text ?? 'home'
    return {
      line: { key: 'home', value: null, from: place },
      problems: [{ place, message }],
      notes: [],
    }
  }
}

function settingLines(configuration: Configuration): ConfigurationReport['settings'] {
  const { settings } = configuration
  const listed = settingSpecs.flatMap(({ key, fallback }) => {
    if (key === 'home' || key === 'prices') return []
    const setting = settings.get(key)
    if (setting !== undefined)
      return [{ key, value: setting.value as Json, from: setting.origin.text }]
    return [{ key, value: fallback === 'none' ? null : plain(fallback), from: 'default' }]
  })
  const prices = [...settings].flatMap(([key, { value, origin }]) =>
    key.startsWith('prices.') ? [{ key, value: value as Json, from: origin.text }] : [],
  )
  return [...listed, ...prices]
}

function plain(fallback: string): Json {
  if (fallback === 'false') return false
  return /^\d+$/.test(fallback) ? Number(fallback) : fallback
}

function variableLines(configuration: Configuration): ConfigurationReport['variables'] {
  const { environment } = configuration
  const addresses = new Set([
    ...providers.flatMap(({ baseUrlVariables }) => baseUrlVariables),
    ...lookupAddressVariables,
    ...acceptedVariables.map(({ name }) => name),
  ])
  const keys = [
    ...providers.flatMap(({ keyVariables }) => keyVariables),
    ...lookupKeyVariables,
    ...configuredModels(configuration).flatMap(({ apiKeyFrom }) => apiKeyFrom ?? []),
  ]
  return [...new Set([configVariable, ...addresses, ...keys])].flatMap((name) => {
    const value = environment[name]
    if (value === undefined || value.trim() === '') return []
    const from = variableOrigin(configuration, name)?.text ?? ''
    const isKey = keys.includes(name) || holdsSecret(value)
    return [{ key: name, value: isKey ? 'set' : value, from }]
  })
}

function holdsSecret(value: string): boolean {
  return /[@?#]/.test(value)
}
