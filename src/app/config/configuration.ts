import { realpathSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { ClaimPolicy } from '../../ask/result.ts'
import { isInside } from '../../files/real-place.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { bytesPerMb } from '../../kernel/limits/log-limit.ts'
import { providers } from '../../models/providers.ts'
import { lookupKeyVariables } from '../../sources/lookup/sources.ts'
import type { Environment } from '../trust/user-folders.ts'
import { acceptedVariables, settingsOfAccepted } from './accepted-variables.ts'
import { type EnvFile, readEnvFile } from './env-file.ts'
import { type FoundFile, findConfigFiles } from './find-files.ts'
import { flatten } from './flatten.ts'
import { modelsByRole, settingsOfVariables } from './from-variables.ts'
import { mergeSettings } from './merge.ts'
import { isOfProject, type Origin, type Problem, type Setting, type Settings } from './origin.ts'
import { readConfigFile } from './read-file.ts'
import type { RoleModelEntry } from './schema.ts'
import { configVariable, settingSpecs } from './setting-specs.ts'

/** Settings from the command line, which override all others. */
export interface GivenSettings {
  readonly home?: string
  /** As for `--model`: `NAME` or `ROLE=NAME`. */
  readonly models?: readonly string[]
  readonly limits?: Limits
  readonly retryLimit?: number
  readonly claims?: ClaimPolicy
  readonly web?: boolean
  readonly python?: boolean
  /** All, none, or these. */
  readonly mcp?: boolean | readonly string[]
  readonly sources?: readonly string[]
  /** The only file to read, instead of those found. It counts as the operator's own, wherever it is. */
  readonly configFile?: string
}

/** A configuration file. A file with a mistake sets nothing. */
export interface ReadFile extends FoundFile {
  readonly isUsed: boolean
}

/** All settings, with their origins. */
export interface Configuration {
  readonly folder: string
  readonly projectFolder: string
  readonly files: readonly ReadFile[]
  readonly envFile: EnvFile
  readonly settings: Settings
  /** The operator's settings, including those that a project's file has replaced. */
  readonly operators: Settings
  /** Every model that a file describes, the strongest first: a model named elsewhere is reached accordingly. */
  readonly fileModels: readonly Setting<RoleModelEntry>[]
  /** The process's variables, then those from the project's `.env`. */
  readonly environment: Environment
  /** Mistakes; the settings concerned are not set. */
  readonly problems: readonly Problem[]
  /** What a project's file requested and was refused. */
  readonly notes: readonly Problem[]
}

/** Where to look for a configuration. */
export interface ConfigurationRequest {
  readonly environment: Environment
  /** The working folder. */
  readonly folder: string
  readonly given?: GivenSettings
}

/**
 * Reads all settings: command line, environment, `.env`, the project's file, the user's. Mistakes are returned, not
 * thrown.
 * @throws `invalid_input` for an unknown role
 */
export async function readConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const { environment, folder, given = {} } = request
  const named = given.configFile ?? (environment[configVariable] || undefined)
  const found = findConfigFiles(environment, folder, named)
  const read = await Promise.all(
    found.files.map(async (file) => ({ ...file, ...(await readConfigFile(file)) })),
  )
  const ofKind = (kind: FoundFile['kind']) => read.filter((file) => file.kind === kind)
  const known = knownVariables(read.map(({ settings }) => settings))
  const envFile = await readEnvFile(found.projectFolder, environment, known)
  const fromEnvFile = await settingsOfVariables(envFile.variables, (name) =>
    lineOrigin(envFile, name),
  )
  const fromEnvironment = await settingsOfVariables(environment, (name) => ({
    kind: 'environment',
    text: `environment ${name}`,
    folder,
  }))
  const variables = { ...envFile.variables, ...definedOnly(environment) }
  const accepted = settingsOfAccepted(variables, (name) =>
    envFile.variables[name] === undefined
      ? { kind: 'environment', text: `environment ${name}`, folder }
      : lineOrigin(envFile, name),
  )
  const { settings, operators, notes } = mergeSettings([
    accepted.settings,
    ...[...ofKind('user'), ...ofKind('named'), ...ofKind('project')].map((file) => file.settings),
    fromEnvFile.settings,
    fromEnvironment.settings,
    settingsGiven(given, folder),
  ])
  const outcomes = [found, ...read, envFile, accepted, fromEnvFile, fromEnvironment]
  return {
    folder,
    projectFolder: found.projectFolder,
    files: read.map(({ path, kind, problems }) => ({ path, kind, isUsed: problems.length === 0 })),
    envFile,
    settings,
    operators,
    fileModels: modelsIn([...ofKind('project'), ...ofKind('named'), ...ofKind('user')]),
    environment: variables,
    problems: [
      ...outcomes.flatMap(({ problems }) => problems),
      ...pathProblems(settings, found.projectFolder),
    ],
    notes,
  }
}

/** A configuration without mistakes. @throws `invalid_configuration` listing every mistake, `invalid_input` */
export async function loadConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const configuration = await readConfiguration(request)
  requireSound(configuration.problems)
  return configuration
}

/** @throws `invalid_configuration` listing every problem, if there is any */
export function requireSound(problems: readonly Problem[]): void {
  const lines = problems.map(({ place, message }) => `${place}: ${message}`)
  const [first] = lines
  if (first === undefined) return
  const message =
    lines.length === 1
      ? /[.?!]$/.test(first)
        ? first
        : `${first}.`
      : `The configuration has ${lines.length} errors:\n${lines.map((line) => `  ${line}`).join('\n')}`
  throw new ScholiumError('invalid_configuration', message, {
    hint: 'Show all settings and where they come from: scholium config',
    details: { problems: problems.map(({ place, message }) => ({ place, message })) },
  })
}

/** Whether a variable comes from the environment or the project's `.env`; `undefined` if neither sets it. */
export function variableOrigin(configuration: Configuration, name: string): Origin | undefined {
  const { envFile, environment, folder } = configuration
  if (envFile.variables[name] !== undefined) return lineOrigin(envFile, name)
  return environment[name] === undefined
    ? undefined
    : { kind: 'environment', text: `environment ${name}`, folder }
}

function lineOrigin({ path, lines }: EnvFile, name: string): Origin {
  const text = `${path}:${lines[name]}`
  return { kind: 'env_file', text, folder: path.slice(0, -'/.env'.length) }
}

/** The variables read from a `.env`: ours, the providers', and those that a file names for keys. */
function knownVariables(files: readonly Settings[]): ReadonlySet<string> {
  const keys = modelsIn(files.map((settings) => ({ settings }))).flatMap(
    ({ value }) => value.apiKeyFrom ?? [],
  )
  return new Set([
    ...settingSpecs.flatMap(({ variable }) => variable ?? []),
    ...providers.flatMap(({ keyVariables, baseUrlVariables }) => [
      ...keyVariables,
      ...baseUrlVariables,
    ]),
    ...lookupKeyVariables,
    ...acceptedVariables.flatMap(({ name, isOfEnvFile }) => (isOfEnvFile ? [name] : [])),
    ...keys,
  ])
}

function modelsIn(
  files: readonly { readonly settings: Settings }[],
): readonly Setting<RoleModelEntry>[] {
  return files.flatMap(({ settings }) =>
    [...settings].flatMap(([key, setting]) =>
      key.startsWith('models.') ? (setting as Setting<RoleModelEntry>) : [],
    ),
  )
}

function settingsGiven(given: GivenSettings, folder: string): Settings {
  const {
    home,
    models = [],
    limits = {},
    retryLimit,
    claims,
    web,
    python,
    mcp,
    sources = [],
  } = given
  const { maxWallMs, maxLogBytes, ...otherLimits } = limits
  const config = {
    ...(home === undefined ? {} : { home }),
    models: modelsByRole(models),
    limits: {
      ...otherLimits,
      ...(maxWallMs === undefined ? {} : { maxSeconds: maxWallMs / 1000 }),
      ...(maxLogBytes === undefined ? {} : { maxLogMb: maxLogBytes / bytesPerMb }),
    },
    ...(retryLimit === undefined ? {} : { retryLimit }),
    ...(claims === undefined ? {} : { claims }),
    ...(web === undefined ? {} : { web }),
    ...(mcp === undefined ? {} : { mcp: { servers: typeof mcp === 'boolean' ? mcp : [...mcp] } }),
    ...(python === undefined ? {} : { python: { enabled: python } }),
    ...(sources.length === 0 ? {} : { sources: [...sources] }),
  }
  return flatten(config, (path) => {
    const option = settingSpecs.find(({ key }) => key === path.join('.'))?.option
    return { kind: 'option', text: option?.split(' ')[0] ?? 'option', folder }
  })
}

function definedOnly(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
}

/** A project's own files may name only a home and sources inside the project. */
function pathProblems(settings: Settings, projectFolder: string): readonly Problem[] {
  const root = realPath(projectFolder)
  return (['home', 'sources'] as const).flatMap((key) => {
    const setting = settings.get(key)
    if (setting === undefined || !isOfProject(setting.origin)) return []
    const paths = [setting.value].flat() as readonly string[]
    const outside = paths.find(
      (path) => !isInside(realPath(resolve(setting.origin.folder, path)), root),
    )
    if (outside === undefined) return []
    const instead = key === 'home' ? '--home or SCHOLIUM_HOME' : '--source'
    const message = `${key} points outside the project's folder (${outside}); set it with ${instead}, or in your own configuration file`
    return [{ place: setting.origin.text, message }]
  })
}

/** The real path, as far as it exists: a link in the project may lead outside. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : resolve(realPath(parent), relative(parent, path))
  }
}
