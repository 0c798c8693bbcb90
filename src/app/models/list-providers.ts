import { ScholiumError } from '../../kernel/errors.ts'
import type { ModelRole, TokenPrice } from '../../kernel/model/model.ts'
import { describeProviders } from '../../models/describe-providers.ts'
import type { ModelSettings, RoleModel } from '../../models/model-settings.ts'
import { findPrice } from '../../models/price-of.ts'
import { toAppOptions } from '../config/app-settings.ts'
import { type Configuration, requireSound } from '../config/configuration.ts'
import { keyProblem } from '../config/key-theft.ts'
import { configuredModels } from '../config/role-models.ts'
import { withoutRunAdvice } from '../runs/without-run-advice.ts'
import { shownRoles } from './roles.ts'

/** A model's price in US dollars per million tokens; `null` if unknown. */
export type ShownPrice = Pick<TokenPrice, 'inputUsdPerMTok' | 'outputUsdPerMTok'> | null

/** A provider, and whether its models can be used now. */
export interface ProviderLine {
  readonly provider: string
  readonly label: string
  readonly isConfigured: boolean
  /** Whether it runs on this machine. */
  readonly isLocal: boolean
  readonly baseUrl: string | null
  readonly keyVariables: readonly string[]
  readonly baseUrlVariables: readonly string[]
  readonly problem: string | null
  readonly docsUrl: string
}

/** The model of a role. */
export interface RoleLine {
  readonly role: ModelRole
  readonly name: string
  /** The origin of its name. */
  readonly from: string
  readonly price: ShownPrice
  /** Why it cannot be used as configured. */
  readonly problem: string | null
}

/** The model of each role, and the available providers. Uses no network. */
export interface ModelsReport {
  readonly schema: 'scholium.models/1'
  readonly roles: readonly RoleLine[]
  readonly providers: readonly ProviderLine[]
}

/** Describes the models of a configuration. */
export function describeModels(configuration: Configuration): ModelsReport {
  const models = configuredModels(configuration)
  const settings = modelSettings(configuration)
  const hasEmbedding = models.some(({ role }) => role === 'embedding')
  const told = [...shownRoles, ...(hasEmbedding ? (['embedding'] as const) : [])]
  const roles = told.map((role): RoleLine => {
    const own = models.find((model) => model.role === role)
    const configured = own ?? models.find((model) => model.role === 'default')
    const name = configured?.model.name ?? 'extractive'
    const [problem] = configured?.problems ?? []
    return {
      role,
      name,
      from: configured?.origin.text ?? 'default',
      ...pricedOrNot(configured?.model ?? { name }, settings),
      ...(problem === undefined ? {} : { problem: `${problem.place}: ${problem.message}` }),
    }
  })
  return { schema: 'scholium.models/1', roles, providers: describeProviders(settings.environment) }
}

/** A model that a service offers. */
export interface OfferedModel {
  /** `provider:model`, the name to use. */
  readonly name: string
  readonly price: ShownPrice
}

/** Asks a provider's service for its models, which is free. @throws as `listModels` */
export async function listProviderModels(
  configuration: Configuration,
  provider: string,
  signal: AbortSignal,
): Promise<readonly OfferedModel[]> {
  const settings = modelSettings(configuration)
  const origin = { kind: 'option', text: provider, folder: configuration.folder } as const
  const theft = keyProblem(configuration, { value: { name: `${provider}:` }, origin })
  requireSound(theft === undefined ? [] : [theft])
  const { environment } = configuration
  const own = configuredModels(configuration).find(
    ({ model, problems }) => model.name.startsWith(`${provider}:`) && problems.length === 0,
  )
  const { listModels } = await import('../../models/list-models.ts')
  const names = await listModels(provider, { ...own?.model, environment }, signal).catch(
    (error: unknown) => {
      throw hasNoList(error) ? noList(provider, error as ScholiumError) : withoutRunAdvice(error)
    },
  )
  return names.map((model) => {
    const name = `${provider}:${model}`
    return { name, price: pricedOrNot({ ...own?.model, name }, settings).price }
  })
}

/** Whether a service has no list of models. */
function hasNoList(error: unknown): boolean {
  return error instanceof ScholiumError && [404, 405, 501].includes(Number(error.details.status))
}

function noList(provider: string, { code, details }: ScholiumError): ScholiumError {
  const text = `The service of ${provider} responds but lists no models (${details.status}).`
  return new ScholiumError(code, text, {
    hint: `Use a name from its documentation: --model ${provider}:NAME. To check it: scholium doctor --model ${provider}:NAME`,
    details,
  })
}

function modelSettings(configuration: Configuration): ModelSettings {
  const { environment = {}, prices } = toAppOptions(configuration, 'none')
  const builtIn = { extractive: () => Promise.reject(new Error('It is not called here.')) }
  return { choices: {}, environment, builtIn, ...(prices === undefined ? {} : { prices }) }
}

function pricedOrNot(
  model: RoleModel,
  settings: ModelSettings,
): { readonly price: ShownPrice; readonly problem: string | null } {
  try {
    const { price } = findPrice(model, settings)
    const { inputUsdPerMTok = 0, outputUsdPerMTok = 0 } = price ?? {}
    return {
      price: price === null ? null : { inputUsdPerMTok, outputUsdPerMTok },
      problem: null,
    }
  } catch (error) {
    return { price: null, problem: error instanceof Error ? error.message : String(error) }
  }
}
