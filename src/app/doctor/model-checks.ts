import { ScholiumError } from '../../kernel/errors.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import { listModels } from '../../models/list-models.ts'
import { takesImages } from '../../models/model-capabilities.ts'
import { splitName } from '../../models/model-name.ts'
import type { ModelSettings, RoleModel } from '../../models/model-settings.ts'
import { collectSecrets, createModelSource } from '../../models/model-source.ts'
import { findPrice, type KnownPrice } from '../../models/price-of.ts'
import { toAppOptions } from '../config/app-settings.ts'
import type { Configuration } from '../config/configuration.ts'
import { type ConfiguredModel, configuredModels } from '../config/role-models.ts'
import { shownRoles } from '../models/roles.ts'
import { type Check, type Finding, failure } from './finding.ts'
import { probeModel } from './probe-model.ts'

/** The answers are short, but a thinking model thinks first. */
const probeOutputTokens = 2_048

/** One check per model in use, whatever its roles. */
export function modelChecks(
  configuration: Configuration,
  callsPaidModels: boolean,
): readonly Check[] {
  return modelsInUse(configuration).map(({ roles, configured }) => {
    const name = configured?.model.name ?? 'extractive'
    const subject = `${name} (${roles.join(', ')})`
    return {
      name: subject,
      area: 'models',
      async run(signal, tellFinding) {
        const { model = { name } } = configured ?? {}
        const isEmbedding = configured?.role === 'embedding'
        const settings = settingsOf(configuration, model, isEmbedding)
        const secrets = collectSecrets(settings)
        // A service may echo what it was sent.
        const tell = (finding: Finding) =>
          tellFinding(redactSecrets({ ...finding, subject }, secrets))
        if (configured === undefined || name === 'extractive') return tell(ofExtractive())
        // The configuration's own check reports these.
        if (configured.problems.length > 0)
          return tell(finding('problem', `is not configured; see the configuration above`))
        await examineModel({
          model,
          settings,
          callsPaidModels,
          isEmbedding,
          signal,
          tell,
        })
        if (!isEmbedding) tell(ofVision(model))
      },
    }
  })
}

interface ModelInUse {
  readonly roles: readonly ModelRole[]
  readonly configured: ConfiguredModel | undefined
}

function modelsInUse(configuration: Configuration): readonly ModelInUse[] {
  const models = configuredModels(configuration)
  const inUse = new Map<string, ModelInUse>()
  for (const role of shownRoles) {
    const configured =
      models.find((model) => model.role === role) ??
      models.find((model) => model.role === 'default')
    const key = JSON.stringify(configured?.model ?? {})
    const { roles = [] } = inUse.get(key) ?? {}
    inUse.set(key, { roles: [...roles, role], configured })
  }
  const embedding = models.find(({ role }) => role === 'embedding')
  return [
    ...inUse.values(),
    ...(embedding === undefined ? [] : [{ roles: [embedding.role], configured: embedding }]),
  ]
}

function ofExtractive(): Finding {
  const text = `built in and free; not a language model: it selects and quotes sentences`
  return finding('ok', text)
}

function settingsOf(
  configuration: Configuration,
  model: RoleModel,
  isEmbedding: boolean,
): ModelSettings {
  const { environment = {}, prices } = toAppOptions(configuration, 'none')
  return {
    choices: isEmbedding ? { embedding: model } : { default: model },
    environment,
    ...(prices === undefined ? {} : { prices }),
    builtIn: {},
  }
}

interface Examined {
  readonly model: RoleModel
  readonly settings: ModelSettings
  readonly callsPaidModels: boolean
  readonly isEmbedding: boolean
  readonly signal: AbortSignal
  readonly tell: (finding: Finding) => void
}

async function examineModel(examined: Examined): Promise<void> {
  const { model, settings, callsPaidModels, tell } = examined
  let price: KnownPrice
  try {
    createModelSource(settings)
    price = findPrice(model, settings)
  } catch (error) {
    return tell(failure('models', '', error))
  }
  const isReached = await reach(examined)
  tell(ofPrice(price))
  if (!isReached) return
  const isFree = price.price?.inputUsdPerMTok === 0 && price.price.outputUsdPerMTok === 0
  if (isFree || callsPaidModels) return probe(examined)
  const text = `was not called, because it is paid`
  const hint = `Try ${examined.isEmbedding ? 'it' : 'tool calls and structured output'} for a fraction of a cent: scholium doctor --call`
  tell({ ...finding('ok', text), hint })
}

/** Services that list all of their models; others accept names that are not listed. */
const completeLists = [
  'ollama',
  'lmstudio',
  'vllm',
  'openai',
  'anthropic',
  'google',
  'mistral',
  'groq',
  'xai',
  'deepseek',
]

/** Statuses of services that have no list of models. */
const withoutList = [400, 404, 405, 501]

/** Asks the service for its models, which is free; returns whether to try the model. */
async function reach({ model, settings, signal, tell }: Examined): Promise<boolean> {
  const { provider, model: name } = splitName(model.name)
  let names: readonly string[]
  try {
    names = await listModels(provider, { ...model, environment: settings.environment }, signal)
  } catch (error) {
    const status = error instanceof ScholiumError ? Number(error.details.status) : 0
    if (!withoutList.includes(status)) {
      tell(failure('models', '', error))
      return false
    }
    tell(finding('ok', `the service responds but lists no models`))
    return true
  }
  if (names.length === 0 && !completeLists.includes(provider)) {
    tell(finding('ok', `the service responds but lists no models`))
    return true
  }
  if (names.includes(name) || names.includes(`${name}:latest`)) {
    tell(finding('ok', `is reachable`))
    return true
  }
  const isComplete = completeLists.includes(provider)
  const text = `the service responds but does not list ${name}`
  tell({
    ...finding(isComplete ? 'problem' : 'warning', text),
    hint: missingHint(provider, name, names),
  })
  return !isComplete
}

function missingHint(provider: string, name: string, names: readonly string[]): string {
  const meant = findNearest(name, names)
  const suggestion = meant === undefined ? '' : `Did you mean ${provider}:${meant}? `
  const list = `List its models: scholium models ${provider}`
  return provider === 'ollama'
    ? `${suggestion}Download it with: ollama pull ${name}`
    : `${suggestion}${list}`
}

function ofPrice({ price, from }: KnownPrice): Finding {
  if (price === null) {
    const hint =
      'With a dollar limit, also set a token limit (--max-tokens) or the price under "prices" in your own configuration file.'
    return { ...finding('warning', `its price is unknown`), hint }
  }
  const { inputUsdPerMTok, outputUsdPerMTok } = price
  const source = { override: 'as configured', table: 'built-in table', local: 'on this machine' }
  const where = from === 'unknown' ? '' : ` (${source[from]})`
  const amount =
    inputUsdPerMTok + outputUsdPerMTok === 0
      ? 'is free'
      : `costs $${inputUsdPerMTok} per million input tokens and $${outputUsdPerMTok} per million output tokens`
  return finding('ok', `${amount}${where}`)
}

function ofVision({ name, vision = takesImages(name) }: RoleModel): Finding {
  if (vision) return finding('ok', 'accepts images')
  const text =
    'is not known to accept images: it only gets the metadata of images among the sources'
  return {
    ...finding('ok', text),
    isAbsent: true,
    hint: 'If it does, set "vision: true" for it.',
  }
}

const kinds = [
  {
    probe: 'tools',
    works: 'calls tools',
    fails: 'did not call a tool when asked to',
    fumbles: 'called a tool, but with wrong arguments',
    hint: 'Its research and calculations may fail: use a model trained for tool calls, such as ollama:qwen3.',
  },
  {
    probe: 'form',
    works: 'gives structured output',
    fails: 'did not give structured output',
    fumbles: 'gives structured output, but with wrong content',
    hint: 'Plans and reviews may fail: use a larger model.',
  },
] as const

const kindsOfEmbedding = [
  {
    probe: 'vectors',
    works: 'creates embeddings',
    fails: 'did not create embeddings',
    fumbles: 'did not create embeddings',
    hint: 'Use an embedding model, such as ollama:nomic-embed-text.',
  },
] as const

async function probe({ model, settings, isEmbedding, signal, tell }: Examined): Promise<void> {
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? probeOutputTokens, probeOutputTokens)
  const models = createModelSource({
    ...settings,
    choices: isEmbedding ? { embedding: model } : { default: { ...model, maxOutputTokens } },
  })
  let costUsd: number | null = 0
  for (const { probe: name, works, fails, fumbles, hint } of isEmbedding
    ? kindsOfEmbedding
    : kinds) {
    try {
      const outcome = await probeModel(name, models, { signal, secrets: collectSecrets(settings) })
      costUsd = outcome.costUsd === null || costUsd === null ? null : costUsd + outcome.costUsd
      const remarks = outcome.remarks.map((remark) => `; ${remark}`).join('')
      if (outcome.works) tell(finding('ok', `${works}${remarks}`))
      else tell({ ...finding('warning', `${outcome.isTried ? fumbles : fails}${remarks}`), hint })
    } catch (error) {
      const found = failure('models', '', error)
      const isForm = found.code === 'model_output_malformed'
      tell(isForm ? { ...finding('warning', `${fails}`), hint } : found)
      if (!isForm) return
    }
  }
  const cost = costUsd === null ? 'an unknown amount' : `$${costUsd.toFixed(6)}`
  if (costUsd !== 0) tell(finding('ok', `the check cost ${cost}`))
}

function finding(status: Finding['status'], text: string): Finding {
  return { area: 'models', status, text }
}
