import { resolve } from 'node:path'
import type { ClaimPolicy, Depth } from '../../ask/result.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { bytesPerMb } from '../../kernel/limits/log-limit.ts'
import type { Price } from '../../kernel/model/model.ts'
import type { NamedModels } from '../../models/model-settings.ts'
import type { AppOptions, AskRequest } from '../options.ts'
import type { PapersRequest } from '../papers/papers-input.ts'
import type { PythonSettings } from '../python.ts'
import { type Configuration, requireSound } from './configuration.ts'
import { findConfiguredHome, findHomeOwner } from './home-setting.ts'
import { withoutUntrusted } from './key-theft.ts'
import { toMcpSettings } from './mcp-setting.ts'
import { isOfProject, type Setting, type Settings } from './origin.ts'
import { configuredModels, describedModels, modelChoices } from './role-models.ts'

/**
 * What an app will use models for: `new` runs; `recorded` runs with their own models; recorded runs with the changes of
 * the command line; or nothing.
 */
export type ModelUse = 'new' | 'recorded' | 'changed' | 'none'

/** The options of an app from its settings: models by name. */
export type ConfiguredOptions = Omit<AppOptions, 'models'> & { readonly models?: NamedModels }

/**
 * The options of an app from its configuration. An unusable model is reported only if one will be used.
 * @throws `invalid_configuration` for such a model, or an unusable home
 */
export function toAppOptions(configuration: Configuration, use: ModelUse): ConfiguredOptions {
  const { settings, folder } = configuration
  const prices = group<Price>(settings, 'prices')
  const limits = toLimits(settings, use)
  const python = toPythonSettings(settings)
  const { trustedHomes } = findHomeOwner(configuration)
  return {
    environment: withoutUntrusted(configuration),
    folder,
    home: findConfiguredHome(configuration).path,
    ...(trustedHomes === undefined ? {} : { trustedHomes }),
    ...modelOptions(configuration, use),
    ...(Object.keys(prices).length === 0 ? {} : { prices }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(Object.keys(python).length === 0 ? {} : { python }),
    mcp: toMcpSettings(configuration),
  }
}

function modelOptions(
  configuration: Configuration,
  use: ModelUse,
): Pick<ConfiguredOptions, 'models' | 'knownModels' | 'projectModels' | 'projectVariables'> {
  if (use === 'none') return {}
  const models = configuredModels(configuration).filter(
    ({ origin }) => use === 'new' || (use === 'changed' && origin.kind === 'option'),
  )
  requireSound(models.flatMap(({ problems }) => problems))
  return {
    ...(models.length === 0 ? {} : { models: modelChoices(models) }),
    ...(use === 'new' ? {} : usableModels(configuration)),
  }
}

/** Models that files configure, the operator's own separate from a project's. */
function usableModels(
  configuration: Configuration,
): Pick<AppOptions, 'knownModels' | 'projectModels' | 'projectVariables'> {
  const usable = describedModels(configuration).filter(({ problems }) => problems.length === 0)
  const ofProject = ({ origin, address }: (typeof usable)[number]) =>
    isOfProject(origin) || (address !== undefined && isOfProject(address.origin))
  const { true: projects = [], false: own = [] } = Object.groupBy(
    usable,
    (model) => String(ofProject(model)) as 'true' | 'false',
  )
  return {
    knownModels: own.map(({ model }) => model),
    projectModels: projects.map(({ model }) => model),
    projectVariables: Object.keys(configuration.envFile.variables),
  }
}

/**
 * The configuration's options for every question.
 * @param isContinued whether the question takes its settings from another run: then only limits, disabling the web, and
 * the command line apply
 */
export function readAskDefaults(
  { settings: all, projectFolder }: Configuration,
  isContinued = false,
): Omit<AskRequest, 'question'> {
  const settings = isContinued ? withoutKept(all) : all
  const sources = settings.get('sources') as Setting<readonly string[]> | undefined
  const retryLimit = settings.get('retryLimit') as Setting<number> | undefined
  const claims = settings.get('claims') as Setting<ClaimPolicy> | undefined
  const depth = settings.get('depth') as Setting<Depth> | undefined
  const web = settings.get('web') as Setting<boolean> | undefined
  const retryLimits = group<number>(settings, 'retryLimits')
  const criteria = group<string>(settings, 'criteria')
  return {
    ...(sources === undefined
      ? {}
      : { sources: sources.value.map((path) => resolve(sources.origin.folder, path)) }),
    // Sources from a project's files may contain links that lead to the reader's own files.
    ...(sources !== undefined && isOfProject(sources.origin) ? { sourcesRoot: projectFolder } : {}),
    ...(retryLimit === undefined ? {} : { retryLimit: retryLimit.value }),
    ...(Object.keys(retryLimits).length === 0 ? {} : { retryLimits }),
    ...(Object.keys(criteria).length === 0 ? {} : { criteria }),
    ...(claims === undefined ? {} : { claims: claims.value }),
    ...(depth === undefined ? {} : { depth: depth.value }),
    ...(web === undefined ? {} : { web: web.value }),
  }
}

/** The configuration's options for every synthesis of papers. Its files are searched in addition to the library, as for a question. */
export function readPapersDefaults(
  configuration: Configuration,
  isContinued = false,
): Pick<PapersRequest, 'web' | 'claims' | 'sources' | 'sourcesRoot'> {
  const { web, claims, sources, sourcesRoot } = readAskDefaults(configuration, isContinued)
  return {
    ...(web === undefined ? {} : { web }),
    ...(claims === undefined ? {} : { claims }),
    ...(sources === undefined ? {} : { sources: [...(web ? [] : ['library']), ...sources] }),
    ...(sourcesRoot === undefined ? {} : { sourcesRoot }),
  }
}

/** The settings of Python from a configuration. */
export function toPythonSettings(settings: Settings): PythonSettings {
  const { timeoutSeconds, ...others } = group<number>(settings, 'python')
  const timeout =
    timeoutSeconds === undefined ? {} : { timeoutMs: Math.ceil(timeoutSeconds * 1_000) }
  return { ...(others as PythonSettings), ...timeout }
}

/**
 * Leaves out settings that a follow-up question takes from the run it continues, unless the command line sets them.
 * Disabling the web applies to every question.
 */
function withoutKept(settings: Settings): Settings {
  const isOwn = (key: string, { value, origin }: Setting) =>
    key === 'retryLimit' ||
    key.startsWith('retryLimits.') ||
    (key === 'web' && value === false && origin.kind !== 'default') ||
    origin.kind === 'option'
  return new Map([...settings].filter(([key, setting]) => isOwn(key, setting)))
}

/** A recorded run already has limits: only the command line changes them. */
function toLimits(settings: Settings, use: ModelUse): Limits {
  const counting = [...settings].filter(
    ([, { origin }]) => use === 'new' || use === 'none' || origin.kind === 'option',
  )
  const { maxSeconds, maxLogMb, ...others } = group<number>(new Map(counting), 'limits')
  return {
    ...others,
    ...(maxSeconds === undefined ? {} : { maxWallMs: Math.ceil(maxSeconds * 1000) }),
    ...(maxLogMb === undefined ? {} : { maxLogBytes: maxLogMb * bytesPerMb }),
  }
}

/** The members of a group of settings, by name. */
function group<T>(settings: Settings, name: string): Readonly<Record<string, T>> {
  const members = [...settings].filter(([key]) => key.startsWith(`${name}.`))
  return Object.fromEntries(
    members.map(([key, { value }]) => [key.slice(name.length + 1), value as T]),
  )
}
