import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { accountsOf } from '../kernel/accounts.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { ModelSource } from '../kernel/model.ts'
import type { RunStore } from '../kernel/run-store.ts'
import type { Execution, Workflow } from '../kernel/workflow.ts'
import type { ModelChoices } from '../models/model-settings.ts'
import {
  baseUrlsOf,
  choicesOfRecord,
  createModelSource,
  modelNamesOf,
  pricesOf,
  secretsOf,
} from '../models/model-source.ts'
import { providers } from '../models/providers.ts'
import { createLibrary } from '../retrieval/create-library.ts'
import type { Library } from '../retrieval/library.ts'
import { currentOwner } from '../stores/process-owner.ts'
import { libraryStoreOnDemand } from '../stores/sqlite/library-on-demand.ts'
import { closedLog } from '../stores/sqlite/run-store-failure.ts'
import { runStoreOnDemand } from '../stores/sqlite/run-store-on-demand.ts'
import type { WebSources } from '../tools/web/web-sources.ts'
import { type Answer, toAnswer } from '../workflows/ask/answer.ts'
import type { Prompts } from '../workflows/ask/prompts.ts'
import type { AskInput } from '../workflows/ask/question.ts'
import type { AskResult } from '../workflows/ask/result.ts'
import type { TeamParts } from '../workflows/ask/team.ts'
import { AppAgents } from './agents/app-agents.ts'
import { type Environment, findHome, type Home } from './home.ts'
import { AppMcp } from './mcp.ts'
import type { AppOptions, ExecutionOptions } from './options.ts'
import { AppPython } from './python.ts'
import { AppReader } from './reader.ts'
import { recordedConditions } from './recorded-conditions.ts'
import { keysOf, reachedAsKnown } from './recorded-models.ts'
import { rolesInUse } from './roles.ts'
import type { RunKind } from './run-kind.ts'
import { labelsOf } from './trace-labels.ts'
import { type AppTelemetry, telemetryOf, telemetrySecrets } from './trace-telemetry.ts'
import { packageVersion } from './version.ts'
import { webSecrets } from './web-secrets.ts'

/** What a run is recorded with beside the models themselves. */
export interface ExecutionFacts extends Partial<Pick<RunKind, 'roles' | 'conditions'>> {
  /** The address of each role's model where it is not its provider's public one. */
  readonly baseUrls?: Readonly<Record<string, string>>
}

/** What the app's actions share: its home's stores, opened on first use, its models, its workflows. */
export class AppParts {
  readonly home: Home
  readonly options: AppOptions
  readonly folder: string
  readonly environment: Environment
  readonly modelSource: ModelSource
  readonly clock: Clock
  readonly python: AppPython
  readonly reader = new AppReader()
  readonly mcp: AppMcp
  readonly agents: AppAgents
  private openedStore: RunStore | undefined
  private openedLibrary: Library | undefined
  private madeTeam: TeamParts | undefined
  private readPrompts: Prompts | undefined
  private madeWeb: Promise<WebSources> | undefined
  private openedTelemetry: AppTelemetry | undefined | null = null
  private isClosed = false

  /** @throws `invalid_configuration` for a model that is none */
  constructor(options: AppOptions) {
    this.options = options
    this.environment = options.environment ?? process.env
    this.folder = options.folder ?? process.cwd()
    this.home = findHome(options.home, this.environment, this.folder)
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
    this.modelSource = this.createModels(options.models ?? {})
  }

  /** Ends what was opened; nothing is opened again. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.openedTelemetry?.close()
    await this.python.close()
    await this.mcp.close()
    await this.agents.close()
    await this.reader.close()
    await this.openedLibrary?.close()
    if (this.options.store === undefined) await this.openedStore?.close()
  }

  /** The run store of the home. @throws `store_failed` after the end, as all that is opened on first use */
  get store(): RunStore {
    if (this.isClosed) throw closedLog()
    this.openedStore ??= runStoreOnDemand(join(this.home.path, 'runs.db'))
    return this.openedStore
  }

  /** The library of the home. */
  get library(): Library {
    if (this.isClosed) throw closedLog()
    this.openedLibrary ??= createLibrary(libraryStoreOnDemand(join(this.home.path, 'library.db')))
    return this.openedLibrary
  }

  /** The way to the web, shared by all runs; loaded when a run first asks for it. */
  get web(): Promise<WebSources> {
    if (this.isClosed) throw closedLog()
    this.madeWeb ??= this.webWith([])
    return this.madeWeb
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
    const { onWarning = (text: string) => process.emitWarning(text) } = this.options
    if (this.openedTelemetry === null)
      this.openedTelemetry = telemetryOf(this.environment, onWarning)
    return this.openedTelemetry
  }

  /** The question team as a workflow; the team is loaded when it begins to work. */
  async workflow(): Promise<Workflow<AskInput, AskResult & JsonObject>> {
    const { describedAsk } = await import('../workflows/ask/described-ask.ts')
    return {
      ...describedAsk(await this.prompts()),
      run: async (context, input) => {
        const { askWorkflow } = await import('../workflows/ask/ask.ts')
        return askWorkflow(await this.team()).run(context, input)
      },
    }
  }

  /** What the question team works with, the same for all questions. */
  async team(): Promise<TeamParts> {
    const { teamOf } = await import('./ask-team.ts')
    const prompts = await this.prompts()
    this.madeTeam ??= teamOf(this, prompts)
    return this.madeTeam
  }

  private async prompts(): Promise<Prompts> {
    const { loadPrompts } = await import('../workflows/ask/prompts.ts')
    this.readPrompts ??= loadPrompts()
    return this.readPrompts
  }

  /** Values that nothing keeps. */
  secrets(): readonly string[] {
    return [
      ...secretsOf({ choices: this.options.models ?? {}, environment: this.environment }),
      ...keysOf(this.options.knownModels),
      ...telemetrySecrets(this.environment),
      ...webSecrets(this.environment),
      ...this.mcp.secrets(),
    ]
  }

  private createModels(choices: ModelChoices, isOffline = false): ModelSource {
    const { prices, providers } = this.options
    return createModelSource({
      choices,
      isOffline,
      environment: this.environment,
      ...(prices === undefined ? {} : { prices }),
      ...(providers === undefined ? {} : { providers }),
      builtIn: {
        extractive: async () =>
          (await import('../extractive/extractive-model.ts')).createExtractiveModel(),
      },
    })
  }

  /** A recorded step is another step with another model, so a run goes on with its own unless others are named. */
  async modelsOfRun(runId: string): Promise<ModelSource> {
    if (this.options.models !== undefined) return this.modelSource
    const { models, baseUrls } = await recordedConditions(this.store, runId)
    const recorded = choicesOfRecord(models, baseUrls, this.environment)
    return this.createModels(reachedAsKnown(recorded, this.options.knownModels))
  }

  /** The models of a replay, which calls none: the run's own unless others are named, and its own of embeddings where none is named. */
  async modelsOfReplay(runId: string): Promise<ModelSource> {
    const recorded = await this.modelsOfRecord(runId)
    const { models } = this.options
    if (models === undefined) return recorded
    const forEmbedding = (name?: string) => recorded.forEmbedding?.(name)
    return models.embedding === undefined ? { ...this.modelSource, forEmbedding } : this.modelSource
  }

  /** The models of a run by their names, which cannot be called. */
  async modelsOfRecord(runId: string): Promise<ModelSource> {
    return this.createModels((await recordedConditions(this.store, runId)).models, true)
  }

  /** The models of a run but for the roles that are chosen now; a chosen default stands for all roles but `embedding`. */
  async modelsOfFork(runId: string): Promise<ModelSource> {
    const { models, baseUrls } = await recordedConditions(this.store, runId)
    const { models: chosen = {}, knownModels } = this.options
    const recorded = choicesOfRecord(models, baseUrls, this.environment)
    const { embedding, ...others } = reachedAsKnown(recorded, knownModels)
    return this.createModels({
      ...(embedding === undefined ? {} : { embedding }),
      ...(chosen.default === undefined ? others : {}),
      ...chosen,
    })
  }

  /**
   * What a run is driven with.
   * @param of the kind of the run, and the addresses that it began with. Default: a new question
   */
  execution(
    options: ExecutionOptions,
    models = this.modelSource,
    of: ExecutionFacts = {},
  ): Execution {
    const { roles = rolesInUse, conditions = {} } = of
    const baseUrls = of.baseUrls ?? baseUrlsOf(models, roles)
    const { signal, limits, onEvent, answer } = options
    const { hooks } = this.options
    const allLimits = { ...this.options.limits, ...limits }
    const labels = labelsOf(options, this.environment)
    const listeners = [onEvent, this.telemetry?.listen(this.store)].flatMap((one) => one ?? [])
    return {
      store: this.store,
      owner: currentOwner(),
      clock: this.clock,
      models,
      packageVersion,
      configuration: {
        models: modelNamesOf(models, roles),
        ...(Object.keys(baseUrls).length === 0 ? {} : { baseUrls }),
        ...conditions,
      },
      prices: pricesOf(models, roles) as JsonObject,
      secrets: this.secrets(),
      ...(labels === undefined ? {} : { labels }),
      ...(Object.keys(allLimits).length === 0 ? {} : { limits: allLimits }),
      ...(hooks === undefined ? {} : { hooks }),
      ...(signal === undefined ? {} : { signal }),
      ...(listeners.length === 0 ? {} : { listeners }),
      ...(answer === undefined ? {} : { answer }),
    }
  }

  /** A result with what the log says of its making. */
  async answerOf(runId: string, result: AskResult & JsonObject): Promise<Answer> {
    const accounts = await accountsOf(this.store.events(runId, { withOutput: false }))
    const { models } = await recordedConditions(this.store, runId)
    return toAnswer(runId, result, accounts, models)
  }

  /** @throws `invalid_input` for a path that is not there */
  requirePath(path: string): void {
    if (existsSync(path)) return
    throw new ScholiumError('invalid_input', `There is no file or folder ${path}.`, {
      hint: 'Check the spelling of the path.',
    })
  }
}
