import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Prompts } from '../ask/prompts.ts'
import type { AskInput } from '../ask/question.ts'
import type { AskResult } from '../ask/result.ts'
import type { TeamParts } from '../ask/team.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ModelSource } from '../kernel/model/model.ts'
import { type Clock, systemClock } from '../kernel/run/clock.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import { settleAll } from '../kernel/run/run-with-dependencies.ts'
import type { Execution, Workflow } from '../kernel/run/workflow.ts'
import { nameModels } from '../models/model-objects.ts'
import type { ModelChoices, NamedModels } from '../models/model-settings.ts'
import { collectSecrets, listBaseUrls, listModelNames, listPrices } from '../models/model-source.ts'
import { providers } from '../models/providers.ts'
import { createLibrary } from '../retrieval/create-library.ts'
import type { Library } from '../retrieval/library.ts'
import { lookupKeyVariables } from '../sources/lookup/sources.ts'
import { currentOwner } from '../stores/process-owner.ts'
import { createLazyLibraryStore } from '../stores/sqlite/lazy-library-store.ts'
import { createLazyRunStore } from '../stores/sqlite/lazy-run-store.ts'
import { closedLog } from '../stores/sqlite/run-store-failure.ts'
import type { WebSources } from '../tools/web/web-sources.ts'
import { AppAgents } from './agents/app-agents.ts'
import { findHome, type Home, refusedHomeText } from './home.ts'
import { isPrivateOriginal } from './library/originals.ts'
import { AppReader } from './library/reader.ts'
import { AppMcp } from './mcp/mcp.ts'
import { rolesInUse } from './models/roles.ts'
import type { AppOptions, ExecutionOptions, ResolvedOptions } from './options.ts'
import { AppPython } from './python.ts'
import { collectKeys, createModels } from './runs/run-models.ts'
import { readLabels } from './runs/trace-labels.ts'
import { type AppTelemetry, telemetryOf, telemetrySecrets } from './runs/trace-telemetry.ts'
import { findLog, type HomeOwner, isOwnHome, makeHome } from './trust/own-homes.ts'
import type { Environment } from './trust/user-folders.ts'
import { packageVersion } from './version.ts'
import type { BoundWorkflow, Workflows } from './workflows/bound-workflow.ts'

/** What is recorded with a run, in addition to its models. */
export interface ExecutionFacts extends Partial<Pick<BoundWorkflow, 'roles' | 'conditions'>> {
  /** The address of each role's model where it is not its provider's public one. */
  readonly baseUrls?: Readonly<Record<string, string>>
}

/** What the app's actions share: its home's stores, opened on first use, its models, its workflows. */
export class AppParts {
  readonly home: Home
  readonly options: ResolvedOptions
  readonly folder: string
  readonly environment: Environment
  readonly modelSource: ModelSource
  readonly clock: Clock
  readonly python: AppPython
  readonly reader = new AppReader()
  readonly mcp: AppMcp
  readonly agents: AppAgents
  readonly workflows: Workflows
  private openedStore: RunStore | undefined
  private openedLibrary: Library | undefined
  private madeTeam: TeamParts | undefined
  private readPrompts: Prompts | undefined
  private madeWeb: Promise<WebSources> | undefined
  private openedTelemetry: AppTelemetry | undefined | null = null
  private isClosed = false

  /**
   * @param createWorkflows creates the registry of workflows, which binds them to these parts
   * @throws `invalid_configuration` for an invalid model, or a workflow whose name cannot be used
   */
  constructor(given: AppOptions, createWorkflows: (parts: AppParts) => Workflows) {
    const options = resolveOptions(given)
    this.options = options
    this.environment = options.environment ?? process.env
    this.folder = options.folder ?? process.cwd()
    this.home = findHome(options.home, this.environment, this.folder, options.trustedHomes)
    if (this.home.refused !== undefined) this.warn(refusedHomeText(this.home))
    this.clock = options.clock ?? systemClock
    this.openedStore = options.store
    this.python = new AppPython(options.python ?? {})
    const { onWarning } = options
    this.mcp = new AppMcp(options.mcp ?? {}, this.environment, {
      clock: this.clock,
      ...(onWarning === undefined ? {} : { onWarning }),
    })
    this.agents = new AppAgents({
      environment: this.environment,
      secrets: () => this.secrets(),
      homePath: this.home.path,
      makeHome: () => this.makeHome(),
      features: options.features ?? {},
      providers: [
        ...providers.map(({ provider }) => provider),
        ...Object.keys(options.providers ?? {}),
      ],
      clock: this.clock,
      mcp: this.mcp,
      library: () => this.library,
      web: (origins) => (origins.length === 0 ? this.web : this.webWith(origins)),
    })
    this.modelSource = createModels(this, options.models ?? {})
    this.workflows = createWorkflows(this)
  }

  /** The models of choices by name; their objects count for all runs of the app. @throws `invalid_configuration` as {@link nameModels} */
  nameModels(choices: ModelChoices): NamedModels {
    return nameModels(choices, this.options.modelObjects).models
  }

  /** Ends what was opened, each part also after another's failure; nothing is opened again. @throws the first failure */
  async close(): Promise<void> {
    this.isClosed = true
    const parts = [
      () => this.openedTelemetry?.close(),
      ...[this.python, this.mcp, this.agents].map((part) => () => part.close()),
      () => this.reader.close(),
      () => this.openedLibrary?.close(),
      () => (this.options.store === undefined ? this.openedStore?.close() : undefined),
    ]
    for (const end of await settleAll(parts, 1, async (end) => end()))
      if (end.status === 'rejected') throw end.reason
  }

  /** The run store of the home. @throws `store_failed` after the end, as all that is opened on first use */
  get store(): RunStore {
    if (this.isClosed) throw closedLog()
    this.openedStore ??= createLazyRunStore(findLog(this.home.path), () => this.makeHome())
    return this.openedStore
  }

  /** The library of the home. */
  get library(): Library {
    if (this.isClosed) throw closedLog()
    const path = join(this.home.path, 'library.db')
    this.openedLibrary ??= createLibrary(
      createLazyLibraryStore(path, () => this.makeHome()),
      (place) => isPrivateOriginal(this.home.path, place),
    )
    return this.openedLibrary
  }

  /** Whether what the home records was recorded by this person, so that it can give rights: see {@link isOwnHome}. */
  get ownsHome(): boolean {
    return this.options.store !== undefined || isOwnHome(this.home.path, this.homeOwner)
  }

  /** Makes the home where it is not there yet, before anything is written into it. @throws `store_failed` */
  makeHome(): void {
    const problem = makeHome(this.home.path, this.homeOwner)
    if (problem === undefined) return
    this.warn(
      `The home ${this.home.path} could not be registered as trusted (${problem}). Its waiting or interrupted runs can be resumed only if trustedHomes in your own configuration, or SCHOLIUM_TRUSTED_HOMES, lists it.`,
    )
  }

  private get homeOwner(): HomeOwner {
    const { trustedHomes } = this.options
    return { environment: this.environment, ...(trustedHomes && { trustedHomes }) }
  }

  /** Reports a problem that does not affect a run. */
  warn(text: string): void {
    const { onWarning = (told: string) => process.emitWarning(told) } = this.options
    onWarning(text)
  }

  /** The way to the web, shared by all runs; loaded when a run first asks for it. */
  get web(): Promise<WebSources> {
    if (this.isClosed) throw closedLog()
    this.madeWeb ??= this.webWith([])
    return this.madeWeb
  }

  /** The same, or without a way there for a session that may not ask it any more: its tools stay the same. */
  async webIf(isGranted: boolean): Promise<WebSources> {
    const sources = await this.web
    return isGranted ? sources : (await import('./web-sources.ts')).closedWebSources(sources)
  }

  /** A way to the web on which more origins may be asked: for one run. */
  private async webWith(origins: readonly string[]): Promise<WebSources> {
    const { createWebSources } = await import('./web-sources.ts')
    const { webServers = {} } = this.options
    const allowedOrigins = [...(webServers.allowedOrigins ?? []), ...origins]
    const reader = await this.reader.get()
    return createWebSources(this.environment, this.clock, { ...webServers, allowedOrigins, reader })
  }

  /** What sends traces to collectors; `undefined` where none is named. */
  get telemetry(): AppTelemetry | undefined {
    if (this.isClosed) throw closedLog()
    if (this.openedTelemetry === null)
      this.openedTelemetry = telemetryOf(this.environment, (text) => this.warn(text))
    return this.openedTelemetry
  }

  /**
   * The question team as a workflow; the team is loaded when it begins to work.
   * @param given a way to the web in place of the app's own, and tools of the program
   */
  async workflow(
    given: { readonly web?: () => Promise<WebSources>; readonly tools?: readonly Tool[] } = {},
  ): Promise<Workflow<AskInput, AskResult & JsonObject>> {
    const { defineAsk } = await import('../ask/ask-definition.ts')
    return {
      ...defineAsk(await this.prompts()),
      run: async (context, input) => {
        const { askWorkflow } = await import('../ask/ask.ts')
        const { web, tools = [] } = given
        const { withOwnTools } = await import('../tools/mcp/own-tools.ts')
        const mcp = async () => withOwnTools(tools, () => this.mcp.access())
        const team = { ...(await this.team()), mcp, ...(web && { web }) }
        return askWorkflow(team).run(context, input)
      },
    }
  }

  /** What the question team works with, the same for all questions. */
  async team(): Promise<TeamParts> {
    const { createTeam } = await import('./ask/ask-team.ts')
    const prompts = await this.prompts()
    this.madeTeam ??= createTeam(this, prompts)
    return this.madeTeam
  }

  private async prompts(): Promise<Prompts> {
    const { loadPrompts } = await import('../ask/prompts.ts')
    this.readPrompts ??= loadPrompts()
    return this.readPrompts
  }

  /** Values that nothing keeps. */
  secrets(): readonly string[] {
    return [
      ...collectSecrets({ choices: this.options.models ?? {}, environment: this.environment }),
      ...collectKeys(this.options),
      ...telemetrySecrets(this.environment),
      ...webSecrets(this.environment),
      ...this.mcp.secrets(),
    ]
  }

  /** Asks the servers of a new run's models for their context windows. @param roles default: those of a question */
  async readWindows(
    options: Pick<ExecutionOptions, 'signal'>,
    models = this.modelSource,
    { roles = rolesInUse }: Pick<ExecutionFacts, 'roles'> = {},
  ): Promise<void> {
    await models.readWindows?.(roles, options.signal)
  }

  /**
   * What a run is driven with.
   * @param of what it is recorded with, and the addresses that it began with. Default: those of a new question
   */
  execution(
    options: ExecutionOptions,
    models = this.modelSource,
    of: ExecutionFacts = {},
  ): Execution {
    const { roles = rolesInUse, conditions = {} } = of
    const baseUrls = of.baseUrls ?? listBaseUrls(models, roles)
    const windows = [...(models.windows ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const { signal, finish, limits, onEvent, answer, title } = options
    const { hooks } = this.options
    const allLimits = { ...this.options.limits, ...limits }
    const labels = readLabels(options, this.environment)
    const listeners = [onEvent, this.telemetry?.listen(this.store)].flatMap((one) => one ?? [])
    return {
      store: this.store,
      owner: currentOwner(),
      clock: this.clock,
      models,
      packageVersion,
      configuration: {
        models: listModelNames(models, roles),
        ...(Object.keys(baseUrls).length === 0 ? {} : { baseUrls }),
        ...(windows.length === 0 ? {} : { contextTokens: Object.fromEntries(windows) }),
        ...conditions,
      },
      prices: listPrices(models, roles) as JsonObject,
      secrets: this.secrets(),
      ...(labels === undefined ? {} : { labels }),
      ...(title === undefined ? {} : { title }),
      ...(Object.keys(allLimits).length === 0 ? {} : { limits: allLimits }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(signal === undefined ? {} : { signal }),
      ...(listeners.length === 0 ? {} : { listeners }),
      ...(finish === undefined ? {} : { finish }),
      // Each workflow asks in one of these forms.
      ...(answer === undefined ? {} : { answer: answer as NonNullable<Execution['answer']> }),
    }
  }

  /** @throws `invalid_input` for a path that is not there */
  requirePath(path: string): void {
    if (existsSync(path)) return
    throw new ScholiumError('invalid_input', `There is no file or folder ${path}.`, {
      hint: 'Check the spelling of the path.',
    })
  }
}

function resolveOptions({ models, ...options }: AppOptions): ResolvedOptions {
  if (models === undefined) return { ...options, modelObjects: {} }
  const { models: named, objects } = nameModels(models)
  return { ...options, models: named, modelObjects: objects }
}

/** The keys of sources: what must not get into a log. */
function webSecrets(environment: Environment): readonly string[] {
  return lookupKeyVariables.flatMap((name) => (environment[name] ?? '').trim() || [])
}
