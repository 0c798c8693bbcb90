import { ScholiumError } from '../../kernel/errors.ts'
import type { ModelSource } from '../../kernel/model/model.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { checkBaseUrl, findAddress } from '../../models/base-url.ts'
import { splitName } from '../../models/model-name.ts'
import type { NamedModels, RoleModel } from '../../models/model-settings.ts'
import { createModelSource, defaultModelName } from '../../models/model-source.ts'
import { findProvider } from '../../models/providers.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Environment } from '../trust/user-folders.ts'
import { type Conditions, recordedConditions } from './recorded-conditions.ts'

/** What of an app its models are made of. */
interface ModelSite {
  readonly options: ResolvedOptions
  readonly environment: Environment
}

/** An app with its log and the models that it chooses. */
interface RecordSite extends ModelSite {
  readonly store: RunStore
  readonly modelSource: ModelSource
}

/** The models that an app chooses. @throws `invalid_configuration` for an invalid model */
export function createModels(
  { options: { prices, providers, modelObjects: objects }, environment }: ModelSite,
  choices: NamedModels,
  isOffline = false,
): ModelSource {
  return createModelSource({
    choices,
    objects,
    isOffline,
    environment,
    ...(prices === undefined ? {} : { prices }),
    ...(providers === undefined ? {} : { providers }),
    builtIn: {
      extractive: async () =>
        (await import('../../extractive/extractive-model.ts')).createExtractiveModel(),
    },
  })
}

/** With another model, a recorded step is another step, so a run keeps its models unless others are named. */
export async function modelsOfRun(parts: RecordSite, runId: string): Promise<ModelSource> {
  const recorded = await recordedConditions(parts.store, runId)
  if (parts.options.models !== undefined) return withWindows(parts.modelSource, recorded)
  requireKnown(parts, runId, recorded)
  return withWindows(createModels(parts, recordedChoices(parts, recorded)), recorded)
}

/** The models with the context windows that a run was begun with: how results were shortened depends on them. */
export function withWindows(
  models: ModelSource,
  { contextTokens }: Pick<Conditions, 'contextTokens'>,
): ModelSource {
  for (const [name, tokens] of Object.entries(contextTokens)) models.windows?.set(name, tokens)
  return models
}

/** @throws `run_incompatible` for a model that was given to the run as an object, or by a provider that the app does not have */
function requireKnown({ options }: ModelSite, runId: string, { models }: Conditions): void {
  const isKnown = (name: string) => {
    const { provider } = splitName(name)
    return (
      name === defaultModelName ||
      Object.hasOwn(options.modelObjects, name) ||
      findProvider(provider) !== undefined ||
      Object.hasOwn(options.providers ?? {}, provider)
    )
  }
  const [role, unknown] = Object.entries(models).find(([, name]) => !isKnown(name)) ?? []
  if (unknown === undefined) return
  throw new ScholiumError(
    'run_incompatible',
    `Run ${runId} was started with the model "${unknown}", which this app does not have.`,
    {
      hint: `Give the app the same model: createApp({ models: { ${role === 'embedding' ? role : 'default'}: model } }).`,
    },
  )
}

/** The models of a replay, which calls none: the run's own unless others are named, and its own of embeddings where none is named. */
export async function modelsOfReplay(parts: RecordSite, runId: string): Promise<ModelSource> {
  const recorded = await modelsOfRecord(parts, runId)
  const { models } = parts.options
  if (models === undefined) return recorded
  const own = withWindows(parts.modelSource, await recordedConditions(parts.store, runId))
  const forEmbedding = (name?: string) => recorded.forEmbedding?.(name)
  return models.embedding === undefined ? { ...own, forEmbedding } : own
}

/** The models of a run by their names, which cannot be called. */
export async function modelsOfRecord(parts: RecordSite, runId: string): Promise<ModelSource> {
  const recorded = await recordedConditions(parts.store, runId)
  return withWindows(createModels(parts, recorded.models, true), recorded)
}

/** The models of a run but for the roles that are chosen now; a chosen default stands for all roles but `embedding`. */
export async function modelsOfFork(
  parts: RecordSite,
  runId: string,
  chosen: NamedModels = {},
): Promise<ModelSource> {
  const recorded = await recordedConditions(parts.store, runId)
  const kept = withChosen(recordedChoices(parts, recorded), parts.options.models)
  const asConfigured = Object.entries(chosen).map(([role, choice]) => [
    role,
    typeof choice === 'string' ? reached(parts, choice, undefined).choice : choice,
  ])
  const choices = withChosen(kept, Object.fromEntries(asConfigured))
  return withWindows(createModels(parts, choices), recorded)
}

function withChosen(recorded: NamedModels, chosen: NamedModels = {}): NamedModels {
  const kept = Object.entries(recorded).filter(([role]) => !isReplaced(role, chosen))
  return { ...Object.fromEntries(kept), ...chosen }
}

/**
 * The addresses that only a run's record names, of models with which the run is resumed or forked.
 * @param isFork whether the chosen models replace only some of the roles
 */
export function addressesByRecord(
  site: ModelSite,
  recorded: Conditions,
  isFork: boolean,
): readonly string[] {
  const { models } = site.options
  if (models !== undefined && !isFork) return []
  return Object.entries(recorded.models).flatMap(([role, name]) => {
    const { address } = reached(site, name, recorded.baseUrls[role])
    return isReplaced(role, models) ? [] : (address ?? [])
  })
}

/** Whether a role has another model than the recorded one. */
function isReplaced(role: string, chosen: NamedModels = {}): boolean {
  return Object.hasOwn(chosen, role) || (chosen.default !== undefined && role !== 'embedding')
}

/** The recorded models, each at its configured address, or else at the recorded one, without keys. */
function recordedChoices(site: ModelSite, { models, baseUrls }: Conditions): NamedModels {
  return Object.fromEntries(
    Object.entries(models).map(([role, name]) => [
      role,
      reached(site, name, baseUrls[role]).choice,
    ]),
  )
}

interface Reached {
  readonly choice: string | RoleModel
  /** Where it is reached, where only the record says so. */
  readonly address?: string
}

/**
 * The address of a recorded model: from the operator's own files, else from the environment, else as recorded. An
 * address in a project's files counts only if the record has it too; otherwise, the project could have a run answered
 * by another service.
 */
function reached(
  { options, environment }: ModelSite,
  name: string,
  recorded: string | undefined,
): Reached {
  const { knownModels = [], projectModels = [], projectVariables = [] } = options
  const facts = findProvider(splitName(name).provider)
  const isRecorded = ({ baseUrl }: RoleModel) =>
    baseUrl === undefined ||
    (facts !== undefined && checkBaseUrl(facts, baseUrl, 'the base URL') === recorded)
  const described =
    knownModels.find((model) => model.name === name) ??
    projectModels.find((model) => model.name === name && isRecorded(model))
  const choice = described ?? name
  if (described?.baseUrl !== undefined) return { choice }
  const now = facts === undefined ? undefined : findAddress(facts, environment)
  const isTold = now !== undefined && now.from !== 'default'
  if (isTold && (now.baseUrl === recorded || !projectVariables.includes(now.from)))
    return { choice }
  const baseUrl = isTold ? (recorded ?? facts?.baseUrl) : recorded
  if (baseUrl === undefined) return { choice }
  const placed = { ...(described ?? { name }), baseUrl }
  return recorded === undefined ? { choice: placed } : { choice: placed, address: baseUrl }
}

/** The keys of models: they must not enter a log. */
export function collectKeys({
  knownModels = [],
  projectModels = [],
}: ModelSite['options']): readonly string[] {
  return [...knownModels, ...projectModels].flatMap(({ apiKey }) => apiKey ?? [])
}
