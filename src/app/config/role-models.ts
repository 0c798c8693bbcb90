import type { ModelRole } from '../../kernel/model/model.ts'
import { azureName, findDeploymentVariable, withDeployment } from '../../models/model-name.ts'
import type { NamedModels, RoleModel } from '../../models/model-settings.ts'
import { findProvider } from '../../models/providers.ts'
import { chosenRoles } from '../models/roles.ts'
import type { Environment } from '../trust/user-folders.ts'
import { acceptedVariables } from './accepted-variables.ts'
import { type Configuration, variableOrigin } from './configuration.ts'
import { addressFor, type KnownAddress, keyProblem } from './key-theft.ts'
import { isOfProject, type Origin, type Problem, type Setting } from './origin.ts'
import type { RoleModelEntry } from './schema.ts'

/** The configured model of a role. */
export interface ConfiguredModel {
  readonly role: ModelRole
  /** The origin of its name. */
  readonly origin: Origin
  readonly model: RoleModel
  /** The origin of the deployment that the name `azure` stands for. */
  readonly deploymentOrigin?: Origin
  /** Its address, unless it is the provider's public one. */
  readonly address?: KnownAddress
  /** The variable that was named for its key. */
  readonly apiKeyFrom?: string
  readonly problems: readonly Problem[]
}

/** The models of roles, with their addresses and the problems that make them unusable. */
export function configuredModels(configuration: Configuration): readonly ConfiguredModel[] {
  return chosenRoles.flatMap((role) => {
    const setting = configuration.settings.get(`models.${role}`)
    return setting === undefined
      ? []
      : [configured(configuration, role, setting as Setting<RoleModelEntry>)]
  })
}

/** Every model that a file describes, whatever its role. */
export function describedModels(configuration: Configuration): readonly ConfiguredModel[] {
  const { fileModels } = configuration
  return fileModels.map((setting) => configured(configuration, 'default', setting))
}

/** The models that a project's own files chose or redirected, to be named before they are used. */
export function projectModels(configuration: Configuration): readonly string[] {
  const told = configuredModels(configuration).flatMap(
    ({ model, origin, deploymentOrigin, address }) => {
      const from = [origin, deploymentOrigin, address?.origin].find(
        (place) => place && isOfProject(place),
      )
      if (from === undefined) return []
      return `${model.name}${address === undefined ? '' : ` at ${address.baseUrl}`} (${from.text})`
    },
  )
  return [...new Set(told)]
}

/** How to use deployments that the environment names and no role has; empty if a model was chosen. */
export function unusedDeployments({ settings, environment }: Configuration): readonly string[] {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== ''
  const { keyVariables = [], baseUrlVariables = [] } = findProvider(azureName) ?? {}
  const isReached = keyVariables.some(isSet) && baseUrlVariables.some(isSet)
  if (!isReached || [...settings.keys()].some((key) => key.startsWith('models.'))) return []
  return acceptedVariables.flatMap(({ name, told }) =>
    told !== undefined && isSet(name) ? [told((environment[name] ?? '').trim())] : [],
  )
}

function configured(
  configuration: Configuration,
  role: ModelRole,
  setting: Setting<RoleModelEntry>,
): ConfiguredModel {
  const { environment } = configuration
  const described = describedInFile(configuration, withWholeName(setting, role, environment), role)
  const { apiKeyFrom } = described.value
  const deploymentOrigin =
    setting.value.name === azureName
      ? variableOrigin(configuration, findDeploymentVariable(role))
      : undefined
  const theft = keyProblem(configuration, described)
  const address = addressFor(configuration, described)
  const isUnset = apiKeyFrom !== undefined && (environment[apiKeyFrom] ?? '') === ''
  const unset = {
    place: described.origin.text,
    message: `the key of ${described.value.name} is read from ${apiKeyFrom}, which is not set`,
  }
  return {
    role,
    origin: setting.origin,
    model: toRoleModel(described.value, environment),
    ...(deploymentOrigin === undefined ? {} : { deploymentOrigin }),
    ...(address === undefined ? {} : { address }),
    ...(apiKeyFrom === undefined ? {} : { apiKeyFrom }),
    problems: [...(isUnset ? [unset] : []), ...(theft === undefined ? [] : [theft])],
  }
}

/** A model given only by name is reached as a file describes it, if one does. */
function describedInFile(
  { fileModels, environment }: Configuration,
  setting: Setting<RoleModelEntry>,
  role: ModelRole,
): Setting<RoleModelEntry> {
  if (Object.keys(setting.value).length > 1) return setting
  const hasMore = ({ value }: Setting<RoleModelEntry>) =>
    value.name === setting.value.name && Object.keys(value).length > 1
  const described = fileModels.map((model) => withWholeName(model, role, environment))
  return described.find(hasMore) ?? setting
}

function withWholeName(
  { value, ...setting }: Setting<RoleModelEntry>,
  role: ModelRole,
  environment: Environment,
): Setting<RoleModelEntry> {
  return { ...setting, value: { ...value, name: withDeployment(value.name, role, environment) } }
}

function toRoleModel(entry: RoleModelEntry, environment: Environment): RoleModel {
  const {
    apiKeyFrom,
    timeoutSeconds,
    stream,
    vision,
    name,
    baseUrl,
    temperature,
    maxOutputTokens,
    contextTokens,
    reasoningEffort,
  } = entry
  const apiKey = apiKeyFrom === undefined ? undefined : environment[apiKeyFrom]
  return {
    name,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: Math.round(timeoutSeconds * 1000) }),
    ...(vision === undefined ? {} : { vision }),
    ...(stream === undefined ? {} : { isStreamed: stream }),
  }
}

/** The models by role, for an app; none if none is set. */
export function modelChoices(models: readonly ConfiguredModel[]): NamedModels {
  return Object.fromEntries(models.map(({ role, model }) => [role, model]))
}
