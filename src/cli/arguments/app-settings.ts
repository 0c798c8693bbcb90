import type {
  CodeRequest,
  CodeSettings,
  Configuration,
  createApp,
  GivenSettings,
  ModelUse,
  SettingsChange,
} from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { bytesPerMb } from '../../kernel/limits/log-limit.ts'
import { oneLine, shortPath } from '../render/text.ts'
import type { Invocation } from './invocation.ts'
import type { GivenOptions } from './option.ts'

/** The app, as the faces use it. */
export type OpenApp = ReturnType<typeof createApp>
/** The result of a run: an answer, a synthesis, or the output of an agent file. */
export type RunResult = Awaited<ReturnType<OpenApp['resume']>>
/** The answer to a question. */
export type Answer = Awaited<ReturnType<OpenApp['ask']>>

/**
 * Runs `work` with the app that options, environment and configuration files describe, and closes the app afterwards.
 */
export async function withApp(
  invocation: Invocation,
  work: (app: OpenApp, configuration: Configuration) => Promise<number>,
  models: ModelUse = 'none',
): Promise<number> {
  const {
    toAppOptions,
    createApp,
    loadConfiguration,
    projectModels,
    refusedHomeNote,
    unusedDeployments,
  } = await import('../../app.ts')
  const configuration = await loadConfiguration(configurationRequest(invocation))
  const onWarning = (text: string) => invocation.terminal.tell(oneLine(text))
  const note = refusedHomeNote(configuration)
  if (note !== undefined) onWarning(invocation.terminal.asTyped(note))
  const settings = toAppOptions(configuration, models)
  const app = createApp({ ...settings, onWarning })
  if (models === 'new') {
    tellModels(invocation, projectModels(configuration))
    if (!invocation.options.has('quiet'))
      for (const text of unusedDeployments(configuration)) onWarning(`${text}.`)
  }
  try {
    return await work(app, configuration)
  } catch (error) {
    const isMissing = error instanceof ScholiumError && error.code === 'run_not_found'
    throw isMissing && (await app.listRuns({ limit: 1 })).length === 0
      ? noRunsYet(settings.home, error)
      : error
  } finally {
    await app.close()
  }
}

/** If there are none, the hint to list runs would not help. */
function noRunsYet(home: string | undefined, cause: ScholiumError): ScholiumError {
  const place = home === undefined ? '' : ` in ${home}`
  return new ScholiumError('run_not_found', `${cause.message} There are no runs yet${place}.`, {
    hint: 'Ask something: scholium ask "What is CRISPR?" To see the runs of another home, give --home DIR.',
    cause,
  })
}

/** Where to look for an invocation's configuration, and what the command line itself sets. */
export function configurationRequest({ options, terminal }: Invocation) {
  return { environment: terminal.host.env, folder: terminal.host.cwd(), given: givenBy(options) }
}

function givenBy(options: GivenOptions): GivenSettings {
  const home = options.filled('home')
  const configFile = options.filled('config')
  const retryLimit = options.whole('retry-limit', 0)
  const claims = options.choice('claims', ['mark', 'strict', 'off'])
  return {
    models: options.texts('model'),
    sources: options.texts('source'),
    limits: readLimits(options),
    ...(home === undefined ? {} : { home }),
    ...(configFile === undefined ? {} : { configFile }),
    ...(retryLimit === undefined ? {} : { retryLimit }),
    ...(claims === undefined ? {} : { claims }),
    ...readWeb(options),
    ...readMcp(options),
    ...(options.has('no-python') ? { python: false } : {}),
  }
}

/** Whether the web may be used. @throws `invalid_input` if both options are given */
function readWeb(options: GivenOptions): Pick<GivenSettings, 'web'> {
  if (!options.has('no-web')) return options.has('web') ? { web: true } : {}
  if (options.has('web')) throw contradicting('web', 'no-web')
  return { web: false }
}

/** Which MCP servers to use. @throws `invalid_input` for both some and none */
function readMcp(options: GivenOptions): Pick<GivenSettings, 'mcp'> {
  const names = [...options.texts('mcp-server'), ...options.texts('mcp-arxiv')]
  if (options.has('no-mcp')) {
    const other = ['mcp', 'mcp-server', 'mcp-arxiv'].find((name) => options.has(name))
    if (other === undefined) return { mcp: false }
    throw contradicting(other, 'no-mcp')
  }
  if (names.length > 0) return { mcp: names }
  return options.has('mcp') ? { mcp: true } : {}
}

function contradicting(one: string, other: string): ScholiumError {
  const text = `--${one} and --${other} cannot be combined.`
  return new ScholiumError('invalid_input', text, { hint: 'Give only one of them.' })
}

/** Models that a folder's files choose are named before they are used: the files may be somebody else's. */
function tellModels({ options, terminal }: Invocation, models: readonly string[]): void {
  if (models.length === 0 || options.has('quiet')) return
  const folder = terminal.host.cwd()
  const named = models.map((text) =>
    text.replace(/\((.+):(\d+)\)$/, (_, path: string, line: string) => {
      return `(${shortPath(path, folder)}:${line})`
    }),
  )
  terminal.tell(`The configuration in this folder sets: ${named.join(', ')}`)
}

/** The limits of a run. @throws `invalid_input` for an invalid value */
export function readLimits(options: GivenOptions): Limits {
  const maxSteps = options.whole('max-steps', 1)
  const maxTokens = options.whole('max-tokens', 1)
  const maxCostUsd = options.amount('max-cost-usd')
  const maxSeconds = options.amount('max-seconds')
  const maxLogMb = options.whole('max-log-mb', 1)
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxSeconds === undefined ? {} : { maxWallMs: Math.ceil(maxSeconds * 1000) }),
    ...(maxLogMb === undefined ? {} : { maxLogBytes: maxLogMb * bytesPerMb }),
  }
}

/** Changes for a resumed session: rules are added to those that it already has. */
export function addedTo(
  known: Partial<CodeSettings> | undefined,
  settings: NonNullable<CodeRequest['settings']>,
): SettingsChange {
  const { allow = [], deny = [], ...others } = settings
  const joined = (one: readonly string[] = [], other: readonly string[]) => [
    ...new Set([...one, ...other]),
  ]
  return {
    ...(others as SettingsChange),
    ...(allow.length === 0 ? {} : { allow: joined(known?.allow, allow) }),
    ...(deny.length === 0 ? {} : { deny: joined(known?.deny, deny) }),
  }
}
