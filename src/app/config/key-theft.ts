import { findAddress, findSetVariable, isSameOrigin } from '../../models/base-url.ts'
import { splitName } from '../../models/model-name.ts'
import { findProvider, type Provider, providers } from '../../models/providers.ts'
import type { Environment } from '../trust/user-folders.ts'
import { type Configuration, variableOrigin } from './configuration.ts'
import { isOfProject, type Origin, type Problem, type Setting } from './origin.ts'
import type { RoleModelEntry } from './schema.ts'

/**
 * Reports if a project's files would send one of the operator's keys: a cloned repository could otherwise send every
 * key to its author, or any secret of the environment to some service. A provider may have its own key; an address that
 * the project names gets one only if the operator named that address too. This machine is no exception: others may
 * listen on it.
 */
export function keyProblem(
  configuration: Configuration,
  setting: Setting<RoleModelEntry>,
): Problem | undefined {
  const { value: model, origin } = setting
  const facts = findProvider(splitName(model.name).provider)
  const named = model.apiKeyFrom
  if (named !== undefined && isOfProject(origin) && !facts?.keyVariables.includes(named)) {
    const problem = foreignKeyProblem(configuration, model.name, named)
    if (problem !== undefined) return { place: origin.text, message: problem }
  }
  if (facts === undefined) return undefined
  const address = addressFor(configuration, setting)
  if (address === undefined || !isOfProject(address.origin)) return undefined
  if (isSameOrigin(address.baseUrl, facts.baseUrl)) return undefined
  if (isOperatorsOwn(configuration, address.baseUrl)) return undefined
  const variable = keyVariableFor(configuration, facts, model)
  if (variable === undefined || !isOperators(configuration, variable)) return undefined
  const { host } = new URL(address.baseUrl)
  return {
    place: address.origin.text,
    message: `${model.name} would send your key ${variable} to ${host}, an address set by this project; if you trust it, put the address in your own configuration file or the environment, or pass this file with --config`,
  }
}

/** The problem of a variable that a project names as a key and that is not the provider's. */
function foreignKeyProblem(
  configuration: Configuration,
  name: string,
  variable: string,
): string | undefined {
  if (!isOperators(configuration, variable)) return undefined
  return `${name} would send your variable ${variable}, which this project set as the key; if you trust it, configure the model in your own configuration file, or pass this file with --config`
}

/** Whether the operator set a variable, and not the project's `.env`. */
function isOperators(configuration: Configuration, variable: string): boolean {
  const origin = variableOrigin(configuration, variable)
  return origin !== undefined && !isOfProject(origin)
}

/** The environment without addresses from a project's `.env` to which one of the operator's keys would go. */
export function withoutUntrusted(configuration: Configuration): Environment {
  const { environment } = configuration
  const left = providers.flatMap((facts) => {
    const origin = { kind: 'default', text: '', folder: '' } as const
    const isTheft = keyProblem(configuration, { value: { name: `${facts.provider}:` }, origin })
    return isTheft === undefined ? [] : (generalAddress(facts, configuration)?.from ?? [])
  })
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.includes(name)))
}

/** An address, and who named it. */
export interface KnownAddress {
  readonly baseUrl: string
  readonly origin: Origin
}

/** The address of a model, if somebody named one. */
export function addressFor(
  configuration: Configuration,
  { value: model, origin }: Setting<RoleModelEntry>,
): KnownAddress | undefined {
  const facts = findProvider(splitName(model.name).provider)
  if (facts === undefined) return undefined
  if (model.baseUrl !== undefined) return { baseUrl: model.baseUrl, origin }
  const general = generalAddress(facts, configuration)
  const from = general && variableOrigin(configuration, general.from)
  return general && from && { baseUrl: general.baseUrl, origin: from }
}

/**
 * The variable whose value would go to the model's service, by the models' own rule: a named one, or the provider's for
 * its own address.
 */
function keyVariableFor(
  configuration: Configuration,
  facts: Provider,
  { apiKeyFrom, baseUrl }: RoleModelEntry,
): string | undefined {
  if (apiKeyFrom !== undefined) return apiKeyFrom
  const general = generalAddress(facts, configuration)
  const isItsOwn = baseUrl === undefined || isSameOrigin(baseUrl, general?.baseUrl)
  return isItsOwn ? findSetVariable(configuration.environment, facts.keyVariables) : undefined
}

function isOperatorsOwn(configuration: Configuration, baseUrl: string): boolean {
  const ofVariables = providers.flatMap((facts) => {
    const general = generalAddress(facts, configuration)
    const origin = general && variableOrigin(configuration, general.from)
    return general && origin && !isOfProject(origin) ? [general.baseUrl] : []
  })
  const ofFiles = configuration.fileModels.flatMap(({ value, origin }) =>
    isOfProject(origin) ? [] : (value.baseUrl ?? []),
  )
  // Compares whole addresses: one host may serve many customers under different paths.
  return [...ofVariables, ...ofFiles].some((own) => withoutSlash(own) === withoutSlash(baseUrl))
}

function withoutSlash(address: string): string {
  return new URL(address).href.replace(/\/+$/, '')
}

/** An invalid address in a variable is reported when the model is reached. */
function generalAddress(facts: Provider, { environment }: Configuration) {
  try {
    return findAddress(facts, environment)
  } catch {
    return undefined
  }
}
